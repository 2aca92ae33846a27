"""To-do items on the wire."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.call import Call
from ingot.access.tables import projects
from ingot.features.people.users import UserBasic, users_by_id
from ingot.features.planning.issuables import Shown, kinds
from ingot.features.planning.todos.rows import TodoRow
from ingot.features.spaces.projects import ProjectIdentity, project_identity
from ingot.kit.entity import Entity, wire


class Todo(Entity):
    """An item; `target` is the merge request or issue in its list form."""

    id: int
    project: ProjectIdentity | None
    author: UserBasic | None
    action_name: str
    target_type: str
    target: Any
    target_url: str
    body: str
    state: str
    created_at: datetime
    updated_at: datetime


def _targets(call: Call, rows: Sequence[TodoRow]) -> dict[tuple[str, int], Shown]:
    """The issuables of a page, in one load per kind."""
    targets: dict[tuple[str, int], Shown] = {}
    for kind in kinds():
        ids = [row.target_id for row in rows if row.target_type == kind.type and row.target_id is not None]
        if ids:
            targets |= {(kind.type, issuable_id): shown for issuable_id, shown in kind.show(call, ids).items()}
    return targets


def _projects(conn: Connection, rows: Sequence[TodoRow]) -> dict[int, ProjectIdentity]:
    records = conn.execute(select(projects).where(projects.c.id.in_({row.project_id for row in rows})))
    return {row.id: project_identity(row) for row in records}


def present(call: Call, rows: Sequence[TodoRow]) -> list[Todo]:
    """A page of items."""
    people = users_by_id(call.conn, (row.author_id for row in rows), call.base_url)
    places, targets = _projects(call.conn, rows), _targets(call, rows)
    shown = []
    for row in rows:
        target, url = targets[row.target_type, row.target_id or 0]
        shown.append(
            Todo(
                id=row.id,
                project=places.get(row.project_id or 0),
                author=people.get(row.author_id or 0),
                action_name=row.action,
                target_type=row.target_type,
                target=target,
                target_url=f"{url}#note_{row.note_id}" if row.note_id else url,
                body=row.body,
                state=row.state,
                created_at=wire(row.created_at),
                updated_at=wire(row.updated_at),
            )
        )
    return shown
