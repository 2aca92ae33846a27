"""Presenting groups: related records are loaded once per page, in a fixed number of statements."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Select, and_, func, or_, select

from ingot.access import subjects
from ingot.access.call import Call
from ingot.access.levels import OWNER, Visibility
from ingot.access.namespaces import CREATION_LEVELS
from ingot.access.rows import NamespaceRow
from ingot.access.tables import group_group_links, namespaces, project_authorizations, project_group_links, projects
from ingot.access.visibility import visible_groups, visible_projects
from ingot.features.people.custom_attributes import CustomAttribute, attributes_by_owner, group_custom_attributes
from ingot.features.people.saml import SamlGroupLink, group_link, list_links
from ingot.features.spaces.groups.entities import Group, GroupDetail, GroupLocation, GroupStatistics, SharedWithGroup
from ingot.features.spaces.groups.settings import GROUP_SETTINGS, PROTECTIONS, GroupSettings, Reader
from ingot.features.spaces.projects import (
    ProjectFull,
    Showing,
    lfs_of_namespaces,
    present_full,
    present_simple,
    project_statistics,
)
from ingot.instance import application_settings
from ingot.kit.clock import today
from ingot.kit.entity import UNSET, UnsetType, wire

MOST_PROJECTS = 100
NAMES = {
    (reader, tier): tuple(
        name for name in GROUP_SETTINGS.named(read_by=reader) if GROUP_SETTINGS.settings[name].tier == tier
    )
    for reader in Reader
    for tier in ("free", "premium")
}


def group_avatar_url(row: NamespaceRow, base_url: str) -> str | None:
    """The address of the uploaded picture."""
    if not row.avatar:
        return None
    return f"{base_url}/uploads/-/system/group/avatar/{row.id}/{row.avatar.rsplit('/', 1)[-1]}"


def group_web_url(full_path: str, base_url: str) -> str:
    """The group's page."""
    return f"{base_url}/groups/{full_path}"


# Any: settings of the instance, by name.
def _fields(
    row: NamespaceRow, settings: GroupSettings, usual: Mapping[str, Any], has_lfs: bool, base_url: str
) -> dict[str, Any]:
    protection = settings.default_branch_protection
    level = usual["default_branch_protection"] if protection is None else protection
    return {
        "id": row.id,
        "web_url": group_web_url(row.full_path, base_url),
        "name": row.name,
        "path": row.path,
        "description": row.description,
        "visibility": Visibility(row.visibility).word,
        **_shown(settings, Reader.IN_LISTS),
        "project_creation_level": settings.project_creation_level or CREATION_LEVELS[usual["default_project_creation"]],
        "default_branch_protection": level,
        "default_branch_protection_defaults": settings.default_branch_protection_defaults or PROTECTIONS[level],
        "lfs_enabled": has_lfs,
        "emails_disabled": not settings.emails_enabled,
        "avatar_url": group_avatar_url(row, base_url),
        "full_name": row.full_name,
        "full_path": row.full_path,
        "created_at": wire(row.created_at),
        "parent_id": row.parent_id,
        "organization_id": 1,
    }


def _licensed(call: Call, row: NamespaceRow, settings: GroupSettings) -> dict[str, Any]:
    """The keys of the paid tiers; there is no LDAP to link to."""
    if not call.services.settings.has_tier("premium"):
        return {}
    return {
        "ldap_cn": None,
        "ldap_access": None,
        "marked_for_deletion_on": row.marked_for_deletion_on,
        **_shown(settings, Reader.IN_LISTS, "premium"),
    }


def _shown(settings: GroupSettings, reader: Reader, tier: str = "free") -> dict[str, Any]:
    """The settings of one tier that this reader sees."""
    return {name: getattr(settings, name) for name in NAMES[reader, tier]}


def _shown_on_the_group(call: Call, group: subjects.Group, settings: GroupSettings) -> dict[str, Any]:
    """The settings that only the single group shows."""
    owns = call.actor.is_admin or group.level >= OWNER
    is_root = group.parent_id is None
    result = _shown(settings, Reader.ON_THE_GROUP)
    if call.services.settings.has_tier("premium"):
        result |= _shown(settings, Reader.ON_THE_GROUP, "premium")
    if is_root:
        result |= _shown(settings, Reader.ON_ROOT_GROUPS)
    if owns:
        result |= _shown(settings, Reader.OWNERS)
    if owns and is_root:
        result |= _shown(settings, Reader.OWNERS_OF_ROOT_GROUPS)
    return result


def present(call: Call, rows: Sequence[NamespaceRow]) -> list[Group]:
    """A page of groups."""
    if not rows:
        return []
    usual = application_settings(call.conn)
    ids = [row.id for row in rows]
    attributes = _attributes(call, ids)
    statistics = _statistics(call, ids)
    lfs = _lfs(call, ids)
    return [
        Group(
            **_fields(row, GroupSettings.of(row), usual, lfs[row.id], call.base_url),
            **_licensed(call, row, GroupSettings.of(row)),
            custom_attributes=attributes.get(row.id, UNSET),
            statistics=statistics.get(row.id, UNSET),
        )
        for row in rows
    ]


