"""Size limits, in one place: they are checked before anything is read."""

MAX_NODE_BYTES = 8 * 1024 * 1024
MAX_YAML_BYTES = 32 * 1024
MAX_YAML_DEPTH = 8
MAX_QUESTION_CHARACTERS = 2_000
MAX_CITATIONS_BYTES = 16 * 1024 * 1024
