"""Runs with a model: named in the header without where and with which key, in an order that servers like, resumed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bench import desk, model, runner
from bench.attempt import AttemptsWrong
from bench.attempt_file import read_run
from bench.choosing import Choice
from bench.model import ModelGone, endpoints_named
from bench.runner import Plan, plan_run, run
from forest.errors import WrongUsage
from navigator.chat import Completion, Message, ModelFailed, Schema, Usage
from navigator.endpoint import Endpoint
from tests.bench.wood import QUESTIONS

TODAY = date(2026, 11, 30)
ENDPOINT = Endpoint("http://127.0.0.1:9/v1", "uno", "llave-secreta")
ABSTAINS = Completion('{"abstain": true, "answer": ""}', Usage(100, 5, 80))


class Voice:
    """A chat that answers by a function, and remembers what it was told."""

    window_tokens = 8_192
    model = "uno"

    def __init__(self, says: Callable[[int], Completion | Exception]) -> None:
        self.says, self.told = says, list[Sequence[Message]]()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None = None,  # noqa: ARG002 - the interface's
        tools: Sequence[Schema] = (),  # noqa: ARG002
        limit_tokens: int = 256,  # noqa: ARG002
    ) -> Completion:
        self.told.append(messages)
        said = self.says(len(self.told))
        if isinstance(said, Exception):
            raise said
        return said


@pytest.fixture
def voice(monkeypatch: pytest.MonkeyPatch) -> Iterator[Voice]:
    """The chat that every endpoint opens."""
    made = Voice(lambda _: ABSTAINS)
    for module in (desk, model):
        monkeypatch.setattr(module, "open_chat", lambda _: made)
    return made  # type: ignore[return-value]


def plan(wood: Path, asked: Path, *arms: str, **more: Any) -> Plan:
    more = {"endpoint": ENDPOINT, "today": TODAY, **more}
    return plan_run(wood, [asked], arms or ("grep", "rag", "closed-book"), **more)


def test_the_file_names_the_model_and_its_prompts_and_neither_place_nor_key(
    wood: Path, asked: Path, tmp_path: Path, voice: Voice
) -> None:
    out = tmp_path / "out.jsonl"
    made = run(plan(wood, asked), out, jobs=1)
    model = dict(made.header.model)
    assert len(str(model.pop("prompts"))) == 16
    assert model == {"name": "uno", "model": "uno", "window_tokens": 8_192, "kind": "Voice"}
    text = out.read_text(encoding="utf-8")
    assert "llave" not in text
    assert "127.0.0.1" not in text


def test_what_a_model_cost_is_kept_and_read_back(wood: Path, asked: Path, tmp_path: Path, voice: Voice) -> None:
    made = run(plan(wood, asked), tmp_path / "out.jsonl", jobs=1)
    uses = {a.arm: a.reply.use for a in made.attempts if a.question == "Q-SALARIO"}
    assert uses["grep"] is None
    for arm in ("rag", "closed-book"):
        use = uses[arm]
        assert use is not None
        assert (use.model, use.calls, use.usage, use.decided) == ("uno", 1, Usage(100, 5, 80), 1)


def test_all_of_an_arm_is_asked_before_the_next_and_all_of_a_repetition(
    wood: Path, asked: Path, tmp_path: Path, voice: Voice
) -> None:
    made = run(plan(wood, asked, "rag", "closed-book", repetitions=2, repeat_every=3), tmp_path / "o.jsonl", jobs=1)
    ids = [q["id"] for q in QUESTIONS]
    assert [a.key for a in made.attempts] == [
        *((q, arm, 1) for arm in ("rag", "closed-book") for q in ids),
        *((q, arm, 2) for arm in ("rag", "closed-book") for q in ids[::3]),
    ]


def test_only_repetitions_are_shuffled_each_in_its_own_way(wood: Path, asked: Path, voice: Voice) -> None:
    seeds = [task.asked.shuffle for task in runner._tasks(plan(wood, asked, "rag", repetitions=3))]
    assert seeds[:6] == [0] * 6
    assert len(set(seeds[6:])) == 12
    assert min(seeds[6:]) > 0
    again = [task.asked.shuffle for task in runner._tasks(plan(wood, asked, "rag", repetitions=3))]
    other = [task.asked.shuffle for task in runner._tasks(plan(wood, asked, "rag", repetitions=3, seed=2))]
    assert seeds == again
    assert not set(seeds[6:]) & set(other[6:])


def test_a_run_goes_on_with_the_same_model_and_prompts_only(
    wood: Path, asked: Path, tmp_path: Path, voice: Voice, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.jsonl"
    run(plan(wood, asked, "rag"), out, jobs=1)
    voice.model = "dos"
    with pytest.raises(AttemptsWrong, match="other model"):
        run(plan(wood, asked, "rag"), out, jobs=1)
    voice.model = "uno"
    monkeypatch.setattr("bench.model._prompts", lambda: "otra")
    with pytest.raises(AttemptsWrong, match="other model"):
        run(plan(wood, asked, "rag"), out, jobs=1)
    monkeypatch.undo()


def test_a_chosen_run_does_not_go_on_with_other_questions(
    wood: Path, asked: Path, tmp_path: Path, voice: Voice
) -> None:
    out = tmp_path / "out.jsonl"
    run(plan(wood, asked, "rag", choice=Choice(limit=2)), out, jobs=1)
    with pytest.raises(AttemptsWrong, match="other choice"):
        run(plan(wood, asked, "rag", choice=Choice(limit=3)), out, jobs=1)


def test_a_model_that_is_gone_stops_the_run_which_then_goes_on(
    wood: Path, asked: Path, tmp_path: Path, voice: Voice
) -> None:
    out = tmp_path / "out.jsonl"
    voice.says = lambda call: ModelFailed("Nobody answers.") if call > 4 else ABSTAINS
    with pytest.raises(ModelGone, match="Nobody answers"):
        run(plan(wood, asked, "closed-book"), out, jobs=1)
    assert len(read_run(out).attempts) == 3  # the first call looked whether there is a model
    voice.says = lambda _: ABSTAINS
    made = run(plan(wood, asked, "closed-book"), out, jobs=1)
    assert [a.reply.ending for a in made.attempts] == ["abstained"] * 6


def test_a_model_that_fails_once_costs_one_attempt(wood: Path, asked: Path, tmp_path: Path, voice: Voice) -> None:
    voice.says = lambda call: ModelFailed("No.") if call == 3 else ABSTAINS
    made = run(plan(wood, asked, "closed-book"), tmp_path / "out.jsonl", jobs=1)
    assert [a.reply.ending for a in made.attempts] == ["abstained", "model_error", *["abstained"] * 4]


def test_without_a_model_its_arms_are_refused(wood: Path, asked: Path) -> None:
    with pytest.raises(WrongUsage, match="Without a model rag, mixed cannot answer"):
        plan(wood, asked, "bm25", "rag", "mixed", endpoint=None)


def test_a_model_that_is_not_there_is_told_before_anything_is_written(wood: Path, asked: Path, voice: Voice) -> None:
    voice.says = lambda _: ModelFailed("Nobody answers.")
    with pytest.raises(ModelGone, match="does not answer: Nobody answers"):
        plan(wood, asked)


def test_processes_open_chats_of_their_own(wood: Path, asked: Path, tmp_path: Path) -> None:
    script = tmp_path / "dice.jsonl"
    script.write_text('{"abstain": true, "answer": ""}\n' * 20, encoding="utf-8")
    endpoint = Endpoint(f"script:{script}")
    one, two = (
        run(plan(wood, asked, "closed-book", "rag", endpoint=endpoint), tmp_path / f"{jobs}.jsonl", jobs=jobs)
        for jobs in (1, 2)
    )
    # How long a model was waited for differs.
    replies = [[replace(a.reply, use=None) for a in made.attempts] for made in (one, two)]
    assert replies[0] == replies[1]
    assert all(a.reply.use for a in two.attempts)
    assert json.loads(two.path.read_text(encoding="utf-8").splitlines()[0])["model"]["kind"] == "ScriptedChat"


def test_endpoints_are_named_when_there_are_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOREST_ENDPOINT", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    one, other = "http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1"
    assert [(name, e.url, e.model) for name, e in endpoints_named([one], "m").items()] == [("", one, "m")]
    several = endpoints_named([f"chico={one}", f"qwen2.5-1.5b={other}"])
    assert {name: e.url for name, e in several.items()} == {"chico": one, "qwen2.5-1.5b": other}
    for given in ([one, other], [f"a={one}", f"a={other}"], [f"a={one}", other]):
        with pytest.raises(WrongUsage, match="name of its own"):
            endpoints_named(given)
    with pytest.raises(WrongUsage, match="No model is named"):
        endpoints_named([])
