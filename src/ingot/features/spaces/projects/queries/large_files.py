"""Whether projects offer Git LFS: the project's own choice, else that of the closest group that has one, else yes."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import BindParameter, Connection, ScalarSelect, bindparam, select

from ingot.access.namespaces import closest_group_setting
from ingot.access.tables import namespaces
from ingot.features.spaces.projects.settings import ProjectSettings
from ingot.kit.services import Services


def inherited_lfs() -> ScalarSelect[Any]:
    """Column of a select from `namespaces`: what its groups say, null where they say nothing."""
    return closest_group_setting(namespaces.c.id, lambda group: group.c.settings["lfs_enabled"].as_boolean())


_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_INHERITED = select(namespaces.c.id, inherited_lfs().label("lfs_enabled")).where(namespaces.c.id.in_(_IDS))


def offers_lfs(services: Services, conn: Connection, settings: ProjectSettings, namespace_id: int) -> bool:
    """A project with these settings, in this namespace, offers Git LFS."""
    if not services.settings.lfs:
        return False
    own = settings.lfs_enabled
    return lfs_of_namespaces(conn, [namespace_id])[namespace_id] if own is None else own


def lfs_of_namespaces(conn: Connection, ids: Collection[int]) -> dict[int, bool]:
    """Whether projects in these namespaces offer Git LFS unless they say otherwise."""
    return {row.id: row.lfs_enabled is not False for row in conn.execute(_INHERITED, {"ids": ids})}
