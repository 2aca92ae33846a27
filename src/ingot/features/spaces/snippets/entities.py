"""Snippets on the wire."""

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import quote

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.levels import Visibility
from ingot.features.people.users import UserBasic, users_by_id
from ingot.features.spaces.snippets.rows import SnippetRow
from ingot.features.spaces.snippets.tables import snippet_files
from ingot.kit.entity import Entity, group_by, wire

REF = "main"  # files have one version, but clients send a branch


class SnippetFile(Entity):
    """A file of a snippet."""

    path: str
    raw_url: str


class Snippet(Entity):
    """A snippet; it has no repository that could be cloned."""

    id: int
    title: str
    description: str | None
    visibility: str
    author: UserBasic | None
    created_at: datetime
    updated_at: datetime
    project_id: int | None
    web_url: str
    raw_url: str
    imported: bool
    imported_from: str
    ssh_url_to_repo: str | None
    http_url_to_repo: str | None
    file_name: str
    files: list[SnippetFile]


def present(call: Call, rows: Sequence[SnippetRow]) -> list[Snippet]:
    """A page of snippets."""
    authors = users_by_id(call.conn, [row.author_id for row in rows], call.base_url)
    table = snippet_files
    paths = (
        select(table.c.snippet_id, table.c.path)
        .where(table.c.snippet_id.in_([row.id for row in rows]))
        .order_by(table.c.position, table.c.path)
    )
    files = group_by(call.conn.execute(paths).all(), lambda row: row.snippet_id)
    result = []
    for row in rows:
        place = "" if row.project_path is None else f"/{row.project_path}"
        url = f"{call.base_url}{place}/-/snippets/{row.id}"
        names = [file.path for file in files.get(row.id, [])]
        result.append(
            Snippet(
                id=row.id,
                title=row.title,
                description=row.description,
                visibility=Visibility(row.visibility).word,
                author=authors.get(row.author_id),
                created_at=wire(row.created_at),
                updated_at=wire(row.updated_at),
                project_id=row.project_id,
                web_url=url,
                raw_url=f"{url}/raw",
                imported=False,
                imported_from="none",
                ssh_url_to_repo=None,
                http_url_to_repo=None,
                file_name=names[0] if names else "",
                files=[SnippetFile(path=name, raw_url=f"{url}/raw/{REF}/{quote(name)}") for name in names],
            )
        )
    return result
