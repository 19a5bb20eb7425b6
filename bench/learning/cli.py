"""The command `forest learn`. Owns arguments; the work is `bench.learning.launching`."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import click

from forest.commands import HELP, find_folder, forest_option
from forest.errors import WrongUsage

_PATH = click.Path(path_type=Path)


@click.command(context_settings=HELP)
@click.argument("given", metavar="[FOREST]", required=False, type=_PATH)
@forest_option
@click.option(
    "--questions",
    multiple=True,
    required=True,
    type=_PATH,
    help="A file of questions, or a folder of *.jsonl, of which those of so many --hops are walked. May be repeated.",
)
@click.option(
    "--paraphrases",
    multiple=True,
    type=_PATH,
    help="A file of paraphrases of walked questions, or a folder. May be repeated.",
)
@click.option(
    "--sisters",
    multiple=True,
    type=_PATH,
    help="A file of questions to which no harm must be done, or a folder. May be repeated.",
)
@click.option(
    "--hold-out",
    default=0,
    type=click.IntRange(0, 100),
    help="So many strict questions of each chain are sisters instead of being walked.",
)
@click.option("--passes", default=5, show_default=True, type=click.IntRange(0, 100), help="After the cold one.")
@click.option(
    "--heat",
    "heats",
    multiple=True,
    type=click.Choice(["on", "off", "unconditioned"]),
    help="What of the heat is felt. May be repeated: each is learnt apart. [default: on]",
)
@click.option("--no-shortcuts", is_flag=True, help="Shortcuts are neither minted nor doors.")
@click.option("--cases", is_flag=True, help="Past hunts on similar questions are offered as places.")
@click.option("--shuffled", is_flag=True, help="Then the control: each trail has the question of another one.")
@click.option("--at-root", is_flag=True, help="Walks begin at the root instead of by a search and by names.")
@click.option("--blank-scents", is_flag=True, help="Learn in a forest in which every scent is blank.")
@click.option(
    "--hops", default=3, show_default=True, type=click.IntRange(1, 100), help="The least of a walked question."
)
@click.option("--limit", default=0, type=click.IntRange(min=0), help="So many walked questions and sisters at most.")
@click.option("--today", metavar="DAY", help="The day of questions that have none. [default: today]")
@click.option("--seed", default=1, show_default=True, help="Of what is shuffled, and of the bootstrap.")
@click.option(
    "--out",
    default=Path("learning"),
    show_default=True,
    type=_PATH,
    help="The folder for trials and for the copies of the forest.",
)
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 64), help="How many processes ask.")
@click.option("--chart", type=_PATH, metavar="FILE.svg", help="Draw the steps to the last gold passage, pass by pass.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of Markdown.")
def learn(
    given: Path | None,
    folder: Path | None,
    questions: tuple[Path, ...],
    paraphrases: tuple[Path, ...],
    sisters: tuple[Path, ...],
    hold_out: int,
    passes: int,
    heats: tuple[str, ...],
    no_shortcuts: bool,
    cases: bool,
    shuffled: bool,
    at_root: bool,
    blank_scents: bool,
    hops: int,
    limit: int,
    today: str | None,
    seed: int,
    out: Path,
    jobs: int,
    chart: Path | None,
    as_json: bool,
) -> None:
    """Measure whether walks get shorter by what earlier ones left.

    Questions are walked pass after pass in a copy of FOREST, leaving trails; paraphrases and sisters, which leave none,
    tell what was learnt. Nothing is left in FOREST itself, which is found as by other commands when it is not named.
    Every trial is kept in OUT as soon as it is made, and an experiment that was stopped goes on when the same command
    is given again.

    \b
    Example:
      forest learn my-forest --questions fixtures/questions --hold-out 1 --passes 5
      forest learn my-forest --questions q.jsonl --paraphrases p.jsonl --heat on --shuffled --chart steps.svg
    """  # noqa: D301 - \b tells click to keep the lines
    from bench.launching import question_files
    from bench.learning import chart as charts
    from bench.learning.choosing import choose_questions
    from bench.learning.figures import tell
    from bench.learning.launching import Experiment, conditions_of, launch
    from bench.learning.tables import markdown, plain
    from forest.history import open_snapshot
    from forest.text import escaped
    from forest.validity import read_day

    if chart is not None and chart.suffix != ".svg":
        raise WrongUsage(f"A chart is SVG, and {chart} does not end in .svg.", "Name it FILE.svg.")
    asking = choose_questions(
        question_files(questions),
        question_files(paraphrases) if paraphrases else (),
        question_files(sisters) if sisters else (),
        hops=hops,
        hold_out=hold_out,
        limit=limit,
    )
    experiment = Experiment(
        snapshot=open_snapshot(given or find_folder(folder)),
        asking=asking,
        conditions=conditions_of(heats or ("on",), shortcuts=not no_shortcuts, cases=cases, shuffled=shuffled),
        passes=passes,
        blanked=blank_scents,
        at_root=at_root,
        today=read_day(today, "--today") if today else date.today(),  # noqa: DTZ011 - the user's own day is meant
        seed=seed,
        out=out,
        jobs=jobs,
    )
    told = [tell(course, seed=seed) for course in launch(experiment)]
    report = markdown(told)
    (out / "report.md").write_text(report, encoding="utf-8")
    if chart is not None:
        title = "Steps until the last gold passage is read"
        chart.write_text(charts.draw(told, "steps_to_gold", title), encoding="utf-8")
    click.echo(escaped(json.dumps(plain(told), ensure_ascii=False, indent=1)) if as_json else report, nl=as_json)
