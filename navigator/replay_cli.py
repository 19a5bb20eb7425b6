"""The command `forest replay`: a recorded hunt shown again step by step, each compared with what the journal says."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forest.commands import HELP, forest_option, json_option, open_forest
from forest.errors import ForestError

if TYPE_CHECKING:
    from forest.history import Snapshot
    from navigator.replay import Replay, Retaken

_MOST_CITATIONS = 200
_LONGEST_DELAY = 60.0


@click.command(context_settings=HELP)
@click.argument("walk_id", metavar="TRAIL")
@forest_option
@click.option(
    "--delay",
    default=0.0,
    show_default=True,
    metavar="SECONDS",
    type=click.FloatRange(0, _LONGEST_DELAY),
    help="Wait so long before each step.",
)
@json_option
def replay(walk_id: str, folder: Path | None, delay: float, as_json: bool) -> None:
    """Show a recorded hunt again, step by step, and say whether it still shows the same.

    TRAIL is an id that `forest walks` lists, or `last`. Each action is taken again on the recorded commit and for the
    recorded days, and each citation of its answer is proven again. No model is asked and nothing is recorded. The exit
    status is 1 when anything differs.

    \b
    Example:
      forest replay last --forest my-forest
    """  # noqa: D301
    from forest.journal import read_walk
    from forest.render import to_json
    from navigator.replay import replaying

    with open_forest(folder) as now:
        head, home = now.snapshot, now.folder.parent
    record = read_walk(home, walk_id)
    taken: list[Retaken] = []
    with replaying(record, head) as replayed:
        if not as_json:
            _say(f"Walk {record.id} by {record.header['navigator']}")
            _say(f"Question: {record.header['question']}")
            click.echo()
        for step in replayed.steps():
            time.sleep(delay)
            taken.append(step)
            if not as_json:
                _show(step)
        answer = replayed.answer_differs()
    proofs = _proofs(record.ending or {}, head)
    differing = sum(bool(step.difference) for step in taken)
    equal = not (differing or replayed.remarks or answer or any(not proof["proven"] for proof in proofs))
    if as_json:
        click.echo(to_json(_as_data(replayed, taken, answer, proofs, equal=equal)))
    else:
        _close(replayed, taken, answer, proofs)
    if not equal:
        sys.exit(1)


def _say(text: str, lead: str = "") -> None:
    from forest.observation import clean

    click.echo(lead + clean(text).encode("utf-8", "replace").decode())


def _show(step: Retaken) -> None:
    from navigator.telling import steps_text

    click.echo(steps_text([step.line]).encode("utf-8", "replace").decode())
    _say(
        f"DIFFERS: {step.difference}" if step.difference else "the same was shown",
        "     = " if not step.difference else "     ≠ ",
    )


def _close(replayed: Replay, taken: list[Retaken], answer: str, proofs: list[dict[str, Any]]) -> None:
    ending = replayed.record.ending
    click.echo()
    if ending is None:
        click.echo("It has no ending: it goes on, or was stopped from outside.")
    else:
        _say(f"Ending: {ending['ending'].replace('_', ' ')}")
        for claim in ending["answer"]["claims"][:_MOST_CITATIONS]:
            _say(f"{claim['value'] or claim['text']} ({claim['citations'][0]['node']})", "  ")
        for proof in proofs:
            _say(f"{'proven ' if proof['proven'] else 'refused'} {proof['citation']}: {proof['said']}", "  ")
    for sentence in [*replayed.remarks, *([answer] if answer else [])]:
        _say(sentence)
    click.echo(_verdict(taken, proofs, others=len(replayed.remarks) + bool(answer)))


def _verdict(taken: list[Retaken], proofs: list[dict[str, Any]], others: int) -> str:
    differing = sum(bool(step.difference) for step in taken)
    refused = sum(not proof["proven"] for proof in proofs)
    told = f"{len(proofs) - refused} citations proven, {refused} refused"
    if not differing and not others:
        return f"All {len(taken)} steps show the same; {told}."
    more = f"; {others} more differences are told above" if others else ""
    return f"{differing} of {len(taken)} steps differ{more}; {told}."


def _proofs(ending: Mapping[str, Any], head: Snapshot) -> list[dict[str, Any]]:
    """Prove the citations of a recorded answer again, each once."""
    from forest.citation import citation_from
    from forest.proof import verify

    claims = ending["answer"]["claims"] if ending else []
    told: dict[str, dict[str, Any]] = {}
    for cited in [cited for claim in claims for cited in claim["citations"]][:_MOST_CITATIONS]:
        name = f"{cited['node'][:100]}#{str(cited.get('passage'))[:10]}"
        try:
            proof = verify(citation_from(cited), head)
            said = {"citation": name, "proven": True, "said": f"{proof.sentence}."}
        except ForestError as error:
            said = {"citation": name, "proven": False, "said": str(error)}
        told[f"{cited}"] = said
    return [*told.values()]


def _as_data(
    replayed: Replay, taken: list[Retaken], answer: str, proofs: list[dict[str, Any]], *, equal: bool
) -> dict[str, Any]:
    record = replayed.record
    steps = [
        {
            "step": one.line["step"],
            "action": one.line["action"],
            "same": not one.difference,
            "difference": one.difference,
        }
        for one in taken
    ]
    return {
        "walk": record.id,
        "question": record.header["question"],
        "navigator": record.header["navigator"],
        "equal": equal,
        "remarks": [*replayed.remarks, *([answer] if answer else [])],
        "steps": steps,
        "ending": record.ending["ending"] if record.ending else None,
        "claims": record.ending["answer"]["claims"] if record.ending else [],
        "citations": proofs,
    }
