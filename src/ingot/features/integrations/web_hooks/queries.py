"""Reading hooks, what waits for them, and their log."""

from datetime import timedelta
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, or_, select

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.integrations.web_hooks.rows import LogRow, WebHookRow
from ingot.features.integrations.web_hooks.tables import web_hook_logs, web_hooks
from ingot.kit.clock import now
from ingot.kit.errors import ParamError, RecordNotFound
from ingot.kit.pagination import Keyset

SHOWN_FOR = timedelta(days=7)
OLDEST_FIRST = Keyset(web_hooks.c.id, descending=False)
NEWEST_FIRST = Keyset(web_hook_logs.c.id, descending=True)  # of the log


class Place(msgspec.Struct, frozen=True):
    """The project or group whose hooks are meant, or the instance."""

    kind: str  # project | group | system
    id: int | None = None

    @property
    def here(self) -> ColumnElement[bool]:
        """Condition on `web_hooks`."""
        if self.kind == "system":
            return web_hooks.c.kind == "system"
        return web_hooks.c[f"{self.kind}_id"] == self.id


def listed(place: Place) -> Select[Any]:
    """The hooks of a place, oldest first."""
    return select(web_hooks).where(place.here).order_by(web_hooks.c.id)


def get_hook(conn: Connection, place: Place, hook_id: int) -> WebHookRow:
    """One hook; 404 where the place has none of this id."""
    row = conn.execute(select(web_hooks).where(place.here, web_hooks.c.id == hook_id)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row


_BY_ID = select(web_hooks).where(web_hooks.c.id == bindparam("hook"))


def find_hook(conn: Connection, hook_id: int) -> WebHookRow | None:
    """One hook of any place."""
    return conn.execute(_BY_ID, {"hook": hook_id}).one_or_none()


def count_hooks(conn: Connection, place: Place) -> int:
    """How many hooks a place has."""
    return int(conn.execute(select(func.count()).select_from(web_hooks).where(place.here)).scalar_one())


_GROUPS_ABOVE = (
    select(namespace_ancestors.c.ancestor_id)
    .join(projects, projects.c.namespace_id == namespace_ancestors.c.namespace_id)
    .where(projects.c.id == bindparam("project_id"))
)
_OF_PROJECT = (
    select(web_hooks)
    .where(
        or_(
            web_hooks.c.project_id == bindparam("project_id"),
            web_hooks.c.group_id.in_(_GROUPS_ABOVE),
            web_hooks.c.kind == "system",
        )
    )
    .order_by(web_hooks.c.id)
)
_OF_GROUP = (
    select(web_hooks)
    .where(
        or_(
            web_hooks.c.group_id.in_(
                select(namespace_ancestors.c.ancestor_id).where(
                    namespace_ancestors.c.namespace_id == bindparam("group_id")
                )
            ),
            web_hooks.c.kind == "system",
        )
    )
    .order_by(web_hooks.c.id)
)
_OF_INSTANCE = select(web_hooks).where(web_hooks.c.kind == "system").order_by(web_hooks.c.id)


def concerned_hooks(conn: Connection, project_id: int | None, group_id: int | None) -> list[WebHookRow]:
    """The hooks that may want to know of a change: of the place, of the groups above it, and of the instance."""
    if project_id is not None:
        return list(conn.execute(_OF_PROJECT, {"project_id": project_id}))
    if group_id is not None:
        return list(conn.execute(_OF_GROUP, {"group_id": group_id}))
    return list(conn.execute(_OF_INSTANCE))


_RANGES = {"successful": (200, 299), "client_failure": (400, 499), "server_failure": (500, 599)}
INTERNAL_ERROR = "internal error"


def deliveries(hook_id: int, status: str | None) -> Select[Any]:
    """The log of a hook, newest first, by what was answered."""
    query = select(web_hook_logs).where(
        web_hook_logs.c.hook_id == hook_id, web_hook_logs.c.created_at > now() - SHOWN_FOR
    )
    if status:
        query = query.where(or_(*(_answered(word.strip()) for word in status.split(","))))
    return query.order_by(web_hook_logs.c.id.desc())


def _answered(word: str) -> ColumnElement[bool]:
    column = web_hook_logs.c.response_status
    if word in _RANGES:
        first, last = _RANGES[word]
        codes = column.in_([str(code) for code in range(first, last + 1)])
        return or_(codes, column == INTERNAL_ERROR) if word == "server_failure" else codes
    if not (word.isascii() and word.isdigit() and len(word) <= 3):
        raise ParamError("status does not have a valid value")
    return column == word


def get_delivery(conn: Connection, hook_id: int, log_id: int) -> LogRow:
    """One entry of a hook's log."""
    query = select(web_hook_logs).where(web_hook_logs.c.hook_id == hook_id, web_hook_logs.c.id == log_id)
    row = conn.execute(query).one_or_none()
    if row is None:
        raise RecordNotFound
    return row
