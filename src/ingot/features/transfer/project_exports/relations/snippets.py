"""Snippets of the project: records with the first file of each, and bundles for those that have more."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select

from ingot.access.rows import ProjectRow
from ingot.archives.pack import Stream
from ingot.features.spaces.snippets import StoredSnippet, named_snippets, snippet_files, snippets
from ingot.features.transfer.project_exports.leftovers import preserved_for
from ingot.features.transfer.project_exports.records import batches, listed, stamp
from ingot.features.transfer.project_exports.relations.notes import awards_of, notes_of, portions
from ingot.gitstore.model import Person
from ingot.gitstore.snapshots import bundle_of_files
from ingot.kit.entity import group_by
from ingot.kit.patterns import pattern
from ingot.kit.services import Services

BUNDLE = pattern(r"snippets/[0-9a-f]{64}\.bundle")


def records(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """The project's snippets."""
    used: set[str] = set()
    for batch in _batches(conn, project.id):
        for rows in portions(conn, "Snippet", batch):
            yield from _records(conn, project.id, rows, used)


def _records(
    conn: Connection, project_id: int, rows: Sequence[StoredSnippet], used: set[str]
) -> Iterator[dict[str, object]]:
    ids = [row.id for row in rows]
    remaining = preserved_for(conn, project_id, "snippets", ids)
    files, notes, awards = (
        _files(conn, ids),
        notes_of(conn, project_id, "Snippet", ids),
        awards_of(conn, "Snippet", ids),
    )
    for named in named_snippets(rows, used):
        row = named.row
        first, content = next(iter(files.get(row.id, [])), None), remaining.get(row.id, {})
        yield {
            **content,
            "award_emoji": [*listed(content, "award_emoji"), *awards.get(row.id, [])],
            "notes": _all_notes(listed(content, "notes"), notes.get(row.id, [])),
            "title": row.title,
            "content": first.content if first is not None else "",
            "file_name": first.path if first is not None else "",
            "description": row.description,
            "visibility_level": row.visibility,
            "author_id": row.author_id,
            "project_id": row.project_id,
            "created_at": stamp(row.created_at),
            "updated_at": stamp(named.updated_at),
        }


def _all_notes(kept: list[object], own: list[msgspec.Raw] | Stream) -> list[object] | Stream:
    """Earlier versions kept the notes of imported snippets as they came."""
    if isinstance(own, Stream):
        return Stream(chain(map(msgspec.json.encode, kept), own.elements))
    return [*kept, *own]


def bundles(conn: Connection, project: ProjectRow, preserved: set[str]) -> Iterator[tuple[str, Iterator[bytes] | None]]:
    """Path in the archive and content of the bundles; None where the one among `preserved` is still right.

    GitLab makes the repository of a snippet without a bundle from its record, so one file needs none.
    """
    used: set[str] = set()
    for rows in _batches(conn, project.id):
        files = _files(conn, [row.id for row in rows])
        for named in named_snippets(rows, used):
            path, row = f"snippets/{named.digest}.bundle", named.row
            if path in preserved:
                yield path, None
            elif len(files.get(row.id, [])) > 1:
                author = Person("Ingot", "noreply@localhost", row.updated_at)
                yield path, bundle_of_files({file.path: file.content for file in files[row.id]}, author)


def _batches(conn: Connection, project_id: int) -> Iterator[list[Any]]:
    return batches(conn, select(snippets).where(snippets.c.project_id == project_id), snippets.c.id)


def _files(conn: Connection, snippet_ids: Sequence[int]) -> dict[int, list[Row[Any]]]:
    table = snippet_files
    query = select(table).where(table.c.snippet_id.in_(snippet_ids)).order_by(table.c.position, table.c.path)
    return group_by(conn.execute(query).all(), lambda file: file.snippet_id)
