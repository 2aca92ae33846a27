"""Reading badges."""

from typing import Any

from sqlalchemy import Select, Table, literal, select, union_all

from ingot.access.call import Call
from ingot.access.tables import namespace_ancestors
from ingot.features.spaces.badges.rows import BadgeRow
from ingot.features.spaces.badges.tables import group_badges, project_badges
from ingot.kit.pagination import Keyset

FIELDS = ("id", "name", "link_url", "image_url", "created_at", "updated_at")


def own_table(call: Call) -> Table:
    """Where the badges of the call's project or group are."""
    return project_badges if call.project_or_none is not None else group_badges


def owner(call: Call) -> dict[str, int]:
    """The column that links a badge to the call's project or group."""
    if call.project_or_none is not None:
        return {"project_id": call.project.id}
    return {"group_id": call.group.id}


def own(call: Call) -> Select[Any]:
    """The badges of exactly this project or group."""
    table, (name, number) = own_table(call), next(iter(owner(call).items()))
    columns = [table.c[field] for field in FIELDS]
    return select(literal(name.removesuffix("_id")).label("kind"), *columns).where(table.c[name] == number)


def listed(call: Call, name: str | None) -> tuple[Select[Any], Keyset]:
    """Those of the project or group, and how the list continues; those of all groups above a project come first."""
    parts = [own(call)]
    if call.project_or_none is not None:
        above = select(namespace_ancestors.c.ancestor_id).where(
            namespace_ancestors.c.namespace_id == call.project.namespace_id
        )
        columns = [group_badges.c[field] for field in FIELDS]
        parts.append(select(literal("group").label("kind"), *columns).where(group_badges.c.group_id.in_(above)))
    badges = union_all(*parts).subquery()
    query = select(badges).order_by(badges.c.kind, badges.c.id)
    keyset = Keyset(badges.c.kind, descending=False, label="kind", tie=badges.c.id)
    return (query if name is None else query.where(badges.c.name == name)), keyset


def find(call: Call, badge_id: int) -> BadgeRow | None:
    """One badge of exactly this project or group, or None."""
    return call.conn.execute(own(call).where(own_table(call).c.id == badge_id)).one_or_none()
