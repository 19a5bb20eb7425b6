"""The commands of the `forest` package. Each opens what it needs, calls one function, and prints its value."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from forest.errors import CitationRefused, ForestError, NodeNotFound, NotAForest, WrongUsage
from forest.ids import problem_of_id
from forest.limits import MAX_CITATIONS_BYTES, MAX_QUESTION_CHARACTERS

if TYPE_CHECKING:
    from forest.build import Progress
    from forest.citation import Citation
    from forest.observation import Observation
    from forest.routes import HeatFelt
    from forest.state import State

_F = TypeVar("_F", bound=Callable[..., object])

# Not only on the group: a command must show the same help however it is called.
HELP = {"help_option_names": ["-h", "--help"]}

forest_option = click.option(
    "--forest",
    "folder",
    type=click.Path(path_type=Path),
    envvar="FOREST_DIR",
    help="The forest's folder, or a bare repository. [default: here, or the nearest folder above with forest.yaml]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
as_of_option = click.option("--as-of", metavar="DAY", help="As if nothing published after DAY existed.")
in_force_option = click.option(
    "--in-force-on", metavar="DAY", help="Texts in force on DAY. [default: a date in the question, else today]"
)
from_option = click.option(
    "--from", "start", default=1, metavar="N", type=click.IntRange(1), help="Begin at place N of what there is to show."
)
today_option = click.option("--today", metavar="DAY", hidden=True, help="Take DAY for today.")


def clock_options(command: _F) -> _F:
    """Add the options by which a command is told its days."""
    for option in (today_option, in_force_option, as_of_option):
        command = option(command)
    return command


def memory_options(command: _F) -> _F:
    """Add the options that say what a walk takes from earlier walks and leaves to later ones."""
    for name, told in (
        ("--case-memory", "Visit what verified answers to similar questions cite; off unless given."),
        ("--no-shortcuts", "Neither take nor earn doors that trails earned."),
        ("--unconditioned-heat", "Feel what all walks left on doors, whatever they asked: for comparison."),
        ("--no-heat", "Do not feel what walks of similar questions left on doors."),
        ("--no-deposit", "Leave no trail of this walk; FOREST_NO_DEPOSIT=1 leaves none of any."),
        ("--private", "Keep the trail of this walk in this repository, out of every sync."),
    ):
        variable = "FOREST_NO_DEPOSIT" if name == "--no-deposit" else None
        command = click.option(name, is_flag=True, envvar=variable, help=told)(command)
    return command


@click.command(context_settings=HELP)
@click.argument("question", nargs=-1, required=True)
@forest_option
@click.option(
    "--route",
    help="How: oneshot (one search), walk (hop by hop), or auto (one search, a walk where that is not enough). "
    "[default: oneshot, or walk if a navigator is named]",
)
@click.option(
    "--navigator",
    help="Who decides the steps of a walk: scout (no model), llm (a model), mixed (the scout, and a model where its "
    "ranking is not clear), tools (a model that calls tools). [default: scout]",
)
@click.option(
    "--endpoint",
    default="",
    metavar="URL",
    help="Where a model is asked: an OpenAI-compatible API. [default: FOREST_ENDPOINT, OPENAI_BASE_URL, configuration]",
)
@click.option("--model", default="", metavar="NAME", help="Which of its models. [default: the first that it names]")
@click.option(
    "--api-key",
    default="",
    metavar="KEY",
    help="Key for the endpoint; others on this machine may see it in the list of processes. "
    "[default: FOREST_API_KEY, OPENAI_API_KEY, configuration]",
)
@click.option("--stream", is_flag=True, help="Print each step of a walk as it happens; with --json on standard error.")
@memory_options
@click.option("--explain", is_flag=True, help="Show every step of a walk: what it saw, what it chose, and why.")
@clock_options
@json_option
def hunt(
    question: tuple[str, ...],
    folder: Path | None,
    route: str | None,
    navigator: str | None,
    endpoint: str,
    model: str,
    api_key: str,
    stream: bool,
    private: bool,
    no_deposit: bool,
    no_heat: bool,
    unconditioned_heat: bool,
    no_shortcuts: bool,
    case_memory: bool,
    explain: bool,
    as_of: str | None,
    in_force_on: str | None,
    today: str | None,
    as_json: bool,
) -> None:
    """Answer a question from the forest, with citations.

    The answer is made only of words that were read, each with the proof of where they stand. What the forest does not
    hold is said to be so, and the exit status is then 1.

    \b
    Example:
      forest hunt "¿Qué dice el artículo 76 de la LFT?" --in-force-on 2022-06-01
      forest hunt "¿Quién emitió la norma que sustituyó a la NOM-001-SEMARNAT-1996?" --route walk --explain
      forest hunt "¿Quién emitió …?" --navigator llm --endpoint http://127.0.0.1:8080/v1 --stream
    """  # noqa: D301
    from forest.render import answer_text, to_json
    from forest.routes import DEFAULT_NAVIGATOR, ONESHOT, WALK, Memory, Walking, load_route

    text = read_words(question)
    if no_heat and unconditioned_heat:
        raise WrongUsage("Heat is felt unconditioned or not at all.", "Leave out --no-heat or --unconditioned-heat.")
    if private and no_deposit:
        raise WrongUsage("A trail that is not left cannot be private.", "Leave out --private or --no-deposit.")
    heat: HeatFelt = "off" if no_heat else "unconditioned" if unconditioned_heat else "on"
    memory = Memory(not no_deposit, private, heat, not no_shortcuts, case_memory)
    before, on, now = read_days(as_of, in_force_on, today)
    take = load_route(route or (WALK if navigator else ONESHOT))

    def tell(step: str) -> None:
        click.echo(step, err=as_json)

    walking = Walking(navigator or DEFAULT_NAVIGATOR, endpoint, model, api_key, tell if stream else None, memory)
    with open_forest(folder, before) as state:
        hunted = take(state, text, today=now, as_of=before, in_force_on=on, walking=walking)
    if as_json:
        click.echo(to_json(hunted.as_json(explain=explain)))
    else:
        click.echo(f"{hunted.told()}\n\n{answer_text(hunted.answer)}" if explain else answer_text(hunted.answer))
    if not hunted.answer.claims:
        sys.exit(1)


@click.command(context_settings=HELP)
@click.argument("words", nargs=-1, required=True)
@forest_option
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 50), help="How many passages.")
@click.option("--explain", is_flag=True, help="Show the parts of each score.")
@from_option
@clock_options
@json_option
def search(
    words: tuple[str, ...],
    folder: Path | None,
    limit: int,
    explain: bool,
    start: int,
    as_of: str | None,
    in_force_on: str | None,
    today: str | None,
    as_json: bool,
) -> None:
    """Find passages by words, names and identifiers.

    What the words name (an article of a law, a norm) comes first, then BM25. The exit status is 1 when nothing is
    found.

    \b
    Example:
      forest search vacaciones antigüedad --limit 5
    """  # noqa: D301
    from forest.legal import identifiers
    from forest.render import hits_json
    from forest.spelling import wording_of
    from forest.steps import search_step
    from forest.validity import clock_for

    text = read_words(words)
    before, on, now = read_days(as_of, in_force_on, today)
    with open_forest(folder, before) as state:
        searched = wording_of(state, text).text
        named = identifiers(searched, state.catalog)
        clock = clock_for(searched, as_of=before, in_force_on=on, today=now, named=named.spans)
        shown = search_step(state, text, clock, start, limit=limit, explain=explain)
    print_observation(shown, hits_json(shown.items), as_json=as_json)
    if not shown.total:
        sys.exit(1)


@click.command(context_settings=HELP)
@click.argument("node_id", metavar="NODE[#PASSAGE]")
@forest_option
@click.option("--at", "revision", metavar="REV", help="As committed in REV. [default: HEAD]")
@click.option("--passport", is_flag=True, help="Its passport and its doors, not its text.")
@json_option
def show(node_id: str, folder: Path | None, revision: str | None, passport: bool, as_json: bool) -> None:
    """Print a node, now or at a revision.

    \b
    Example:
      forest show lft/art-76 --passport
      forest show lft/art-76 --at HEAD~3
    """  # noqa: D301
    from forest.showing import passage_view, passport_view, text_view

    place = find_folder(folder)
    node_id, _, number = node_id.partition("#")
    if problem := problem_of_id(node_id):
        raise NodeNotFound(f"{node_id!r} cannot be a node's id: it {problem}.", "Find ids with `forest search WORDS`.")
    if number and (passport or revision is not None):
        raise WrongUsage("A passage is shown as it is now, without --at and --passport.", f"Try: forest show {node_id}")
    if passport and revision is None:
        with open_forest(place) as state:
            click.echo(passport_view(state, node_id, as_json=as_json))
        return
    if number:
        with open_forest(place) as state:
            click.echo(passage_view(state, node_id, number, as_json=as_json))
        return
    try:
        click.echo(text_view(place, node_id, revision or "HEAD", passport=passport, as_json=as_json))
    except NodeNotFound as error:
        near = _nearest(place, node_id) if revision is None else ""
        raise NodeNotFound(error.message, f"Did you mean {near}?" if near else error.hint) from None


def _nearest(place: Path, node_id: str) -> str:
    """Return the id most like one that is not there, "" when none is or the forest cannot tell."""
    if problem_of_id(node_id):
        return ""
    with suppress(ForestError), open_forest(place) as state:
        return next(iter(state.catalog.nearest(node_id)), "")
    return ""


@click.command(context_settings=HELP)
@click.argument("citation")
@forest_option
@json_option
def verify(citation: str, folder: Path | None, as_json: bool) -> None:
    """Prove citations from git alone.

    CITATION is a citation in JSON, a file that holds some (what `forest hunt --json` printed), or - for standard input.
    The exit status is 1 when any is refused.

    \b
    Example:
      forest hunt "¿Qué dice el artículo 76 de la LFT?" --json > answer.json; forest verify answer.json
    """  # noqa: D301
    from forest.history import open_snapshot
    from forest.proof import verify as prove
    from forest.render import proof_text, to_json
    from forest.text import printable

    head = open_snapshot(find_folder(folder))
    refused, results = 0, []
    for cited in _citations(citation):
        try:
            proof = prove(cited, head)
        except CitationRefused as error:
            refused += 1
            results.append({"citation": cited, "proven": False, "reason": str(error)})
            if not as_json:
                click.echo(printable(f"refused {cited.node}#{cited.passage}: {error}"))
            continue
        results.append({"citation": cited, "proven": True, "origin": proof.origin, "at_head": proof.at_head})
        if not as_json:
            click.echo(proof_text(proof))
    click.echo(to_json(results) if as_json else f"{len(results) - refused} proven, {refused} refused.")
    if refused:
        sys.exit(1)


@click.command(context_settings=HELP)
@click.argument("place", metavar="[FOLDER]", required=False, type=click.Path(path_type=Path))
@forest_option
@json_option
def lint(place: Path | None, folder: Path | None, as_json: bool) -> None:
    """List everything that is wrong with a forest, as its files are now.

    Every rule has a paragraph in docs/lint.md. The exit status is 1 when there are findings.

    \b
    Example:
      forest lint fixtures/forest
    """  # noqa: D301
    from forest.lint import lint as lint_nodes
    from forest.render import findings_text, to_json
    from forest.store import load_folder, read_folder_config

    root = find_folder(place or folder)
    findings = lint_nodes(load_folder(root), read_folder_config(root))
    click.echo(to_json(list(findings)) if as_json else findings_text(findings))
    if findings:
        sys.exit(1)


@click.command(context_settings=HELP)
@forest_option
@json_option
def status(folder: Path | None, as_json: bool) -> None:
    """Tell which forest this is, what is derived from it, and what hunts left in it.

    \b
    Example:
      forest status --forest my-forest
    """  # noqa: D301
    from forest.render import status_text, to_json
    from forest.trail_status import trail_status

    with open_forest(folder) as state:
        trails = trail_status(state.snapshot, state.folder.parent)
        facts = {
            "name": state.catalog.meta["name"],
            "commit": state.snapshot.commit,
            "tree": state.snapshot.tree,
            **state.catalog.counts(),
            "left_out": int(state.catalog.meta["left_out"]),
            "state": str(state.folder),
        }
    click.echo(to_json({**facts, "trails": trails}) if as_json else status_text(facts, trails))


def print_observation(shown: Observation[Any], items: object, *, as_json: bool) -> None:
    """Print an observation: its text, or what it says of itself and its items as programs read them."""
    from forest.render import to_json

    told = {name: getattr(shown, name) for name in ("shown", "total", "truncated", "next", "tokens", "text")}
    click.echo(to_json({**told, "items": items}) if as_json else shown.text)


def read_words(words: tuple[str, ...]) -> str:
    """Return the words of a question as one text.

    Raises:
        WrongUsage: there are none, or too many.
    """
    # Bytes of the command line that are not UTF-8 come as surrogates, which neither stemmer nor index takes.
    text = " ".join(words).encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
    if not text:
        raise WrongUsage("The question is empty.", 'Ask something: forest hunt "¿…?"')
    if len(text) > MAX_QUESTION_CHARACTERS:
        raise WrongUsage(f"The question has {len(text):,} characters, the limit is {MAX_QUESTION_CHARACTERS:,}.")
    return text


def read_days(as_of: str | None, in_force_on: str | None, today: str | None) -> tuple[date | None, date | None, date]:
    """Return the days that a person typed: as of, in force on, today.

    Raises:
        WrongUsage: one is no day of the calendar.
    """
    from forest.validity import read_day

    return (
        read_day(as_of, "--as-of") if as_of else None,
        read_day(in_force_on, "--in-force-on") if in_force_on else None,
        read_day(today, "--today") if today else date.today(),  # noqa: DTZ011 - the user's own day is meant
    )


def find_folder(given: Path | None) -> Path:
    """Return the forest's folder: as given, else the nearest one from here upwards with a forest.yaml."""
    if given is not None:
        return given
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "forest.yaml").is_file():
            return folder
    raise NotAForest(
        f"There is no forest.yaml in {here} or above it.", "Go to a forest, name one with --forest, or set FOREST_DIR."
    )


