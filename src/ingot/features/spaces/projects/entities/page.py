"""Presenting projects, one or a page, in the simple or the full form."""

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import Connection

from ingot.access import policy
from ingot.access.call import Call
from ingot.access.subjects import Project
from ingot.features.people.custom_attributes import attributes_by_owner, project_custom_attributes
from ingot.features.spaces.projects.entities.full import ProjectFull
from ingot.features.spaces.projects.entities.full_page import FullPage
from ingot.features.spaces.projects.entities.loads import (
    load_fork_counts,
    load_namespaces,
    load_topics,
    load_visible,
    subject_of,
)
from ingot.features.spaces.projects.entities.namespace import namespace_basic
from ingot.features.spaces.projects.entities.showing import Showing
from ingot.features.spaces.projects.entities.simple import ProjectSimple, license_values, simple_values
from ingot.features.spaces.projects.rows import ListedProjectRow
from ingot.kit.actor import Actor


def present_simple(
    call: Call, rows: Sequence[ListedProjectRow | Project], showing: Showing | None = None
) -> list[ProjectSimple]:
    """A page in the simple form."""
    return _simple(call.conn, call.actor, call.base_url, [subject_of(row) for row in rows], showing or Showing())


def simple_by_id(conn: Connection, actor: Actor, base_url: str, ids: Iterable[int | None]) -> dict[int, ProjectSimple]:
    """Those of these projects that the actor may see, in the simple form."""
    project_ids = {number for number in ids if number is not None}
    if not project_ids:
        return {}
    result = _simple(conn, actor, base_url, load_visible(conn, actor, project_ids), Showing())
    return {entity.id: entity for entity in result}


def present_full(call: Call, rows: Sequence[ListedProjectRow | Project], showing: Showing) -> list[ProjectFull]:
    """A page in the full form."""
    if not rows:
        return []
    return FullPage(call, [subject_of(row) for row in rows], showing).entities()


def project_for_anonymous(call: Call, project: Project, showing: Showing) -> ProjectFull:
    """The simple form, with the parent of a fork and, on request, the licence."""
    result = _simple(call.conn, call.actor, call.base_url, [project], showing)[0]
    created = ProjectFull(**msgspec.structs.asdict(result))
    parents = simple_by_id(call.conn, call.actor, call.base_url, [project.forked_from_id])
    if project.forked_from_id in parents:
        created.forked_from_project = parents[project.forked_from_id]
    return created


def project_full(call: Call, project_id: int, showing: Showing | None = None) -> ProjectFull:
    """One project as the answer of a command, read again after its transaction."""
    rows = load_visible(call.conn, call.actor, [project_id])
    return present_full(call, rows, showing or Showing())[0]


def _simple(
    conn: Connection, actor: Actor, base_url: str, subjects: list[Project], showing: Showing
) -> list[ProjectSimple]:
    if not subjects:
        return []
    spaces, tags = load_namespaces(conn, subjects), load_topics(conn, subjects)
    forks = load_fork_counts(conn, actor, subjects)
    attributes = None
    if showing.custom_attributes and actor.is_admin:
        attributes = attributes_by_owner(conn, project_custom_attributes, [row.id for row in subjects])
    created = []
    for project in subjects:
        reads_code = policy.READ_CODE.allows(actor, project)
        values = simple_values(
            project.row,
            base_url,
            topics=tags.get(project.id, []),
            namespace=namespace_basic(spaces[project.namespace_id], base_url),
            reads_code=reads_code,
            forks_count=forks.get(project.id, 0),
        )
        if showing.license:
            values |= license_values(project, base_url, reads_code=reads_code)
        if attributes is not None:
            values["custom_attributes"] = attributes[project.id]
        if actor.is_admin:
            values["repository_storage"] = project.repository_storage
        created.append(ProjectSimple(**values))
    return created
