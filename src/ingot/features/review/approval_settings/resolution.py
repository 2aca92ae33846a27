"""Combining settings of instance, top-level group and project: a parent can only restrict, or only require.

The first four need the consent of every level that has a value; the others are on if one level requires it.
"""

from typing import Any, Protocol

import msgspec
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Integer,
    Select,
    Table,
    and_,
    bindparam,
    exists,
    false,
    func,
    literal,
    literal_column,
    select,
    union_all,
)

from ingot.access.tables import namespace_ancestors, namespaces
from ingot.features.review.approval_settings.tables import NAMES, group_approval_settings, project_approval_settings
from ingot.instance import application_settings
from ingot.kit.statements import lasting

RESTRICTING = NAMES[:4]
DEMANDING = NAMES[4:]

# The defaults.
GROUP_DEFAULTS = dict(zip(NAMES, (True, True, True, False, False, False), strict=True))
PROJECT_DEFAULTS = dict(zip(NAMES, (False, True, True, False, False, False), strict=True))

INSTANCE = {
    "allow_author_approval": "prevent_merge_requests_author_approval",
    "allow_committer_approval": "prevent_merge_requests_committers_approval",
    "allow_overrides_to_approver_list_per_merge_request": "disable_overriding_approvers_per_merge_request",
}


class Entry(msgspec.Struct, frozen=True):
    """One setting as it applies."""

    value: bool
    locked: bool
    inherited_from: str | None


class PlacedProject(Protocol):
    """A project, as the settings need it."""

    @property
    def id(self) -> int:
        """Its id."""

    @property
    def namespace_id(self) -> int:
        """Where it is."""


Choices = dict[str, bool] | None


def resolve(instance: dict[str, bool], group: Choices, project: Choices, *, for_project: bool) -> dict[str, Entry]:
    """All entries; absent choices are None."""
    result = {}
    for name in RESTRICTING:
        levels = [
            project[name] if project is not None else None,
            group[name] if group is not None else None,
            instance.get(name),
        ]
        result[name] = _restricting(*levels)
    for name in DEMANDING:
        above = bool(group and group[name])
        own = bool(project and project[name])
        locked = for_project and above
        result[name] = Entry(above or own, locked, "group" if locked else None)
    return result


def _restricting(project: bool | None, group: bool | None, instance: bool | None) -> Entry:
    levels = [level for level in (project, group, instance) if level is not None]
    locked = instance is False or False in levels[1:]
    source = None
    if instance is False:
        source = "instance"
    elif group is False and project is not None:
        source = "group"
    return Entry(all(levels), locked, source)


def instance_choices(conn: Connection) -> dict[str, bool]:
    """What the instance permits."""
    settings = application_settings(conn)
    return {name: not settings[prevented] for name, prevented in INSTANCE.items()}


def _choices(conn: Connection, query: Select[Any]) -> Choices:
    row = conn.execute(query).one_or_none()
    return None if row is None else {name: getattr(row, name) for name in NAMES}


def group_choices(conn: Connection, group_id: int) -> Choices:
    """What a group chose, or None."""
    return _choices(conn, select(group_approval_settings).where(group_approval_settings.c.group_id == group_id))


def project_choices(conn: Connection, project_id: int) -> Choices:
    """What a project chose, or None."""
    table = project_approval_settings
    return _choices(conn, select(table).where(table.c.project_id == project_id))


def _top_group_choices(conn: Connection, namespace_id: int) -> Choices:
    """Only the top-level group counts."""
    above = (
        select(namespace_ancestors.c.ancestor_id)
        .join_from(namespace_ancestors, namespaces, namespaces.c.id == namespace_ancestors.c.ancestor_id)
        .where(
            namespace_ancestors.c.namespace_id == namespace_id,
            namespaces.c.parent_id.is_(None),
            namespaces.c.kind == "group",
        )
    )
    return _choices(conn, select(group_approval_settings).where(group_approval_settings.c.group_id.in_(above)))


def for_group(conn: Connection, group_id: int) -> dict[str, Entry]:
    """The settings of a top-level group."""
    chosen = group_choices(conn, group_id) or GROUP_DEFAULTS
    return resolve(instance_choices(conn), chosen, None, for_project=False)


def for_project(conn: Connection, project: PlacedProject) -> dict[str, Entry]:
    """The settings that apply to a project."""
    chosen = project_choices(conn, project.id) or PROJECT_DEFAULTS
    group = _top_group_choices(conn, project.namespace_id)
    return resolve(instance_choices(conn), group, chosen, for_project=True)


_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_SPACES: BindParameter[int] = bindparam("namespace_ids", expanding=True)


def _chosen(table: Table, place: ColumnElement[int], *, in_groups: bool) -> Select[Any]:
    kind = literal_column("1" if in_groups else "0", Integer).label("in_group")
    return select(kind, place.label("place_id"), *(table.c[name] for name in NAMES))


# The choices of projects, and those of the top-level groups above their namespaces.
_OF_PROJECTS_AND_GROUPS = lasting(
    union_all(
        _chosen(project_approval_settings, project_approval_settings.c.project_id, in_groups=False).where(
            project_approval_settings.c.project_id.in_(_IDS)
        ),
        _chosen(group_approval_settings, namespace_ancestors.c.namespace_id, in_groups=True)
        .join_from(
            namespace_ancestors,
            group_approval_settings,
            group_approval_settings.c.group_id == namespace_ancestors.c.ancestor_id,
        )
        .join(namespaces, namespaces.c.id == namespace_ancestors.c.ancestor_id)
        .where(namespace_ancestors.c.namespace_id.in_(_SPACES), namespaces.c.parent_id.is_(None)),
    )
)


def for_projects(conn: Connection, namespaces_by_project: dict[int, int]) -> dict[int, dict[str, Entry]]:
    """The settings of many projects (project id -> namespace id), in two queries."""
    instance = instance_choices(conn)
    own: dict[int, dict[str, bool]] = {}
    groups: dict[int, dict[str, bool]] = {}
    places = {"ids": list(namespaces_by_project), "namespace_ids": sorted(set(namespaces_by_project.values()))}
    for row in conn.execute(_OF_PROJECTS_AND_GROUPS, places):
        (groups if row.in_group else own)[row.place_id] = {name: getattr(row, name) for name in NAMES}
    return {
        project_id: resolve(instance, groups.get(namespace_id), own.get(project_id, PROJECT_DEFAULTS), for_project=True)
        for project_id, namespace_id in namespaces_by_project.items()
    }


def permits(conn: Connection, projects: Table) -> dict[str, ColumnElement[bool]]:
    """The settings that instance, group and project can each forbid, as conditions on a list of projects."""
    instance = instance_choices(conn)
    return {name: _permitted(name, projects) if instance.get(name, True) else false() for name in RESTRICTING}


def _permitted(name: str, projects: Table) -> ColumnElement[bool]:
    above, own = group_approval_settings, project_approval_settings
    forbidden = exists().correlate_except(namespace_ancestors, namespaces, above)
    forbidden = forbidden.where(
        namespace_ancestors.c.namespace_id == projects.c.namespace_id,
        namespaces.c.id == namespace_ancestors.c.ancestor_id,
        namespaces.c.parent_id.is_(None),
        above.c.group_id == namespaces.c.id,
        above.c[name].is_(False),
    )
    chosen = select(own.c[name]).where(own.c.project_id == projects.c.id).correlate_except(own).scalar_subquery()
    return and_(func.coalesce(chosen, literal(PROJECT_DEFAULTS[name])).is_(True), ~forbidden)
