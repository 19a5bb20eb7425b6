"""The trail index: a function of the set of trails and of what was said of them, whatever came when."""

from __future__ import annotations

import math
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forest.errors import RevisionUnknown
from forest.history import Snapshot
from forest.trail import Trail, signature_of
from forest.trail_folding import TABLES
from forest.trail_index import INDEX_NAME
from forest.trail_store import TrailStore
from tests.forest.kept_trails import NOWHERE, TODAY, Kept, Told, older, walked

VACATIONS = "¿Cuántos días de vacaciones da la LFT?"
NOISE = "¿Qué norma sustituyó a la NOM-026-SPC-2019?"


def everything(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows by content: numbers of rows replaced by what they stand for, tips left out."""
    queries = {
        "nodes": "SELECT id, uses FROM nodes",
        "signatures": "SELECT stems, trails FROM signatures",
        "postings": "SELECT stem, stems FROM postings JOIN signatures ON number = signature",
        "trails": "SELECT id, question, stems, day, length FROM trails JOIN signatures AS s ON s.number = signature",
        "verdicts": "SELECT * FROM verdicts",
        "walked": "SELECT a.id, b.id, t.id, useful FROM walked JOIN nodes AS a ON a.number = source "
        "JOIN nodes AS b ON b.number = dst JOIN trails AS t ON t.number = trail",
        "counts": "SELECT a.id, stems, b.id, day, length, sign, count FROM counts JOIN nodes AS a ON a.number = source "
        "JOIN nodes AS b ON b.number = dst JOIN signatures AS s ON s.number = signature",
    }
    with closing(sqlite3.connect(folder / INDEX_NAME)) as tables:
        found = {name: sorted(tables.execute(query)) for name, query in queries.items()}
        for name, rows in found.items():  # nothing is lost by the joins
            every = tables.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608 - a name of ours
            assert len(rows) == every, name
        assert set(found) == set(TABLES) - {"meta"}
    return found


def caught_up(kept: Kept, folder: Path) -> dict[str, list[tuple[object, ...]]]:
    folder.mkdir(exist_ok=True)
    kept.index(folder).close()
    return everything(folder)


# --- folding ------------------------------------------------------------------------------------------------------

NODES = ("a", "b", "c")
QUESTIONS = (VACATIONS, NOISE, "¿Quién emitió la norma de ruido?", "")
pairs = st.tuples(st.sampled_from(("", *NODES)), st.sampled_from(NODES), st.booleans())
trails = st.builds(
    lambda text, doors, age, second: walked(text, *doors, day=TODAY - timedelta(days=age), second=second),
    st.sampled_from(QUESTIONS),
    st.lists(pairs, max_size=5, unique_by=lambda door: door[:2]),
    st.integers(-2, 3),
    st.integers(0, 3),
)
some_trails = st.lists(trails, min_size=1, max_size=8, unique_by=lambda trail: trail.id)
verdict = st.tuples(st.integers(0, 2), st.integers(0, 2))


@settings(max_examples=40)
@given(data=st.data(), kept_ones=some_trails)
def test_the_tables_are_the_same_whatever_came_when(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, kept_ones: list[Trail]
) -> None:
    folder = tmp_path_factory.mktemp("orden")
    kept, path = Kept(), folder / "poco a poco"
    steps = st.tuples(st.sampled_from(("keep", "forget", "judge", "look")), st.sampled_from(kept_ones), verdict)
    for what, trail, said in data.draw(st.lists(steps, max_size=12)):
        if what == "keep":
            kept.keep(trail)
        elif what == "forget":
            kept.forget(trail.id)
        elif what == "judge":
            kept.judge(trail.id, *said)
        else:
            caught_up(kept, path)
    in_the_end = data.draw(st.permutations(list(kept.trails.values())))
    at_once = Kept()
    at_once.verdicts = dict(data.draw(st.permutations(list(kept.verdicts.items()))))
    at_once.keep(*in_the_end)
    kept.keep()
    assert caught_up(kept, path) == caught_up(at_once, folder / "de una vez")


def test_what_is_forgotten_leaves_nothing(tmp_path: Path) -> None:
    kept = Kept()
    trail = walked(VACATIONS, ("", "lft"), ("lft", "lft/art-76"), ("lft", "lft/art-77", False))
    kept.keep(trail)
    kept.judge(trail.id, 1, 0)
    assert all(caught_up(kept, tmp_path).values())
    kept.judge(trail.id, 0, 0)
    kept.forget(trail.id)
    assert not any(caught_up(kept, tmp_path).values())


def test_a_trail_that_arrives_twice_counts_once(tmp_path: Path) -> None:
    class Twice(Kept):
        def changes_since(self, snapshot: Snapshot, tips: str) -> Told:
            told = super().changes_since(snapshot, tips)
            return replace(told, added=[*self.trails.items()] * 2)

    once, twice, trail = Kept(), Twice(), walked(VACATIONS, ("", "lft"), ("lft", "lft/art-76"))
    once.keep(trail)
    twice.keep(trail)
    assert caught_up(once, tmp_path / "una") == caught_up(twice, tmp_path / "dos")
    twice.keep(trail)
    assert caught_up(once, tmp_path / "una") == caught_up(twice, tmp_path / "dos")


@pytest.mark.parametrize(
    ("said", "useful", "other"), [((0, 0), 1, -1), ((1, 1), 1, -1), ((2, 1), 2, -1), ((0, 1), -1, 0), ((3, 4), -1, 0)]
)
def test_what_is_said_of_an_answer_changes_what_its_trail_counts(
    tmp_path: Path, said: tuple[int, int], useful: int, other: int
) -> None:
    kept, trail = Kept(), walked(VACATIONS, ("", "lft"), ("lft", "lft/art-77", False))
    kept.keep(trail)
    kept.judge(trail.id, *said)
    with kept.index(tmp_path) as index:
        found = {(row.source, row.to): row.sign * row.walks for row in index.counts(None)}
    assert found.get(("", "lft"), 0) == useful
    assert found.get(("lft", "lft/art-77"), 0) == other


def test_a_walk_without_a_useful_door_counts_nothing(tmp_path: Path) -> None:
    kept = Kept()
    kept.keep(walked(VACATIONS, ("", "lft", False), ("lft", "lft/art-77", False)))
    with kept.index(tmp_path) as index:
        assert index.counts(None) == []
        assert len(index.trails_of()) == 1


def test_a_trail_of_another_analyzer_gets_its_signature_anew(tmp_path: Path) -> None:
    kept = Kept()
    known = replace(walked(VACATIONS, ("", "lft")), analyzer="es-0", signature=("vacacion",))
    lost = replace(walked(NOISE, ("", "lft")), analyzer="es-0", signature=("ruid",))
    kept.texts[known.id] = VACATIONS
    kept.keep(known, lost)
    with kept.index(tmp_path) as index:
        assert {trail.id: trail.signature for trail in index.trails_of()} == {
            known.id: signature_of(VACATIONS),
            lost.id: ("ruid",),
        }


# --- questions asked of it ----------------------------------------------------------------------------------------

stems = st.sampled_from([f"s{number}" for number in range(12)])
signatures = st.frozensets(stems, max_size=7).map(lambda found: tuple(sorted(found)))


@settings(max_examples=60)
@given(
    known=st.lists(signatures, max_size=25, unique=True),
    asked=signatures,
    rarity=st.lists(st.floats(0.0, 9.0), min_size=12, max_size=12),
    tau=st.sampled_from((1e-6, 0.05, 0.3, 0.5, 0.9, 1.0)),
    most=st.sampled_from((1, 3, 256)),
)
def test_prefix_filtering_finds_what_comparing_with_everything_finds(
    tmp_path_factory: pytest.TempPathFactory,
    known: list[tuple[str, ...]],
    asked: tuple[str, ...],
    rarity: list[float],
    tau: float,
    most: int,
) -> None:
    kept = Kept()
    kept.keep(*(replace(walked("x", ("", "a")), signature=signature) for signature in known))

    def idf(stem: str) -> float:
        return rarity[int(stem[1:])]

    def cosine(one: tuple[str, ...], other: tuple[str, ...]) -> float:
        norms = math.fsum(idf(s) ** 2 for s in one) * math.fsum(idf(s) ** 2 for s in other)
        return min(math.fsum(idf(s) ** 2 for s in set(one) & set(other)) / math.sqrt(norms), 1.0) if norms else 0.0

    every = sorted(((cosine(asked, other), other) for other in known), key=lambda pair: (-pair[0], pair[1]))
    with kept.index(tmp_path_factory.mktemp("cerca")) as index:
        found = index.near(asked, idf, tau, most)
    assert [(k.hex(), s) for s, k in found] == [(k.hex(), s) for k, s in every if k >= tau][:most]


def test_a_question_is_as_similar_to_itself_as_can_be(tmp_path: Path) -> None:
    kept = Kept()
    kept.keep(walked(VACATIONS, ("", "lft")))
    with kept.index(tmp_path) as index:
        for weight in (0.1, 0.7, 3.3, 7.123456789):
            assert [kappa for _, kappa in index.near(signature_of(VACATIONS), lambda _, w=weight: w, 1.0)] == [1.0]


def test_ways_are_trails_whose_useful_doors_lead_there(tmp_path: Path) -> None:
    kept = Kept()
    there = walked(VACATIONS, ("", "a"), ("a", "b"), ("b", "c"))
    newer = walked(NOISE, ("", "a"), ("a", "c"), day=TODAY + timedelta(days=1))
    kept.keep(
        there,
        newer,
        walked("otro lado", ("", "a"), ("", "b"), ("b", "c")),  # to c, but not from a
        walked("sin provecho", ("", "a"), ("a", "b", False), ("b", "c")),
        walked("otra entrada", ("", "b"), ("b", "a"), ("a", "c")),
    )
    with kept.index(tmp_path) as index:
        assert [trail.id for trail in index.ways("a", "c")] == [newer.id, there.id]
        assert [trail.id for trail in index.ways("a", "c", most=1)] == [newer.id]
        assert index.ways("c", "a") == ()
        assert index.ways("nowhere", "c") == ()


def test_a_way_goes_on_from_the_version_that_a_door_to_a_work_led_to(tmp_path: Path) -> None:
    kept = Kept()
    through = walked(VACATIONS, ("", "a"), ("a", "lft/art-76"), ("lft/art-76@2022-12-27", "c"))
    pinned = walked(VACATIONS, ("", "a"), ("a", "lft/art-76@2012-11-30"), ("lft/art-76@2022-12-27", "c"))
    kept.keep(through, pinned)
    with kept.index(tmp_path) as index:
        assert [trail.id for trail in index.ways("a", "c")] == [through.id]


def test_trails_are_found_by_node_and_by_question(tmp_path: Path) -> None:
    kept = Kept()
    one, two = walked(VACATIONS, ("", "a"), ("a", "b")), older(walked(VACATIONS, ("", "c")), 3)
    kept.keep(one, two, walked(NOISE, ("", "a")))
    with kept.index(tmp_path) as index:
        assert len(index.trails_of()) == 3
        assert len(index.trails_of(most=2)) == 2
        assert [trail.id for trail in index.trails_of(node="b")] == [one.id]
        assert [trail.id for trail in index.trails_of(question=one.question)] == [one.id, two.id]
        assert [trail.id for trail in index.trails_of(node="c", question=one.question)] == [two.id]
        assert index.trails_of(node="nowhere") == ()


# --- the file -----------------------------------------------------------------------------------------------------


def many(count: int) -> Iterator[Trail]:
    for number in range(count):
        text = f"¿Qué dice la norma {number} de la materia {number % 7}?"
        yield walked(text, ("", f"n{number % 11}"), (f"n{number % 11}", f"n{number % 13}"), second=number)


@pytest.fixture
def kept() -> Kept:
    kept = Kept()
    kept.keep(*many(200))
    return kept


def test_long_folding_tells_how_far_it_is(tmp_path: Path) -> None:
    kept, told = Kept(), list[int]()
    kept.keep(*many(2500))
    TrailStore(NOWHERE, tmp_path / INDEX_NAME, kept, told.append).close()
    assert told == [1000, 2000]


def test_catching_up_asks_only_for_what_changed(tmp_path: Path, kept: Kept) -> None:
    kept.index(tmp_path).close()
    kept.index(tmp_path).close()
    kept.keep(walked(NOISE, ("", "a")))
    kept.index(tmp_path).close()
    assert kept.asked == ["", "1"]


def test_an_index_of_another_version_is_made_anew(tmp_path: Path, kept: Kept) -> None:
    good = caught_up(kept, tmp_path)
    with closing(sqlite3.connect(tmp_path / INDEX_NAME)) as tables, tables:
        tables.execute("UPDATE meta SET value = '0 es-0' WHERE key = 'version'")
        tables.execute("DROP TABLE postings")
        tables.execute("DELETE FROM counts")
    assert caught_up(kept, tmp_path) == good


@pytest.mark.parametrize("damage", ["gone", "empty", "text", "cut", "first page", "later pages"])
def test_a_damaged_index_is_made_anew(tmp_path: Path, kept: Kept, damage: str) -> None:
    with kept.index(tmp_path) as index:
        good = (everything(tmp_path), index.counts(None), index.trails_of())
    path = tmp_path / INDEX_NAME
    data = path.read_bytes()
    assert len(data) > 8 * 4096
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(
            {
                "empty": b"",
                "text": b"no es una base\n" * 99,
                "cut": data[: len(data) // 2],
                "first page": bytes(4096) + data[4096:],
                "later pages": data[:4096] + b"\x2a" * (len(data) - 4096),
            }[damage]
        )
    with kept.index(tmp_path) as index:
        rows = (index.counts(None), index.trails_of())
    assert (everything(tmp_path), sorted(rows[0]), rows[1]) == (good[0], sorted(good[1]), good[2])


def test_an_index_without_one_of_its_tables_is_made_anew(tmp_path: Path, kept: Kept) -> None:
    good = caught_up(kept, tmp_path)
    with closing(sqlite3.connect(tmp_path / INDEX_NAME)) as tables, tables:
        tables.execute("DROP TABLE counts")
    with kept.index(tmp_path) as index:
        assert len(index.counts(None)) == len(good["counts"])
    assert everything(tmp_path) == good


def test_nothing_of_a_forgotten_trail_stays_in_the_file(tmp_path: Path, kept: Kept) -> None:
    secret = walked("¿Qué dice Xochiquetzalli de la norma?", ("", "n1"))
    kept.keep(secret)
    kept.index(tmp_path).close()
    kept.forget(secret.id)
    kept.index(tmp_path).close()
    words = [stem.encode() for stem in secret.signature if stem.startswith("xochi")]
    assert words
    assert not any(word in path.read_bytes() for path in tmp_path.iterdir() for word in words)


def test_damage_that_shows_in_the_middle_of_a_walk_is_mended(tmp_path: Path, kept: Kept) -> None:
    with kept.index(tmp_path) as index:
        good = sorted(index.counts(None))
    path = tmp_path / INDEX_NAME
    with closing(sqlite3.connect(path)) as tables:
        page, size = tables.execute(
            "SELECT rootpage, page_size FROM sqlite_master, pragma_page_size WHERE name = 'counts'"
        ).fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(data)
    with kept.index(tmp_path) as index:
        assert sorted(index.counts(None)) == good


def test_tips_that_are_gone_make_it_anew(tmp_path: Path, kept: Kept) -> None:
    class Erased(Kept):
        def changes_since(self, snapshot: Snapshot, tips: str) -> Told:
            if tips == "1":
                raise RevisionUnknown("That commit is gone.")
            return super().changes_since(snapshot, tips)

    erased = Erased()
    erased.keep(*many(20))
    caught_up(erased, tmp_path)
    erased.forget(next(iter(erased.trails)))
    rest = Kept()
    rest.keep(*erased.trails.values())
    assert caught_up(erased, tmp_path) == caught_up(rest, tmp_path / "resto")


def test_what_cannot_be_written_is_answered_from_a_temporary_index(tmp_path: Path, kept: Kept) -> None:
    folder = tmp_path / "cerrada"
    with kept.index(tmp_path) as index:
        good = sorted(index.counts(None))
    (tmp_path / "cerrada").write_text("no es una carpeta")
    with kept.index(folder) as index:
        assert sorted(index.counts(None)) == good
    assert folder.read_text() == "no es una carpeta"


def test_an_open_index_reads_one_moment(tmp_path: Path, kept: Kept) -> None:
    with kept.index(tmp_path) as before:
        held = before.trails_of()
        kept.keep(walked(NOISE, ("", "a")))
        with kept.index(tmp_path) as after:
            assert len(after.trails_of()) == len(held) + 1
        assert before.trails_of() == held


def test_nobody_waits_for_long_for_another_process(tmp_path: Path, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forest.trail_store._BUSY_SECONDS", 0.1)
    kept.index(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / INDEX_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        kept.keep(walked(NOISE, ("", "a")))
        with kept.index(tmp_path) as index:
            assert len(index.trails_of()) == 200
    with kept.index(tmp_path) as index:
        assert len(index.trails_of()) == 201


def test_a_process_that_was_killed_while_folding_leaves_what_was_there(tmp_path: Path, kept: Kept) -> None:
    good = caught_up(kept, tmp_path)
    script = """
import os, signal, sys
from pathlib import Path
from tests.forest.kept_trails import Kept
from tests.forest.test_trail_index import many
from forest.trail_folding import Folding
kept = Kept()
kept.keep(*many(200))
kept.keep(*list(many(400))[200:])
Folding.finish = lambda self: os.kill(os.getpid(), signal.SIGKILL)
kept.index(Path(sys.argv[1]))
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script, tmp_path], cwd=root, check=False, env={**os.environ})
    assert done.returncode == -9
    assert everything(tmp_path) == good
    kept.keep(*list(many(400))[200:])
    fresh = Kept()
    fresh.keep(*many(400))
    assert caught_up(kept, tmp_path) == caught_up(fresh, tmp_path / "de nuevo")


def test_processes_that_open_it_at_once_see_the_same(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from tests.forest.kept_trails import Kept
from tests.forest.test_trail_index import many
kept = Kept()
kept.keep(*many(300))
with kept.index(Path(sys.argv[1])) as index:
    print(len(index.trails_of()), len(index.counts(None)))
"""
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", script, str(tmp_path)]
    started = [subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    said = {process.communicate()[0] for process in started}
    assert [process.returncode for process in started] == [0] * 4
    assert len(said) == 1
    assert said.pop().startswith("300 ")
    assert Kept().tips_of(NOWHERE) == ""
