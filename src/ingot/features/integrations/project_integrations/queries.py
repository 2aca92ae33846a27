"""Reading integrations. A place without settings of its own has those of the nearest group above."""

from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, Select, Table, bindparam, func, literal, select, union_all

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.integrations.project_integrations.kinds import KINDS
from ingot.features.integrations.project_integrations.rows import EffectiveRow, IntegrationRow
from ingot.features.integrations.project_integrations.tables import group_integrations, integrations
from ingot.kit.pagination import Keyset

SETTINGS = ("id", "slug", "active", "events", "properties", "sealed_secrets", "created_at", "updated_at")


class Place(msgspec.Struct, frozen=True):
    """The project or group whose integrations are meant."""

    kind: str  # project | group
    id: int

    @property
    def table(self) -> Table:
        """Where its own settings are."""
        return integrations if self.kind == "project" else group_integrations

    @property
    def owner(self) -> dict[str, int]:
        """The column of its own settings that names it, and the value of changes."""
        return {f"{self.kind}_id": self.id}


def _in_project(project_id: int | BindParameter[int]) -> Select[Any]:
    """The settings of a project and of all groups above."""
    own, above, ways = integrations, group_integrations, namespace_ancestors
    theirs = (
        select(*(above.c[name] for name in SETTINGS), (ways.c.depth + 1).label("level"))
        .join(ways, ways.c.ancestor_id == above.c.group_id)
        .join(projects, projects.c.namespace_id == ways.c.namespace_id)
        .where(projects.c.id == project_id)
    )
    mine = select(*(own.c[name] for name in SETTINGS), literal(0).label("level")).where(own.c.project_id == project_id)
    return select(union_all(mine, theirs).subquery("settings"))


def _in_group(group_id: int) -> Select[Any]:
    """The settings of a group and of all groups above."""
    above, ways = group_integrations, namespace_ancestors
    return (
        select(*(above.c[name] for name in SETTINGS), ways.c.depth.label("level"))
        .join(ways, ways.c.ancestor_id == above.c.group_id)
        .where(ways.c.namespace_id == group_id)
    )


def _nearest(found: Select[Any]) -> Select[Any]:
    every = found.subquery("every")
    turn = func.row_number().over(partition_by=every.c.slug, order_by=every.c.level)
    ranked = select(every, turn.label("turn")).subquery("ranked")
    return select(*(ranked.c[name] for name in (*SETTINGS, "level"))).where(ranked.c.turn == 1)


def settings_above(place: Place) -> Select[Any]:
    """All settings of a place and of the groups above, nearer ones or not."""
    return _in_project(place.id) if place.kind == "project" else _in_group(place.id)


def in_effect(place: Place) -> Select[Any]:
    """What holds in a place, on or off."""
    return _nearest(settings_above(place))


def active_ones(place: Place) -> Select[Any]:
    """Integrations that are on, its own first, each oldest first."""
    query = in_effect(place)
    columns = query.selected_columns
    return query.where(columns["active"]).order_by(columns["level"], columns["id"])


def nearest_first(query: Select[Any]) -> Keyset:
    """How a list of them continues."""
    columns = query.selected_columns
    return Keyset(columns["level"], descending=False, label="level", tie=columns["id"])


def find(conn: Connection, place: Place, slug: str) -> EffectiveRow | None:
    """What holds in a place of one integration, on or off."""
    query = in_effect(place)
    return conn.execute(query.where(query.selected_columns["slug"] == slug)).one_or_none()


def find_own(conn: Connection, place: Place, slug: str) -> IntegrationRow | None:
    """The place's own settings of one integration, on or off."""
    table = place.table
    return conn.execute(
        select(table).where(table.c[f"{place.kind}_id"] == place.id, table.c.slug == slug)
    ).one_or_none()


_HERE = _nearest(_in_project(bindparam("of_project")))
_SENDING = _HERE.where(
    _HERE.selected_columns["active"],
    _HERE.selected_columns["slug"].in_([slug for slug, kind in KINDS.items() if kind.sends]),
)


def sending_ones(conn: Connection, project_id: int) -> list[EffectiveRow]:
    """Integrations that are told of changes in a project."""
    return list(conn.execute(_SENDING, {"of_project": project_id}))
