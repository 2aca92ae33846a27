"""Reading snippets."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, select

from ingot.access.tables import projects
from ingot.features.spaces.snippets.params import ListSnippets
from ingot.features.spaces.snippets.policy import readable_snippets
from ingot.features.spaces.snippets.rows import SnippetRow
from ingot.features.spaces.snippets.tables import snippet_files, snippets
from ingot.kit.actor import Actor
from ingot.kit.clock import through
from ingot.kit.pagination import Keyset

NEWEST_FIRST = Keyset(snippets.c.id, descending=True)


def readable(actor: Actor, *conditions: ColumnElement[bool]) -> Select[Any]:
    """Snippets that the actor may read."""
    joined = snippets.outerjoin(projects, projects.c.id == snippets.c.project_id)
    query = select(*snippets.c, projects.c.full_path.label("project_path")).select_from(joined)
    return query.where(readable_snippets(actor), *conditions)


def listed(query: Select[Any], options: ListSnippets) -> Select[Any]:
    """The list with its filters, newest first."""
    if options.created_after is not None:
        query = query.where(snippets.c.created_at >= options.created_after)
    if options.created_before is not None:
        query = query.where(snippets.c.created_at <= through(options.created_before))
    return query.order_by(snippets.c.id.desc())


def find(conn: Connection, actor: Actor, snippet_id: int, *conditions: ColumnElement[bool]) -> SnippetRow | None:
    """One snippet that the actor may read, or None."""
    return conn.execute(readable(actor, snippets.c.id == snippet_id, *conditions)).one_or_none()


def files_of(conn: Connection, snippet_id: int) -> list[Row[Any]]:
    """The files of a snippet, in their order."""
    table = snippet_files
    query = select(table).where(table.c.snippet_id == snippet_id).order_by(table.c.position, table.c.path)
    return list(conn.execute(query))


def content_of(conn: Connection, snippet_id: int, path: str | None = None) -> str | None:
    """The content of one file, or of the first; the others stay unread."""
    table = snippet_files
    query = select(table.c.content).where(table.c.snippet_id == snippet_id).order_by(table.c.position, table.c.path)
    if path is not None:
        query = query.where(table.c.path == path)
    return conn.execute(query.limit(1)).scalar_one_or_none()
