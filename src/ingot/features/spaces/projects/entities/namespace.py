"""The namespace that a project shows."""

from typing import Any

from sqlalchemy import Select, select

from ingot.access.tables import namespaces
from ingot.features.people.users import BASIC_COLUMNS, avatar_url
from ingot.features.spaces.projects.queries.large_files import inherited_lfs
from ingot.features.spaces.projects.rows import OwnedNamespaceRow
from ingot.identity.tables import users
from ingot.kit.entity import Entity


class NamespaceBasic(Entity):
    """A group or a user's personal namespace."""

    id: int
    name: str
    path: str
    kind: str
    full_path: str
    parent_id: int | None
    avatar_url: str | None
    web_url: str


def namespaces_with_owners() -> Select[Any]:
    """Namespaces, each with the user it belongs to where it is personal."""
    return select(
        namespaces.c.id.label("namespace_id"),
        namespaces.c.name.label("namespace_name"),
        namespaces.c.path.label("namespace_path"),
        namespaces.c.kind,
        namespaces.c.full_path,
        namespaces.c.parent_id,
        namespaces.c.avatar.label("namespace_avatar"),
        inherited_lfs().label("lfs_enabled"),
        *BASIC_COLUMNS,
    ).join_from(namespaces, users, users.c.id == namespaces.c.owner_id, isouter=True)


def namespace_basic(row: OwnedNamespaceRow, base_url: str) -> NamespaceBasic:
    """From a row of `namespaces_with_owners`."""
    is_user = row.kind == "user" and row.id is not None
    picture = row.namespace_avatar
    return NamespaceBasic(
        id=row.namespace_id,
        name=row.name if is_user else row.namespace_name,
        path=row.namespace_path,
        kind=row.kind,
        full_path=row.full_path,
        parent_id=row.parent_id,
        avatar_url=avatar_url(row, base_url)
        if is_user
        else (f"/uploads/-/system/group/avatar/{row.namespace_id}/{picture.rsplit('/', 1)[-1]}" if picture else None),
        web_url=f"{base_url}/{row.full_path}" if row.kind == "user" else f"{base_url}/groups/{row.full_path}",
    )
