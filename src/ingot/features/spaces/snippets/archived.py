"""Snippets in archives of projects: one record each, and a bundle for those with several files."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta

import msgspec
from sqlalchemy import Connection, delete, insert

from ingot.features.spaces.snippets.rows import StoredSnippet
from ingot.features.spaces.snippets.tables import snippet_files

_SECOND = timedelta(seconds=1)


class NamedSnippet(msgspec.Struct, frozen=True):
    """A snippet with the name of its bundle."""

    row: StoredSnippet
    updated_at: datetime
    digest: str


def snippet_digest(row: StoredSnippet, updated_at: datetime) -> str:
    """What the bundle of a snippet is called: by its texts and moments, as GitLab does."""
    return hashlib.sha256(
        f"{row.title}{row.description or ''}{_written(row.created_at)}{_written(updated_at)}".encode()
    ).hexdigest()


def _written(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def named_snippets(rows: Iterable[StoredSnippet], used: set[str]) -> Iterator[NamedSnippet]:
    """The snippets with the names of their bundles, which they do not share with any in `used`.

    Two of one title that were written in the same second would: then the later one counts as changed a second later.
    """
    for row in rows:
        updated_at = row.updated_at
        while (digest := snippet_digest(row, updated_at)) in used:
            updated_at += _SECOND
        used.add(digest)
        yield NamedSnippet(row, updated_at, digest)


def replace_files(tx: Connection, snippet_id: int, files: Mapping[str, str]) -> None:
    """Store these files in the place of those that the snippet has."""
    tx.execute(delete(snippet_files).where(snippet_files.c.snippet_id == snippet_id))
    for position, (path, content) in enumerate(files.items()):
        row = {"snippet_id": snippet_id, "path": path, "position": position, "content": content}
        tx.execute(insert(snippet_files).values(row))
