"""Versions of everything that derived state is a function of, beside the tree itself.

Raise one when its module changes what it computes; states of other versions are then not found and are built anew.
"""

FORMAT_VERSION = 1

VERSIONS = {
    "format": str(FORMAT_VERSION),
    "catalog": "8",
    "passage": "2",
    "analyzer": "es-2",
    "search": "7",
}
