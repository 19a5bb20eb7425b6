"""The names of all rules of a forest, whoever finds them broken: the loader, `forest.lint_node` or `forest.lint`.

`docs/lint.md` has a heading for each, and the tests hold this table, the code and that page to each other.
"""

from __future__ import annotations

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "basis-not-in-body": "The words that establish an edge or a period stand in the node's own body.",
    "conflict-marker": "No file holds an unresolved merge conflict.",
    "cycle": "Edges of an acyclic kind never lead back to where they began.",
    "date-impossible": "Every date is a day of the calendar, written YYYY-MM-DD.",
    "date-missing": "A consolidated text says up to which day it holds reforms.",
    "dates-contradict": "The dates of a node, and of a text and the text it replaces, can all be true.",
    "edge-basis-missing": "Every edge quotes the words that establish it.",
    "edge-duplicate": "A node states each edge once.",
    "edge-incomplete": "Every edge has a kind and a target.",
    "edge-kind-forbidden": "An edge joins only the node kinds that its kind may join.",
    "edge-kind-unknown": "Every edge is of a kind in the table.",
    "edge-target-unknown": "Every edge leads to a node of this forest.",
    "edge-to-itself": "No edge leads to its own node.",
    "encoding": "Files are UTF-8 in NFC, without a byte order mark, with LF line ends.",
    "id-duplicate": "No two nodes have the same id.",
    "id-malformed": "Ids keep to the characters and form of ids.",
    "id-missing": "Every node has an id.",
    "in-force-basis": "A period in force quotes the words that say so.",
    "index-missing": "Every folder with nodes has an index.md.",
    "key-unknown": "Passports hold only keys of the format.",
    "kind-missing": "Every node has a kind.",
    "link": "Symbolic links and submodules are not part of a forest.",
    "name-not-portable": "Names of files and folders work on Linux, macOS and Windows.",
    "names-collide": "No two names in a folder differ only by case or by Unicode form.",
    "passport-missing": "Every markdown file begins with a passport.",
    "root-missing": "The forest has a root node, index.md.",
    "scent-missing": "Every door has its line: each node and each edge has a scent.",
    "scent-not-one-line": "A scent is a single line.",
    "scents-not-neighbour": "Lines under `scents` are for neighbours of the node.",
    "summary-missing": "Every node has a summary.",
    "summary-over-budget": "No summary has more tokens than the forest allows.",
    "title-missing": "Every node has a title.",
    "title-not-one-line": "A title is a single line.",
    "too-large": "No node is larger than the limit.",
    "undecodable": "Every node is text.",
    "unreachable": "A walk from the root reaches every node.",
    "unreadable": "The system lets every file and folder be read.",
    "value-unknown": "Keys with a closed set of values hold one of them.",
    "version-without-work": "A work with versions has a node of its own.",
    "versions-overlap": "Two versions of a work are never in force on the same day.",
    "yaml": "The passport is YAML data within limits, each key with the shape of value it takes.",
}
"""What each rule holds a forest to, by the name that findings carry."""
