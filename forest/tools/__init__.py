"""The tools: small, deterministic operations to find and read evidence, the same for a person, a program and a model.

Each takes a `Session` first and brings back a frozen `Reply`; none raises for what it was asked. `forest.tools.schema`
has their definitions for a model and calls them by name.
"""

from forest.tools.citations import Cited, resolve_citation
from forest.tools.documents import Document, Part, get_document_outline, list_publications, search_documents
from forest.tools.evidence import Chunk, Evidence, read_chunks, search_evidence
from forest.tools.filters import FILTERS, Filters
from forest.tools.references import (
    Reference,
    Version,
    follow_references,
    version_in_force,
)
from forest.tools.reply import Reply
from forest.tools.session import Days, Session, session

__all__ = [
    "FILTERS",
    "Chunk",
    "Cited",
    "Days",
    "Document",
    "Evidence",
    "Filters",
    "Part",
    "Reference",
    "Reply",
    "Session",
    "Version",
    "follow_references",
    "get_document_outline",
    "list_publications",
    "read_chunks",
    "resolve_citation",
    "search_documents",
    "search_evidence",
    "session",
    "version_in_force",
]
