"""Labels on the wire."""

from collections.abc import Sequence
from html import escape

from sqlalchemy import BindParameter, Connection, bindparam, func, select

from ingot.access.call import Call
from ingot.access.tables import projects
from ingot.features.planning.issuables import IssuableKind, get_kind
from ingot.features.planning.labels.colors import text_color
from ingot.features.planning.labels.rows import LabelRow
from ingot.features.planning.labels.tables import label_priorities, label_subscriptions
from ingot.kit.entity import UNSET, Entity, UnsetType


class LabelDetail(Entity):
    """A label embedded with its details."""

    id: int
    name: str
    description: str | None
    description_html: str
    text_color: str
    color: str


class Label(Entity, kw_only=True):
    """A label of a group, or with the last two keys of a project."""

    id: int
    name: str
    description: str | None
    description_html: str
    text_color: str
    color: str
    open_issues_count: int | UnsetType = UNSET
    closed_issues_count: int | UnsetType = UNSET
    open_merge_requests_count: int | UnsetType = UNSET
    subscribed: bool
    priority: int | UnsetType | None = UNSET
    is_project_label: bool | UnsetType = UNSET


def label_detail(row: LabelRow) -> LabelDetail:
    """The embedded form."""
    return LabelDetail(
        id=row.id,
        name=row.name,
        description=row.description,
        description_html=escape(row.description or "", quote=False),
        text_color=text_color(row.color),
        color=row.color,
    )


def present(call: Call, rows: Sequence[LabelRow]) -> list[Label]:
    """A page of labels of `call.project` or `call.group`."""
    ids = [row.id for row in rows]
    subscribed = _subscribed(call.conn, call.actor.user_id, ids)
    priorities = _priorities(call.conn, call.project.id, ids) if call.project_or_none is not None else {}
    counts = _counts(call, ids) if getattr(call.params, "with_counts", False) else None
    return [_label(call, row, subscribed, priorities, counts) for row in rows]


def _label(
    call: Call,
    row: LabelRow,
    subscribed: set[int],
    priorities: dict[int, int],
    counts: dict[str, dict[int, int]] | None,
) -> Label:
    label = Label(
        id=row.id,
        name=row.name,
        description=row.description,
        description_html=escape(row.description or "", quote=False),
        text_color=text_color(row.color),
        color=row.color,
        subscribed=row.id in subscribed,
    )
    if counts is not None:
        label.open_issues_count = counts["open_issues"].get(row.id, 0)
        label.closed_issues_count = counts["closed_issues"].get(row.id, 0)
        label.open_merge_requests_count = counts["open_merge_requests"].get(row.id, 0)
    if call.project_or_none is not None:
        label.priority = priorities.get(row.id)
        label.is_project_label = row.project_id is not None
    return label


_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_SUBSCRIBED = select(label_subscriptions.c.label_id).where(
    label_subscriptions.c.user_id == bindparam("user"), label_subscriptions.c.label_id.in_(_IDS)
)
_PRIORITIES = select(label_priorities.c.label_id, label_priorities.c.priority).where(
    label_priorities.c.project_id == bindparam("project"), label_priorities.c.label_id.in_(_IDS)
)


def _subscribed(conn: Connection, user_id: int | None, ids: list[int]) -> set[int]:
    if user_id is None or not ids:
        return set()
    return set(conn.execute(_SUBSCRIBED, {"user": user_id, "ids": ids}).scalars())


def _priorities(conn: Connection, project_id: int, ids: list[int]) -> dict[int, int]:
    rows = conn.execute(_PRIORITIES, {"project": project_id, "ids": ids})
    return {row.label_id: row.priority for row in rows}


def _counts(call: Call, ids: list[int]) -> dict[str, dict[int, int]]:
    """Open and closed issues and open merge requests per label that the caller may read, one query each."""
    issue, request = get_kind("Issue"), get_kind("MergeRequest")

    def count(kind: IssuableKind, state: str) -> dict[int, int]:
        links, table = kind.labels, kind.table
        query = (
            select(links.c.label_id, func.count())
            .join_from(links, table, table.c.id == links.c[kind.key])
            .join(projects, projects.c.id == table.c.project_id)
            .where(links.c.label_id.in_(ids), table.c.state == state, kind.readable(call.actor))
            .group_by(links.c.label_id)
        )
        return {row[0]: row[1] for row in call.conn.execute(query)}

    return {
        "open_issues": count(issue, "opened"),
        "closed_issues": count(issue, "closed"),
        "open_merge_requests": count(request, "opened"),
    }
