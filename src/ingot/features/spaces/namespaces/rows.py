"""Rows as typed records, for passing between functions."""

from typing import Protocol

from ingot.identity.rows import PictureRow


class OwnerRow(PictureRow, Protocol):
    """The person whom a personal namespace belongs to."""

    name: str