def _lfs(call: Call, ids: Collection[int]) -> dict[int, bool]:
    """Whether each group offers Git LFS: its own choice, or that of the closest group above that has one."""
    is_on, inherited = call.services.settings.lfs, lfs_of_namespaces(call.conn, ids)
    return {number: is_on and inherited[number] for number in ids}


def _attributes(call: Call, ids: Collection[int]) -> dict[int, list[CustomAttribute]]:
    if not (call.actor.is_admin and getattr(call.params, "with_custom_attributes", False)):
        return {}
    return attributes_by_owner(call.conn, group_custom_attributes, ids)


def _statistics(call: Call, ids: Collection[int]) -> dict[int, GroupStatistics]:
    if not (call.actor.is_admin and getattr(call.params, "statistics", False)):
        return {}
    table, names = project_statistics, GroupStatistics.__struct_fields__
    sums = call.conn.execute(
        select(projects.c.namespace_id, *(func.sum(table.c[name]).label(name) for name in names))
        .join_from(projects, table, table.c.project_id == projects.c.id)
        .where(projects.c.namespace_id.in_(ids))
        .group_by(projects.c.namespace_id)
    )
    result = {row.namespace_id: GroupStatistics(**{name: int(getattr(row, name)) for name in names}) for row in sums}
    nothing = GroupStatistics(**dict.fromkeys(names, 0))
    return {number: result.get(number, nothing) for number in ids}


def present_detail(call: Call, group: subjects.Group, *, with_projects: bool = True) -> GroupDetail:
    """One group, with what the caller's role shows."""
    settings = GroupSettings.of(group)
    owns = call.actor.is_admin or group.level >= OWNER
    if group.parent_id is None:  # nothing to inherit, and nothing to look up
        has_lfs = call.services.settings.lfs and settings.lfs_enabled is not False
    else:
        has_lfs = _lfs(call, [group.id])[group.id]
    return GroupDetail(
        **_fields(group, settings, application_settings(call.conn), has_lfs, call.base_url),
        **_licensed(call, group, settings),
        custom_attributes=_attributes(call, [group.id]).get(group.id, UNSET),
        shared_with_groups=_shares(call, group.id),
        projects=_projects(call, _own_projects(call, group.id)) if with_projects else UNSET,
        shared_projects=_projects(call, _invited_projects(call, group.id)) if with_projects else UNSET,
        **_shown_on_the_group(call, group, settings),
        saml_group_links=_saml_links(call, group.id) if owns else UNSET,
    )


def _saml_links(call: Call, group_id: int) -> list[SamlGroupLink] | UnsetType:
    """Shown only where there are some."""
    rows = list_links(call.conn, group_id) if call.services.settings.has_tier("premium") else []
    custom_roles = call.services.settings.has_tier("ultimate")
    return [group_link(row, custom_roles=custom_roles) for row in rows] or UNSET


def _shares(call: Call, group_id: int) -> list[SharedWithGroup]:
    links = group_group_links
    rows = call.conn.execute(
        select(links.c.invited_group_id, links.c.access_level, links.c.expires_at, namespaces.c.name,
               namespaces.c.full_path)
        .join_from(links, namespaces, namespaces.c.id == links.c.invited_group_id)
        .where(links.c.group_id == group_id, visible_groups(call.actor))
        .where(or_(links.c.expires_at.is_(None), links.c.expires_at > today()))
        .order_by(links.c.id)
    )  # fmt: skip
    return [
        SharedWithGroup(
            group_id=row.invited_group_id,
            group_name=row.name,
            group_full_path=row.full_path,
            group_access_level=row.access_level,
            expires_at=row.expires_at,
        )
        for row in rows
    ]


def _visible(call: Call) -> Select[Any]:
    rights = project_authorizations
    own_rights = and_(rights.c.project_id == projects.c.id, rights.c.user_id == (call.actor.user_id or 0))
    return (
        select(*projects.c, rights.c.access_level.label("actor_level"))
        .join_from(projects, rights, own_rights, isouter=True)
        .where(visible_projects(call.actor))
        .order_by(projects.c.id.desc())
        .limit(MOST_PROJECTS)
    )


def _own_projects(call: Call, group_id: int) -> Select[Any]:
    return _visible(call).where(projects.c.namespace_id == group_id)


def _invited_projects(call: Call, group_id: int) -> Select[Any]:
    links = project_group_links
    live = or_(links.c.expires_at.is_(None), links.c.expires_at > today())
    return _visible(call).where(projects.c.id.in_(select(links.c.project_id).where(links.c.group_id == group_id, live)))


def _projects(call: Call, statement: Select[Any]) -> list[ProjectFull]:
    rows = call.conn.execute(statement).all()
    if call.actor.is_anonymous:
        return [ProjectFull(**msgspec.structs.asdict(entity)) for entity in present_simple(call, rows)]
    return present_full(call, rows, Showing())


def present_locations(call: Call, rows: Sequence[NamespaceRow]) -> list[GroupLocation]:
    """A page of places to move to."""
    return [
        GroupLocation(
            id=row.id,
            web_url=group_web_url(row.full_path, call.base_url),
            name=row.name,
            avatar_url=group_avatar_url(row, call.base_url),
            full_name=row.full_name,
            full_path=row.full_path,
        )
        for row in rows
    ]
