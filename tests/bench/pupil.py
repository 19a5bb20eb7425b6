"""A double of a walk that gets shorter by what was left: for tests of learning, on the forest of `wood`.

It reads the three nodes of Q-CUOTA's chain after a number of idle steps that falls with every trail that it feels, and
leaves a trail with the doors that it walked. What is felt are the trails of the same question, as far as the first
words of the question tell; the real heat is not asked.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from bench.attempt import Asked
from forest.answer import Answer, Claim
from forest.observation import Observation
from forest.reading import read_passage
from forest.routes import Memory
from forest.state import State
from forest.steps import step_clock
from forest.trail import ENTRY, CitedPassage, Trail, WalkedDoor, question_id, signature_of
from forest.trails import changes_since, deposit
from forest.versions import VERSIONS
from navigator.walk import Step, Walk

CHAIN = (("nom-901-1996", 2), ("nom-902-2021", 2), ("cenzontle", 1))
IDLE = 12
SAVED = 3
NOTHING: Observation[Any] = Observation("", 0, 0, 0, False, "", ())


def pupil(state: State, asked: Asked, memory: Memory | None) -> Walk:
    """Walk; a question that speaks of dragons raises."""
    if "dragones" in asked.text:
        raise ValueError("no such beast")
    trails = [trail for _, trail in changes_since(state.snapshot, "").added]
    felt = [trail for trail in trails if set(trail.signature) & set(signature_of(asked.text))]
    idle = max(0, IDLE - SAVED * len(felt)) if memory is not None and memory.heat != "off" else IDLE
    actions = [("", "search algo", ())] * idle + [("", f"enter {CHAIN[0][0]}", ())]
    for node, passage in CHAIN:
        actions += [(node, f"read {passage} 1", (f"{node}#{passage}",)), (node, "hop 2", ())]
    actions[-1] = (CHAIN[-1][0], "answer", ())
    steps = tuple(
        Step(number, at, action, "", NOTHING, 0, read=tuple(read))
        for number, (at, action, read) in enumerate(actions, start=1)
    )
    answer = _answer(state, asked.text)
    left = ""
    if memory is not None and memory.deposit:
        left = deposit(state.snapshot, trail_on(state, asked.text, answer, len(trails)), asked.text)
    read = tuple(f"{node}#{passage}" for node, passage in CHAIN)
    return Walk(answer, "answered", steps, len(CHAIN) - 1, 100 * len(steps), read, deposited=left)


def _answer(state: State, question: str) -> Answer:
    claims = []
    for node, passage in CHAIN:
        reading = read_passage(state, state.catalog.node(node), passage)
        quote = reading.text.strip().splitlines()[-1]
        value = "4,750 pesos" if node == "cenzontle" else ""
        claims.append(Claim(quote, node, (), (reading.cite(quote),), 0, value, leads=not value))
    clock = step_clock(today=date(2026, 11, 30))
    snapshot = state.snapshot
    return Answer(question, "answered", clock, tuple(claims), (), (), (), (), {}, snapshot.commit, snapshot.tree)


def trail_on(state: State, question: str, answer: Answer, number: int) -> Trail:
    """The trail of a walk along the chain, with one door that was of no use."""
    cited = tuple(
        CitedPassage(c.node, c.passage, c.path, c.blob, c.start, c.end, c.sha256)
        for claim in answer.claims
        for c in claim.citations
    )
    return Trail(
        question=question_id(question),
        signature=signature_of(question),
        analyzer=VERSIONS["analyzer"],
        doors=(
            WalkedDoor("", ENTRY, CHAIN[0][0], True),
            WalkedDoor(CHAIN[0][0], "parent", "normas", False),
            WalkedDoor(CHAIN[0][0], "cites", CHAIN[1][0], True),
            WalkedDoor(CHAIN[1][0], "concerns", CHAIN[2][0], True),
        ),
        cited=cited,
        ending="answered",
        navigator="scout",
        commit=state.snapshot.commit,
        tree=state.snapshot.tree,
        time=datetime(2026, 11, 30, 12, tzinfo=UTC) + timedelta(seconds=number),
    )