@contextmanager
def open_forest(folder: Path | None, as_of: date | None = None) -> Iterator[State]:
    """Open the state of a forest as of a day; the commands that steps show name the forest as it was named here."""
    from forest.history import open_snapshot
    from forest.state import open_state

    with _progress() as progress, open_state(open_snapshot(find_folder(folder)), progress, as_of) as state:
        state.place = str(folder) if folder is not None else ""
        yield state


@contextmanager
def _progress() -> Iterator[Progress]:
    """Show how far a build is, on standard error; nothing appears when there is nothing to build."""
    shown: list[int] = []

    def told(done: int, total: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"\rIndexing {done:,} of {total:,} nodes", nl=done == total, err=True)
        elif not shown:
            click.echo(f"Indexing {total:,} nodes (once for each committed state).", err=True)
        shown.append(done)

    yield told


def _citations(argument: str) -> list[Citation]:
    """Read the citations that an argument is or names."""
    import json

    from forest.citation import citation_from

    text = _text_of(argument)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise WrongUsage("The citation is not JSON.", "Take one from `forest hunt --json`, or name a file.") from None
    found = [citation_from(value) for value in _dicts(data) if "sha256" in value and "quote" in value]
    if not found:
        raise WrongUsage("There is no citation in it.", "A citation has node, blob, commit, sha256 and quote.")
    return found


def _text_of(argument: str) -> str:
    if argument.lstrip().startswith(("{", "[")):
        return argument
    if argument == "-":
        data: bytes = sys.stdin.buffer.read(MAX_CITATIONS_BYTES)
        return data.decode("utf-8", "replace")
    path = Path(argument)
    try:
        exists = path.is_file()
    except OSError:  # what is too long to be a name
        exists = False
    if not exists:
        raise WrongUsage(
            f"{argument[:80]!r} is neither JSON nor a file.", "Give a citation, a file, or - for standard input."
        )
    if path.stat().st_size > MAX_CITATIONS_BYTES:
        raise WrongUsage(f"{argument} is over {MAX_CITATIONS_BYTES:,} bytes.")
    return path.read_text(encoding="utf-8", errors="replace")


def _dicts(data: object) -> Iterator[dict[str, object]]:
    stack = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            yield value
            stack.extend(reversed(list(value.values())))
        elif isinstance(value, list):
            stack.extend(reversed(value))
