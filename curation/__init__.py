"""Curation: law texts in, nodes of a forest out."""
