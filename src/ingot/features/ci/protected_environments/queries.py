"""Reading protected environments."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, select

from ingot.access.tables import namespaces
from ingot.features.ci.protected_environments.rows import ApprovalRow, ProtectedEnvironmentRow
from ingot.features.ci.protected_environments.tables import (
    deployment_approvals,
    protected_environment_entries,
    protected_environments,
)
from ingot.identity.tables import users
from ingot.kit.entity import group_by
from ingot.kit.errors import RecordNotFound
from ingot.kit.pagination import Keyset

Place = dict[str, int]  # `project_id` or `group_id`
BY_NAME = Keyset(protected_environments.c.name, descending=False, label="name", tie=protected_environments.c.id)


def of_place(place: Place) -> ColumnElement[bool]:
    """Those of a project or group."""
    ((column, number),) = place.items()
    return protected_environments.c[column] == number


def listed(place: Place) -> Select[Any]:
    """The protected environments of a project or group, by name."""
    table = protected_environments
    return select(table).where(of_place(place)).order_by(table.c.name, table.c.id)


def get(conn: Connection, place: Place, name: str) -> ProtectedEnvironmentRow:
    """One protected environment."""
    row = conn.execute(select(protected_environments).where(of_place(place), protected_environments.c.name == name))
    result = row.one_or_none()
    if result is None:
        raise RecordNotFound
    return result


def with_names(ids: Sequence[int]) -> Select[Any]:
    """The entries of these, with the names of users and groups."""
    entries = protected_environment_entries
    return (
        select(entries, users.c.name.label("user_name"), namespaces.c.name.label("group_name"))
        .select_from(
            entries.outerjoin(users, users.c.id == entries.c.user_id).outerjoin(
                namespaces, namespaces.c.id == entries.c.group_id
            )
        )
        .where(entries.c.protected_environment_id.in_(ids))
        .order_by(entries.c.id)
    )


def approvals_of(conn: Connection, deployment_ids: Sequence[int]) -> dict[int, list[ApprovalRow]]:
    """Who approved and who rejected each of the deployments."""
    if not deployment_ids:
        return {}
    table = deployment_approvals
    query = select(table).where(table.c.deployment_id.in_(deployment_ids)).order_by(table.c.id)
    return group_by(conn.execute(query), lambda row: row.deployment_id)
