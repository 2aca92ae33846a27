"""Rows as typed records, for where they cross the border of a function."""

from typing import Protocol

from ingot.access.rows import NamespaceRow
from ingot.identity.rows import PictureRow


class ListedNamespaceRow(NamespaceRow, Protocol):
    """A namespace of a list, with the actor's level in it."""

    actor_level: int


class OwnerRow(PictureRow, Protocol):
    """The person whom a personal namespace belongs to."""

    name: str
