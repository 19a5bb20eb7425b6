"""The forest: nodes, passports, edges and passages in git, and what is derived from them.

Knows no prompt, no benchmark and no gazette format; those live in `navigator`, `bench` and `curation`.
"""
