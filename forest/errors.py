"""Everything that can go wrong in ways a person can mend, as one family of exceptions.

Each exception is a sentence (what was asked, where) with a hint (the next thing to try) and the exit status
that the command line ends with. Problems *inside* a forest's nodes are not exceptions but `forest.finding`s.
"""

from __future__ import annotations


class ForestError(Exception):
    """Root of all errors that forest raises on purpose.

    Attributes:
        message: one sentence: what was asked, where, why it cannot be done.
        hint: what to try next; empty when the message already says it.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class WrongUsage(ForestError):
    """The request itself is malformed: a date that is none, an option that contradicts another."""

    exit_code = 2


class NotAForest(ForestError):
    """The place named holds no `forest.yaml`, or one that cannot be used."""


class RepositoryUnusable(ForestError):
    """Git cannot serve what was asked: no repository, no commits, git missing or refusing."""


class RevisionUnknown(ForestError):
    """A revision does not name a commit of this repository."""


class NodeNotFound(ForestError):
    """No node has the id asked for."""


class NodeNotKnownYet(NodeNotFound):
    """There is such a node, but as of the day asked for it did not exist, or cannot be said to have existed."""


class PassageNotFound(ForestError):
    """The node exists, the passage asked for does not."""


class PassageMismatch(ForestError):
    """The committed bytes and the recipe of a passage disagree: nothing may be quoted from it."""


class WalkNotFound(ForestError):
    """No recorded walk has the id asked for, or its journal cannot be read."""


class TrailNotFound(ForestError):
    """No trail has the id asked for, or more than one begins with it."""


class TrailRefused(ForestError):
    """A trail is not kept: it was forgotten, or is older than what is kept."""


class RemoteUnusable(ForestError):
    """A remote repository is not known, may not be asked, or does not do what was asked."""


class ShortcutNotFound(ForestError):
    """No shortcut, or more than one, has an id that begins so."""


class CitationRefused(ForestError):
    """A citation does not hold: its words, hash or origin are not what the repository has."""


class StateUnusable(ForestError):
    """Derived state cannot be built or read, and building it again did not help."""


class WorkerLost(ForestError):
    """A process that did a part of the work was ended from outside."""


class TooLarge(ForestError):
    """An input is over a documented size limit and was not read."""
