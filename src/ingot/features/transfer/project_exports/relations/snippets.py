"""Snippets of the project; archives contain only the first file of each."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.features.spaces.snippets import snippet_files, snippets
from ingot.features.transfer.project_exports.leftovers import preserved_for
from ingot.features.transfer.project_exports.records import batches, times
from ingot.kit.entity import group_by
from ingot.kit.services import Services


def records(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """The project's snippets."""
    for rows in batches(conn, select(snippets).where(snippets.c.project_id == project.id), snippets.c.id):
        ids = [row.id for row in rows]
        remaining = preserved_for(conn, project.id, "snippets", ids)
        query = select(snippet_files).where(snippet_files.c.snippet_id.in_(ids)).order_by(snippet_files.c.position)
        files = group_by(conn.execute(query).all(), lambda file: file.snippet_id)
        for row in rows:
            first = next(iter(files.get(row.id, [])), None)
            yield {
                "award_emoji": [],
                "notes": [],
                **remaining.get(row.id, {}),
                "title": row.title,
                "content": first.content if first is not None else "",
                "file_name": first.path if first is not None else "",
                "description": row.description,
                "visibility_level": row.visibility,
                "author_id": row.author_id,
                "project_id": row.project_id,
                **times(row),
            }
