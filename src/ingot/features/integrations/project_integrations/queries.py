"""Reading integrations."""

from typing import Any

from sqlalchemy import Connection, Select, bindparam, select

from ingot.features.integrations.project_integrations.kinds import KINDS
from ingot.features.integrations.project_integrations.rows import IntegrationRow
from ingot.features.integrations.project_integrations.tables import integrations

_SENDING = select(integrations).where(
    integrations.c.project_id == bindparam("of_project"),
    integrations.c.active,
    integrations.c.slug.in_([slug for slug, kind in KINDS.items() if kind.sends]),
)


def active_ones(project_id: int) -> Select[Any]:
    """Integrations that are on, oldest first."""
    table = integrations
    return select(table).where(table.c.project_id == project_id, table.c.active).order_by(table.c.id)


def find(conn: Connection, project_id: int, slug: str) -> IntegrationRow | None:
    """One integration of a project, on or off."""
    table = integrations
    return conn.execute(select(table).where(table.c.project_id == project_id, table.c.slug == slug)).one_or_none()


def sending_ones(conn: Connection, project_id: int) -> list[IntegrationRow]:
    """Integrations that are told of changes in a project."""
    return list(conn.execute(_SENDING, {"of_project": project_id}))
