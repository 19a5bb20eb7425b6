"""Which doors of a walk were useful, and the trail that is made of it."""

from hypothesis import given
from hypothesis import strategies as st

from forest.trail import ENTRY, MAX_DOORS, MOST_USEFUL, WalkedDoor
from navigator.trailing import Gone, walked_doors


def _entry(node: str) -> Gone:
    return Gone("", ENTRY, node, node)


def _hop(source: str, to: str, kind: str = "cites", landed: str = "") -> Gone:
    return Gone(source, kind, to, landed or to)


def _useful(doors: tuple[WalkedDoor, ...]) -> list[tuple[str, str]]:
    return [(door.source, door.to) for door in doors if door.useful]


def test_the_doors_to_what_is_cited_are_useful_and_the_others_are_not() -> None:
    gone = [_entry("x"), _hop("x", "dead"), _entry("a"), _hop("a", "b"), _hop("b", "c"), _hop("b", "other")]
    doors = walked_doors(gone, {"c"})
    assert _useful(doors) == [("", "a"), ("a", "b"), ("b", "c")]
    assert [(door.source, door.to) for door in doors] == [(one.source, one.to) for one in gone]


def test_of_two_ways_the_shorter_is_useful() -> None:
    gone = [_entry("a"), _hop("a", "b"), _hop("b", "c"), _hop("c", "d"), _entry("e"), _hop("e", "d")]
    assert _useful(walked_doors(gone, {"d"})) == [("", "e"), ("e", "d")]


def test_a_search_is_as_far_as_a_few_doors_and_a_name_is_near() -> None:
    chain, far = [_hop("a", "b"), _hop("b", "c")], [_hop("c", "d"), _hop("d", "e"), _hop("e", "f")]
    named = walked_doors([_entry("c"), _entry("a"), *chain], {"c"}, named={"a"})
    assert _useful(named) == [("", "a"), ("a", "b"), ("b", "c")]
    assert _useful(walked_doors([_entry("c"), _entry("a"), *chain], {"c"})) == [("", "c")]
    assert _useful(walked_doors([_entry("f"), _entry("a"), *chain, *far], {"f"}, named={"a"})) == [("", "f")]


def test_a_door_back_between_two_cited_nodes_is_not_useful() -> None:
    gone = [_entry("a"), _hop("a", "b"), _hop("b", "c"), _hop("c", "b", "cited_by")]
    assert _useful(walked_doors(gone, {"b", "c"}, {("a", "b"), ("b", "c")})) == [("", "a"), ("a", "b"), ("b", "c")]


def test_a_door_whose_words_were_read_is_useful_and_so_is_the_way_to_it() -> None:
    gone = [_entry("d"), _entry("a"), _hop("a", "b"), _hop("b", "c"), _hop("c", "d"), _hop("c", "e")]
    useful = [("", "d"), ("", "a"), ("a", "b"), ("b", "c"), ("c", "d")]
    assert _useful(walked_doors(gone, {"d"}, {("c", "d"), ("c", "other")})) == useful
    assert _useful(walked_doors(gone, {"d"})) == [("", "d")]


def test_a_door_is_told_once_however_often_it_was_gone_through() -> None:
    gone = [_entry("a"), _hop("a", "b"), _hop("a", "b"), _entry("a")]
    doors = walked_doors(gone, {"b"})
    assert len(doors) == 2
    assert all(door.useful for door in doors)


def test_a_rule_is_walked_through_the_version_that_was_in_force() -> None:
    gone = [_entry("a"), _hop("a", "lft/art-1", landed="lft/art-1@2022-12-27"), _hop("lft/art-1@2022-12-27", "b")]
    doors = walked_doors(gone, {"b"})
    assert _useful(doors) == [("", "a"), ("a", "lft/art-1"), ("lft/art-1@2022-12-27", "b")]


def test_what_was_cited_without_standing_there_makes_no_door_useful() -> None:
    assert _useful(walked_doors([_entry("a"), _hop("a", "b")], {"elsewhere"})) == []


def test_a_very_long_walk_keeps_its_useful_doors() -> None:
    waste = [_hop("a", f"w{n}") for n in range(2 * MAX_DOORS)]
    gone = [_entry("a"), *waste, *(_hop(f"c{n - 1}" if n else "a", f"c{n}") for n in range(MOST_USEFUL))]
    doors = walked_doors(gone, {f"c{MOST_USEFUL - 1}"})
    assert len(doors) == MAX_DOORS
    assert sum(door.useful for door in doors) == MOST_USEFUL + 1


_NODES = st.sampled_from("abcdefg")
_GONE = st.lists(st.one_of(st.builds(_entry, _NODES), st.builds(_hop, _NODES, _NODES)), max_size=20)


@given(_GONE, st.sets(_NODES), st.sets(_NODES))
def test_every_useful_door_leads_on_to_something_cited(gone: list[Gone], cited: set[str], named: set[str]) -> None:
    doors = walked_doors(gone, cited, named=named)
    assert len({(door.source, door.to) for door in doors}) == len(doors)
    ahead = {node: {node} for node in "abcdefg"}
    useful = [(door.source, door.to) for door in doors if door.useful and door.source]
    for _ in range(len(ahead)):
        for source, to in useful:
            ahead[source] |= ahead[to]
    for door in doors:
        if door.useful:
            assert ahead[door.to] & cited
    reached = {one.landed for one in gone if not one.source}
    for _ in range(len(ahead)):
        reached |= {one.landed for one in gone if one.source in reached}
    for node in cited & reached:
        assert any(door.to == node for door in doors if door.useful)
