"""What a person sees of answers, hits, nodes and findings. Values come in, text goes out; nothing is decided here.

Everything that came from nodes or questions is stripped of control characters before it reaches a terminal.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Any

from forest.text import escaped, one_line, printable

if TYPE_CHECKING:
    from forest.answer import Answer, Claim, Missing, Near
    from forest.catalog import NodeRow
    from forest.finding import Finding
    from forest.proof import Proof
    from forest.ranking import Found
    from forest.trail_status import TrailStatus

_WIDTH = 96
_NOTICE = "Not legal advice; not the official edition. Check the gazette before you rely on it."
_HEADLINES = {
    "answered": "",
    "partial": "Part of what you name is not in this forest.",
    "corrected": "The question supposes something that the text denies.",
    "unanswerable": "This forest holds what you ask about, and not what you ask of it.",
    "ambiguous": "A name in the question means more than one text; say which.",
    "not_held": "This forest does not hold what you name.",
    "not_found": "Nothing in this forest answers all that you ask.",
    "stopped": "The search was stopped before its end: this forest may hold what you ask.",
}


def to_json(value: object) -> str:
    """Return a value of dataclasses, dates and plain data as indented JSON, keys in their own order."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))


def _plain(value: object) -> object:
    if isinstance(value, date):
        return value.isoformat()
    if hasattr(value, "__dataclass_fields__"):
        return asdict(value)  # type: ignore[call-overload]
    raise TypeError(f"no JSON for {type(value).__name__}")


def status_text(facts: Mapping[str, object], trails: TrailStatus) -> str:
    """Return what there is of a forest for a terminal, one fact a line, and a hint where trails could be lost."""
    rows = [*facts.items(), ("trails", _trails_line(trails)), ("private", f"{trails.private:,} trails")]
    unreadable = f", {trails.unreadable:,} not readable" if trails.unreadable else ""
    rows.append(("walks", f"{trails.walks:,} in the journal, {trails.unfinished:,} without an ending{unreadable}"))
    for remote in trails.remotes:
        trusted = "trusted" if remote.trusted else "not trusted"
        seen = f"{remote.trails:,} trails at {remote.commit[:12]}" if remote.commit else "trails never synced"
        rows.append(("remote", f"{remote.name} ({trusted}): {seen}"))
    lines = [f"{name:>9}  {printable(one_line(str(value)))}" for name, value in rows]
    if trails.here_only:
        lines += [
            "",
            f"{trails.here_only:,} trails exist nowhere else that is known: `forest trails sync` shares them.",
        ]
        lines += ["Clones do not fetch trails by themselves; `forest trails sync` in a clone does."]
    for remote in trails.remotes[:1] if trails.here_only else ():
        command = f"git config --add remote.{remote.name}.fetch '{remote.refspec}'"
        lines.append(printable(one_line(f"To see with every `git fetch` what {remote.name} has: {command}")))
    return "\n".join(lines)


def _trails_line(trails: TrailStatus) -> str:
    if not trails.tip:
        return "none"
    pruned = f", pruned before {trails.pruned_before}" if trails.pruned_before else ""
    begun = f", history begun anew {trails.epoch} times" if trails.epoch else ""
    return f"{trails.shared:,} at {trails.tip[:12]}{pruned}{begun}; {trails.here_only:,} exist nowhere else"


def answer_text(answer: Answer) -> str:
    """Return an answer for a terminal: the words, numbered citations, what is missing, what is near."""
    lines: list[str] = []
    if _HEADLINES[answer.status]:
        lines += [_HEADLINES[answer.status], ""]
    for gap in answer.missing:
        lines += [*_missing(gap), ""]
    quoted = answer.claims or answer.near
    if answer.near:
        lines += ["What comes nearest:", ""]
    values = [_clean(claim.value) for claim in answer.claims if claim.value]
    if values:
        lines += [f"Answer: {'; '.join(dict.fromkeys(values))}", ""]
    for number, claim in enumerate(quoted, start=1):
        first_lead = claim.leads and (number == 1 or not quoted[number - 2].leads)
        if first_lead and not (number == 1 and answer.near):  # nothing stands above that was reached
            lines += ["How it was reached:", ""]
        lines.append(f"[{number}] {_clean(claim.title)}")
        for paragraph in printable(claim.text).splitlines():
            lines += _wrapped(paragraph, "    ")
        if claim.left_out:
            node = claim.citations[0].node
            lines.append(f"    ({claim.left_out} more parts not quoted here: forest show {node})")
        lines.append("")
    if quoted:
        lines += ["Citations", *_citations(quoted), ""]
    told = {near.id for gap in answer.missing for near in gap.nearest}
    others = [near for near in answer.nearest if near.id not in told]
    if others:
        lines += ["See also", *_nears(others), ""]
    lines += [f"Note: {_clean(note)}" for note in answer.notes]
    known = f"; nothing later than {answer.clock.as_of}" if answer.clock.as_of else ""
    lines.append(f"In force: {answer.clock.words} (from the {_SOURCES[answer.clock.source]}){known}. {_NOTICE}")
    return "\n".join(lines)


_SOURCES = {"option": "option", "question": "question", "today": "date of today"}


def _citations(quoted: Sequence[Claim]) -> list[str]:
    rows = (
        f"[{number}] {c.node}#{c.passage}  sha256 {c.sha256[:16]}  blob {c.blob[:12]}  commit {c.commit[:12]}"
        for number, claim in enumerate(quoted, start=1)
        for c in claim.citations
    )
    return list(dict.fromkeys(rows))


def _missing(gap: Missing) -> list[str]:
    lines = _wrapped(f"«{_clean(gap.what)}»: {_clean(gap.why)}.", "")
    return [*lines, *(["  Nearest:", *_nears(gap.nearest)] if gap.nearest else [])]


def _nears(nears: Iterable[Near]) -> list[str]:
    return [f"  {near.id}  {_clean(near.title)}" for near in nears]


def hits_json(found: Sequence[Found]) -> list[dict[str, Any]]:
    """Return search hits as plain data."""
    return [
        {
            "passage": hit.reading.passage.id,
            "node": hit.reading.node.id,
            "title": hit.reading.node.title,
            "heading": list(hit.reading.passage.heading),
            "text": hit.reading.text,
            "tier": hit.tier,
            "score": round(hit.score, 6),
            "coverage": round(hit.coverage, 6),
            "why": [[name, round(amount, 6)] for name, amount in hit.why],
        }
        for hit in found
    ]


def findings_text(findings: Sequence[Finding]) -> str:
    """Return findings for a terminal, one a line with its hint, and a closing count."""
    lines = []
    for f in findings:
        place = f"{f.path}:{f.line}" if f.line else f.path
        lines += [f"{_clean(place)}: {f.rule}: {_clean(f.message)}", f"    {_clean(f.hint)}"]
    rules = len({f.rule for f in findings})
    plural = ("" if len(findings) == 1 else "s", "" if rules == 1 else "s")
    count = f"{len(findings)} finding{plural[0]} of {rules} rule{plural[1]}." if findings else "No findings."
    return "\n".join([*lines, count])


def proof_text(proof: Proof) -> str:
    """Return one verified citation for a terminal."""
    return f"proven  {proof.citation.node}#{proof.citation.passage}: {_clean(proof.sentence)}."


def node_line(node: NodeRow) -> str:
    """Return a node in one line."""
    return f"{node.id}  {_clean(node.title)}"


def _clean(text: str) -> str:
    return printable(one_line(text))


def _wrapped(text: str, indent: str) -> list[str]:
    if text.startswith("|"):
        return [indent + text]
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
