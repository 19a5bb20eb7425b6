"""Citations: whatever happens to the forest afterwards, what was quoted is proven or refused, and it is said which."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from forest.citation import Citation, citation_from
from forest.errors import CitationRefused, WrongUsage
from forest.history import open_snapshot
from forest.oneshot import hunt
from forest.proof import verify
from forest.state import open_state
from tests.conftest import SALARIOS, SMALL, Forest, commit, git, node, plant

QUESTION = "¿De cuánto es el salario mínimo general?"
PLACE = "trabajo/salarios.md"


def cited(folder: Path, question: str = QUESTION) -> Citation:
    with open_state(open_snapshot(folder)) as state:
        return hunt(state, question, today=date(2026, 3, 1)).claims[0].citations[0]


def proof(folder: Path, citation: Citation) -> tuple[str, str]:
    found = verify(citation, open_snapshot(folder))
    return found.origin, found.at_head


def purge(folder: Path) -> None:
    """Let git forget what no branch has, as after a rewrite of the history."""
    shutil.rmtree(folder / ".git/logs", ignore_errors=True)
    for name in ("ORIG_HEAD", "FETCH_HEAD"):
        (folder / ".git" / name).unlink(missing_ok=True)
    git(folder, "-c", "gc.pruneExpire=now", "gc", "-q", "--prune=now")


def rewrite(folder: Path) -> None:
    """Replace the history by one new commit of the same files."""
    git(folder, "checkout", "-q", "--orphan", "nueva")
    git(folder, "commit", "-q", "-m", "de nuevo")
    git(folder, "branch", "-q", "-D", "main")


def test_what_was_cited_is_proven_by_its_commit(small: Path) -> None:
    assert proof(small, cited(small)) == ("commit", "unchanged")


def test_after_an_edit_elsewhere_in_the_node_it_stands_and_the_change_is_told(small: Path) -> None:
    citation = cited(small)
    commit(small, {PLACE: SALARIOS + "\nUn párrafo más.\n"})
    assert proof(small, citation) == ("commit", "node changed, passage stands")


def test_after_an_edit_of_the_words_themselves_it_is_still_proven_and_the_change_is_told(small: Path) -> None:
    citation = cited(small)
    commit(small, {PLACE: SALARIOS.replace("315.04", "999.99")})
    assert proof(small, citation) == ("commit", "passage changed")


def test_a_moved_node_is_found_where_it_is(small: Path) -> None:
    citation = cited(small)
    (small / "archivo").mkdir()
    git(small, "mv", PLACE, "archivo/otro.md")
    commit(small)
    assert proof(small, citation) == ("commit", "unchanged")


def test_a_deleted_node_is_told_to_be_gone(small: Path) -> None:
    citation = cited(small)
    (small / PLACE).unlink()
    commit(small)
    assert proof(small, citation) == ("commit", "node gone")


def test_another_node_in_its_file_is_not_taken_for_it(small: Path) -> None:
    citation = cited(small)
    commit(small, {PLACE: SALARIOS.replace("id: dof-salarios", "id: otro")})
    assert proof(small, citation) == ("commit", "node gone")


def test_when_the_history_was_rewritten_the_blob_proves_it(small: Path) -> None:
    citation = cited(small)
    rewrite(small)
    purge(small)
    assert proof(small, citation) == ("blob", "unchanged")


def test_when_the_blob_is_gone_too_the_same_words_at_head_prove_it(small: Path) -> None:
    citation = cited(small)
    commit(small, {PLACE: SALARIOS + "\nUn párrafo más.\n"})
    rewrite(small)
    purge(small)
    assert proof(small, citation) == ("head", "the words stand, their passage cannot be compared")
    with pytest.raises(CitationRefused, match="HEAD does not have these words"):
        verify(replace(citation, quote=citation.quote.replace("315.04", "315.05")), open_snapshot(small))


def test_a_forest_that_moved_into_a_folder_keeps_its_proofs(small: Path) -> None:
    citation = cited(small)
    (small / "bosque").mkdir()
    git(small, "mv", "trabajo", "index.md", "forest.yaml", "bosque/")
    commit(small)
    assert proof(small / "bosque", citation) == ("commit", "unchanged")


def test_a_forest_in_a_folder_finds_its_moved_nodes(tmp_path: Path) -> None:
    top = plant(tmp_path / "repositorio", {f"leyes/{path}": text for path, text in SMALL.items()})
    commit(top, {"leyes/forest.yaml": "name: leyes\n"})
    citation = cited(top / "leyes")
    git(top, "mv", "leyes/trabajo/salarios.md", "leyes/otro.md")
    commit(top)
    assert proof(top / "leyes", citation) == ("commit", "unchanged")


def test_a_bare_clone_is_enough(small: Path, tmp_path: Path) -> None:
    citation = cited(small)
    git(small, "clone", "-q", "--bare", str(small), str(tmp_path / "desnudo.git"))
    assert proof(tmp_path / "desnudo.git", citation) == ("commit", "unchanged")


ALTERATIONS: dict[str, Callable[[Citation], Citation]] = {
    "a word": lambda c: replace(c, quote=c.quote.replace("salario", "sueldo", 1)),
    "a figure": lambda c: replace(c, quote=c.quote.replace("315.04", "315.05")),
    "an accent": lambda c: replace(c, quote=c.quote.replace("í", "i", 1)),
    "a capital": lambda c: replace(c, quote=c.quote.swapcase()),
    "a word more": lambda c: replace(c, quote=c.quote + " siempre"),
    "hash": lambda c: replace(c, sha256="0" * 64),
    "start": lambda c: replace(c, start=c.start + 1),
    "end": lambda c: replace(c, end=c.end - 1),
    "offsets beyond the blob": lambda c: replace(c, start=10**9, end=10**9 + 1),
    "node": lambda c: replace(c, node="dof-vacaciones"),
    "blob, which is of no file here": lambda c: replace(c, blob="1" * 40, quote=c.quote + "!"),
}


@pytest.mark.parametrize("what", ALTERATIONS)
def test_an_altered_citation_is_refused(small: Path, what: str) -> None:
    citation = cited(small)
    altered = ALTERATIONS[what](citation)
    assert altered != citation
    with pytest.raises(CitationRefused):
        verify(altered, open_snapshot(small))


def test_the_blob_of_another_node_is_refused(small: Path) -> None:
    other = cited(small, "¿Cuántos días de vacaciones?")
    with pytest.raises(CitationRefused, match=r"not node 'dof-salarios'|do not have the hash"):
        verify(replace(other, node="dof-salarios"), open_snapshot(small))
    with pytest.raises(CitationRefused):
        verify(replace(cited(small), blob=other.blob), open_snapshot(small))


def test_words_of_a_passport_are_no_text_to_cite(small: Path) -> None:
    import hashlib

    citation = cited(small)
    data = (small / PLACE).read_bytes()
    words = "Montos del salario mínimo."
    start = data.index(words.encode())
    piece = data[start : start + len(words.encode())]
    forged = replace(
        citation, start=start, end=start + len(piece), sha256=hashlib.sha256(piece).hexdigest(), quote=words
    )
    with pytest.raises(CitationRefused):
        verify(forged, open_snapshot(small))


def test_a_commit_that_is_here_and_does_not_have_the_blob_is_refused(small: Path) -> None:
    citation = cited(small)
    commit(small, {PLACE: SALARIOS + "\nmás\n"})
    later = git(small, "rev-parse", "HEAD")
    for altered in (
        replace(citation, commit=later),
        replace(citation, path="x.md"),
        replace(citation, blob="0" * 40),
    ):
        with pytest.raises(CitationRefused, match="does not have blob"):
            proof(small, altered)


def test_a_commit_that_is_gone_leaves_the_blob_to_prove_it(small: Path) -> None:
    assert proof(small, replace(cited(small), commit="1" * 40))[0] == "blob"


def test_words_cut_in_the_middle_and_passages_under_another_number_are_refused(small: Path) -> None:
    citation = cited(small)
    for altered in (
        replace(citation, quote=citation.quote[1:]),
        replace(citation, quote=citation.quote[:-3]),
        replace(citation, passage=citation.passage + 8),
    ):
        with pytest.raises(CitationRefused):
            proof(small, altered)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_any_encoding_that_is_read_is_proven(tmp_path: Path, encoding: str, line_end: str) -> None:
    text = node("dof-1", "# Título\n\nLa cuota será de cien pesos, según el artículo 1 Ã³ 2.\n\nÚltimo párrafo.")
    folder = plant(tmp_path / "bosque", {"a.md": text.replace("\n", line_end).encode(encoding)})
    citation = cited(folder, "¿De cuánto es la cuota?")
    assert "artículo 1 Ã³ 2" in citation.quote
    assert proof(folder, citation) == ("commit", "unchanged")


def test_windows_1252_that_also_looks_like_utf8_is_read_as_what_the_node_is(tmp_path: Path) -> None:
    text = node("dof-1", "# Uno\n\nLa cuota es Ã³ptima.\n\n# Dos\n\nAquí otra cosa.")
    folder = plant(tmp_path / "bosque", {"a.md": text.encode("cp1252")})
    citation = cited(folder, "¿Qué dice dof-1 de la cuota?")
    assert citation.quote == "La cuota es Ã³ptima."
    assert proof(folder, citation) == ("commit", "unchanged")


QUESTIONS = (
    "¿Cuáles son los salarios mínimos de 2026?",
    "¿Qué dice el artículo 76 de la LFT?",
    "¿Qué exige la NOM-035-STPS-2018?",
    "valor diario de la UMA",
    "artículos 76 y 78 de la LFT en 2022",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_citation_of_a_hunt_is_proven(sample: Path, forest: Forest, tmp_path: Path, question: str) -> None:
    answer = forest("hunt", question, "--json", "--forest", sample)
    (tmp_path / "respuesta.json").write_text(answer.out)
    count = sum(len(claim["citations"]) for claim in answer.json["claims"])
    assert count
    ran = forest("verify", tmp_path / "respuesta.json", "--forest", sample)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, f"{count} proven, 0 refused.")
    assert forest("verify", "-", "--forest", sample, stdin=answer.out).code == 0
    proofs = forest("verify", "-", "--json", "--forest", sample, stdin=answer.out).json
    assert [(p["proven"], p["origin"]) for p in proofs] == [(True, "commit")] * count


def test_one_refused_among_many_is_named_and_ends_with_1(small: Path, forest: Forest) -> None:
    good = cited(small)
    bad = replace(good, quote=good.quote.replace("315.04", "400.00"))
    both = json.dumps([good.as_dict(), bad.as_dict()])
    ran = forest("verify", both, "--forest", small)
    assert ran.code == 1
    assert ran.out.splitlines()[0].startswith("proven  dof-salarios#1")
    assert ran.out.splitlines()[1].startswith("refused dof-salarios#1: The quoted words do not stand")
    assert ran.out.splitlines()[-1] == "1 proven, 1 refused."
    assert [p["proven"] for p in forest("verify", both, "--json", "--forest", small).json] == [True, False]


GOOD = {
    "node": "a", "passage": 1, "path": "a.md", "commit": "1" * 40, "blob": "2" * 40, "start": 1, "end": 9,
    "sha256": "3" * 64, "quote": "palabras",
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("node", "../../x"),
        ("node", 7),
        ("passage", "1"),
        ("passage", True),
        ("path", ""),
        ("path", "a\0b"),
        ("path", "x" * 5000),
        ("path", "\ud800"),
        ("commit", "HEAD"),
        ("commit", "--output=x"),
        ("commit", "1" * 39),
        ("blob", "g" * 40),
        ("sha256", "é" * 64),
        ("start", -1),
        ("end", 1),
        ("quote", "  \n"),
        ("quote", None),
    ],
)
def test_a_field_that_cannot_be_is_wrong_usage(field: str, value: object) -> None:
    assert citation_from(GOOD).as_dict() == GOOD
    with pytest.raises(WrongUsage):
        citation_from({**GOOD, field: value})
    with pytest.raises(WrongUsage, match=field):
        citation_from({name: value for name, value in GOOD.items() if name != field})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not JSON"),
        ('{"sha256": "x", "quote": "y"', "not JSON"),
        ("[" * 50_000, "not JSON"),
        ('{"a": ' * 50_000, "not JSON"),
        ("{}", "no citation in it"),
        ("[1, null, true, {}]", "no citation in it"),
        ('{"sha256": 1, "quote": 2}', "no usable 'node'"),
        ('{"start": ' + "9" * 5000 + "}", "not JSON"),
        (json.dumps({**GOOD, "path": "x\0y"}), "path cannot be one"),
        ("no-es-archivo.json", "neither JSON nor a file"),
        ("a" * 3000, "neither JSON nor a file"),
        ("", "neither JSON nor a file"),
    ],
)
def test_what_is_no_citation_is_wrong_usage_in_one_sentence(small: Path, forest: Forest, text: str, says: str) -> None:
    ran = forest("verify", text, "--forest", small)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert len(ran.err) < 400


def test_binary_input_is_wrong_usage(small: Path, forest: Forest) -> None:
    ran = forest("verify", "-", "--forest", small, stdin=b"\xff\xfe\x00{")
    assert (ran.code, ran.out) == (2, "")
    assert "not JSON" in ran.err


def test_hostile_fields_reach_neither_git_nor_the_terminal(small: Path, forest: Forest) -> None:
    citation = cited(small)
    for path in ("--output=x", ":(glob)**", "../../etc/passwd", "\x1b[31mrojo\u202e.md", "trabajo/"):
        ran = forest("verify", json.dumps(replace(citation, path=path).as_dict()), "--forest", small)
        assert ran.code == 1, path
        assert not {"\x1b", "\u202e"} & set(ran.said)
    assert git(small, "status", "--porcelain") == ""
