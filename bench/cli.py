"""The commands `forest bench run`, `forest bench report` and `forest bench models`.

Owns arguments; the work is `bench.launching`, `bench.report` and `bench.models`.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import click

from forest.errors import WrongUsage

_HELP = {"help_option_names": ["-h", "--help"]}


@click.group(context_settings=_HELP)
def bench() -> None:
    """Measure ways of answering on questions with known answers.

    \b
    Example:
      forest bench run my-forest --questions fixtures/questions --out attempts.jsonl
      forest bench report attempts.jsonl
    """  # noqa: D301 - \b tells click to keep the lines


@bench.command(context_settings=_HELP)
@click.argument("folder", metavar="FOREST", type=click.Path(path_type=Path))
@click.argument("more", metavar="[QUESTIONS]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--questions",
    "questions",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file of questions, or a folder of *.jsonl. May be repeated.",
)
@click.option(
    "--arms",
    default="",
    metavar="NAMES",
    help="Names of arms, with commas. [default: all, without a model those without]",
)
@click.option(
    "--endpoint",
    "endpoints",
    multiple=True,
    metavar="[NAME=]URL",
    help="The model's OpenAI-compatible server; its key is FOREST_API_KEY. Several, each with its NAME, are asked in "
    "turn.",
)
@click.option("--model", default="", metavar="NAME", help="Which of its models. [default: the first that it names]")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="The file of attempts, or a folder in which each run has its own.",
)
@click.option("--report", "reports", is_flag=True, help="Then print the report, and write it beside the attempts.")
@click.option("--control", default="", metavar="NAME", help="Ask a copy of the forest from which NAME took something.")
@click.option(
    "--all-controls", is_flag=True, help="After the forest itself ask every control; each has its own file beside OUT."
)
@click.option("--split", type=click.Choice(["dev", "test"]), help="Only the questions of this split.")
@click.option("--category", "categories", multiple=True, metavar="NAME", help="Only this category. May be repeated.")
@click.option("--hops", multiple=True, type=click.IntRange(0, 100), help="Only with so many hops. May be repeated.")
@click.option("--strict", is_flag=True, help="Only the strictly multi-hop ones.")
@click.option(
    "--sample",
    default="",
    metavar="GROUP=N,...",
    help="Only so many of each group named, the same ones every time: strict, single, multi, unanswerable, premise.",
)
@click.option("--limit", default=0, type=click.IntRange(min=0), help="So many questions at most.")
@click.option("--today", metavar="DAY", help="The day of questions that have none. [default: today]")
@click.option("--seed", default=1, show_default=True, help="Of what controls and repetitions shuffle.")
@click.option("--repetitions", default=1, show_default=True, type=click.IntRange(1, 100), help="Of each attempt.")
@click.option(
    "--repeat-every",
    default=1,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="Repetitions after the first are of each so many-th question only.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 64), help="How many processes ask. [default: 2, or 1 when a model is asked]"
)
def run(
    folder: Path,
    more: tuple[Path, ...],
    questions: tuple[Path, ...],
    arms: str,
    endpoints: tuple[str, ...],
    model: str,
    out: Path,
    reports: bool,
    control: str,
    all_controls: bool,
    split: str | None,
    categories: tuple[str, ...],
    hops: tuple[int, ...],
    strict: bool,
    sample: str,
    limit: int,
    today: str | None,
    seed: int,
    repetitions: int,
    repeat_every: int,
    jobs: int | None,
) -> None:
    """Put questions to arms and keep every attempt.

    OUT gets a line for each attempt as soon as it is made. A run that was stopped goes on where it was when the same
    command is given again; a file that holds another run is refused. What is asked is what is committed in FOREST.
    With an endpoint all arms are asked, those that ask a model too.

    \b
    Example:
      forest bench run my-forest --questions fixtures/questions --arms bm25,oneshot --out attempts.jsonl
      forest bench run my-forest --questions fixtures/questions --all-controls --out attempts.jsonl
      forest bench run my-forest --questions fixtures/questions --endpoint http://127.0.0.1:8080/v1 \
        --sample strict=33,single=20 --repetitions 3 --repeat-every 3 --out attempts.jsonl --report
    """  # noqa: D301 - \b tells click to keep the lines
    from bench.choosing import Choice, read_sample
    from bench.controls import CONTROLS
    from bench.launching import arms_given, launch, needs_model, place_of, publish, question_files
    from bench.model import endpoints_named
    from bench.runner import plan_run
    from forest.validity import read_day

    if control and all_controls:
        raise WrongUsage("--control and --all-controls exclude each other.", "Give one of them.")
    names = arms_given(arms, with_model=bool(endpoints))
    asked = endpoints_named(endpoints, model) if needs_model(names) else {"": None}
    choice = Choice(split or "", categories, hops, strict, read_sample(sample), limit)
    controls = tuple(CONTROLS) if all_controls else (control,) if control else ()
    made = {}
    for called, endpoint in asked.items():
        plan = plan_run(
            folder,
            question_files((*questions, *more)),
            names,
            today=read_day(today, "--today") if today else date.today(),  # noqa: DTZ011 - the user's own day is meant
            choice=choice,
            seed=seed,
            repetitions=repetitions,
            repeat_every=repeat_every,
            endpoint=endpoint,
            called=called,
        )
        place = place_of(plan, out, called if len(asked) > 1 else "")
        made[place] = launch(plan, place, jobs or (1 if endpoint else 2), controls, alone=bool(control))
    if reports:
        from bench import models, tables
        from bench.report import report as report_of

        for place, runs in made.items():
            publish(tables.markdown(report_of(runs)), place.with_suffix(".md"))
        if len(made) > 1:
            beside = next(iter(made))
            publish(
                models.markdown(models.compare([runs[0] for runs in made.values()])),
                beside.with_name("models.md") if out.is_dir() else out.with_name(f"{out.stem}.models.md"),
            )


@bench.command(context_settings=_HELP)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(["category", "hops", "phrasing", "split"]),
    help="Break the figures down by this. May be repeated. [default: all]",
)
@click.option("--metric", "metrics", multiple=True, metavar="METRIC", help="Only this metric. May be repeated.")
@click.option("--seed", default=1, show_default=True, help="Of the bootstrap.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of Markdown.")
def report(files: tuple[Path, ...], by: tuple[str, ...], metrics: tuple[str, ...], seed: int, as_json: bool) -> None:
    """Tell what attempts are worth.

    FILEs are what `forest bench run` wrote: one run, and any controls of it. Single-hop and multi-hop questions are
    never averaged together.

    \b
    Example:
      forest bench report attempts.jsonl attempts.gold_removed.jsonl
      forest bench report attempts.jsonl --by hops --metric answer_correct
    """  # noqa: D301 - \b tells click to keep the lines
    from bench.attempt_file import read_run
    from bench.report import BY
    from bench.report import report as make
    from bench.tables import markdown, plain
    from forest.text import escaped

    made = make([read_run(path) for path in files], by=by or tuple(BY), metrics=metrics, seed=seed)
    click.echo(
        escaped(json.dumps(plain(made), ensure_ascii=False, indent=1)) if as_json else markdown(made), nl=as_json
    )


@bench.command(context_settings=_HELP)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--price",
    "prices",
    multiple=True,
    metavar="NAME=IN,OUT",
    help="What a million tokens of a model cost, sent and replied. May be repeated.",
)
@click.option("--seed", default=1, show_default=True, help="Of the bootstrap.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of Markdown.")
def models(files: tuple[Path, ...], prices: tuple[str, ...], seed: int, as_json: bool) -> None:
    """Compare models on the same questions: score, calls, tokens, seconds, cost, and which differences are ties.

    FILEs are what `forest bench run --endpoint` wrote, one for each model. A difference is a tie when its interval
    holds 0, or when it is within what repetitions with another order of options moved either score.

    \b
    Example:
      forest bench models small.jsonl large.jsonl --price large=0.30,0.60
    """  # noqa: D301 - \b tells click to keep the lines
    from bench.attempt_file import read_run
    from bench.models import compare, markdown, plain, read_price
    from forest.text import escaped

    told = compare([read_run(path) for path in files], dict(map(read_price, prices)), seed=seed)
    click.echo(
        escaped(json.dumps(plain(told), ensure_ascii=False, indent=1)) if as_json else markdown(told), nl=as_json
    )
