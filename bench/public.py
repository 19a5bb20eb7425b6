"""Public questions over the gazette, asked of a forest that hides their publications among everything else it has.

    python -m bench.public QUESTIONS SPANS --base FOREST
    python -m bench.public QUESTIONS SPANS --data FOLDER

Publications that the base does not hold are made of their quotes. Everything is measured twice: with each question's
`as_of`, and without.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from bench.retrieval.command import add_options, header, indexing, measure, run_command, tell
from bench.retrieval.hidden import hide
from bench.retrieval.quoted import Publication, Record, load_public
from bench.retrieval.rankers import rankers
from bench.retrieval.standing import Found, find_public, real_text
from bench.retrieval.wanted import Wanted
from forest.errors import NotAForest, WrongUsage
from forest.history import Snapshot, open_snapshot
from forest.state import State, open_state

_CURATED = ("leyes_md", "publicaciones")
PUBLISHED = {
    "document_recall@5": 0.381,
    "document_recall@10": 0.429,
    "document_mrr": 0.221,
    "all_documents@10": 0.405,
    "evidence_recall@1": 0.048,
    "evidence_recall@5": 0.167,
    "evidence_recall@10": 0.187,
    "evidence_mrr": 0.104,
}
NOT_COMPARABLE = (
    "published, and not comparable: over all 42 questions and the whole gazette of 657,867 documents in full. Here the "
    "questions are those of the file, the documents are fewer by far, those that are made of quotes hold little but "
    "the evidence, and passages are cut differently"
)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.public", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("questions", metavar="QUESTIONS", type=Path, help="JSON Lines, as dof_queries_v4")
    parser.add_argument("spans", metavar="SPANS", type=Path, help="JSON: quotes by publication and chunk")
    parser.add_argument("--base", type=Path, metavar="FOREST", help="a committed forest to hide the publications in")
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help=f"without --base: a folder with {' and '.join(_CURATED)} to curate"
    )
    parser.add_argument("--forest", type=Path, metavar="FOLDER", help="keep the forest that is made, in a new folder")
    add_options(parser)
    options = parser.parse_args()
    records, publications = load_public(options.questions, options.spans)
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="forest-public-")))
        base = open_snapshot(options.base or _curated(options.data, scratch / "base"))
        folder = options.forest or scratch / "forest"
        real = _make(base, publications, folder)
        state = stack.enter_context(open_state(open_snapshot(folder), indexing))
        _measure(state, records, publications, real, options)


def _curated(data: Path | None, folder: Path) -> Path:
    """Curate what a data folder has into a new forest."""
    from curation.run import curate

    if data is None:
        raise WrongUsage("There is no forest to hide the publications in.", "Name one with --base, or --data.")
    sources = [data / name for name in _CURATED if (data / name).is_dir()]
    report = curate(sources, folder, progress=lambda *_: None) if sources else None
    if report is None or not report.curated:
        raise NotAForest(f"{data} has nothing to curate.", f"Name a folder with {' or '.join(_CURATED)}.")
    return folder


def _make(base: Snapshot, publications: Sequence[Publication], folder: Path) -> dict[str, str]:
    """Make the forest; return by code the id of each publication that the base holds in full."""
    with open_state(base, indexing) as state:
        found = {p.code: real_text(state, p) for p in publications}
    real = {code: node for code, node in found.items() if node}
    hide(base, [p for p in publications if p.code not in real], folder)
    return real


def _measure(
    state: State,
    records: Sequence[Record],
    publications: Sequence[Publication],
    real: Mapping[str, str],
    options: argparse.Namespace,
) -> None:
    found = find_public(state, records, publications, real)
    if not found.asked:
        raise WrongUsage("No question has evidence to be found.", "Name questions with gold_documents.")
    files = [options.questions, options.spans]
    head = header(state, files, found.asked, options) | _about(state, len(publications), len(real), found, len(records))
    arms = rankers(state, options.today, levers=not options.no_levers)
    free = tuple(replace(asked, as_of=None) for asked in found.asked)
    tell(
        [
            measure(arms, found.asked, head | {"as_of": _days(state, found.asked)}, options.seed),
            measure(arms, free, head | {"as_of": "not honoured: everything is known"}, options.seed),
        ],
        options.json,
    )


def _about(state: State, publications: int, real: int, found: Found, records: int) -> dict[str, str]:
    """Return what the header says of the forest that was made, and the published figures."""
    counts = state.catalog.counts()
    told = ", ".join(f"{name} {value:.3f}" for name, value in PUBLISHED.items())
    return {
        "left out": f"{records - len(found.asked)} of {records} questions, which have no evidence",
        "publications asked for": f"{publications}: {real} in full, {publications - real} made of their quotes",
        "hidden among": ", ".join(f"{count:,} {kind}" for kind, count in counts.items()),
        "evidence that stands in another document of its day too": f"{found.elsewhere}; it counts there as well",
        "evidence that no passage holds whole": str(found.split),
        NOT_COMPARABLE: told,
    }


def _days(state: State, asked: Sequence[Wanted]) -> str:
    """Tell how much is known on the questions' days: consolidated texts only from the day that they consolidate."""
    counts = Counter(q.as_of for q in asked if q.as_of is not None)
    size = state.index.size()
    told = (
        f"{day}: {n} questions, {state.index.size(day):,} of {size:,} passages" for day, n in sorted(counts.items())
    )
    return f"honoured, so that what was published or consolidated later is not there. {'; '.join(told)}"


if __name__ == "__main__":
    run_command(main)
