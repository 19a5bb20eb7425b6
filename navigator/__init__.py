"""Navigators: they walk a forest to answer a question. Empty until walking lands."""
