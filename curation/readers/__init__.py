"""Readers: one module for each format of source text, and what they share."""
