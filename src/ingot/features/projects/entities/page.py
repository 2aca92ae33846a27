"""Presenting projects: what a page needs from other tables is loaded once, in a fixed number of statements."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, or_, select

from ingot.access import policy
from ingot.access.levels import NO_ACCESS
from ingot.access.subjects import Project
from ingot.access.tables import (
    members,
    namespace_ancestors,
    namespaces,
    project_authorizations,
    project_group_links,
    projects,
)
from ingot.access.visibility import visible_groups, visible_projects
from ingot.features.custom_attributes import attributes_by_owner, project_custom_attributes
from ingot.features.projects.entities import fields
from ingot.features.projects.entities.full import Access, Permissions, ProjectFull, SharedWithGroup, Statistics
from ingot.features.projects.entities.namespace import namespace_basic, namespaces_with_owners
from ingot.features.projects.entities.simple import ProjectSimple, license_values, simple_values
from ingot.features.projects.settings import project_settings
from ingot.features.projects.tables import (
    project_statistics,
    project_topics,
    topics,
)
from ingot.features.users import user_basic
from ingot.instance.settings import DEFAULTS
from ingot.instance.tables import application_settings_table
from ingot.kit.actor import Actor
from ingot.kit.call import Call
from ingot.kit.clock import today
from ingot.kit.entity import group_by

INSTANCE_SETTINGS = ("service_desk_enabled", "auto_devops_enabled")


@dataclass(frozen=True, slots=True)
class Showing:
    """What the full form has beyond its plain fields in an answer."""

    permissions: str | None = None  # single | list
    statistics: bool = False
    custom_attributes: bool = False
    license: bool = False
    import_error: bool = False


def present_simple(call: Call, rows: Sequence[Any], showing: Showing | None = None) -> list[ProjectSimple]:
    """A page in the simple form."""
    return _simple(call.conn, call.actor, call.base_url, [_subject(row) for row in rows], showing or Showing())


def simple_by_id(conn: Connection, actor: Actor, base_url: str, ids: Iterable[int | None]) -> dict[int, ProjectSimple]:
    """Those of these projects that the actor may see, in the simple form."""
    wanted = {number for number in ids if number is not None}
    if not wanted:
        return {}
    found = _simple(conn, actor, base_url, _load(conn, actor, wanted), Showing())
    return {entity.id: entity for entity in found}


def present_full(call: Call, rows: Sequence[Any], showing: Showing) -> list[ProjectFull]:
    """A page in the full form."""
    if not rows:
        return []
    return _Page(call, [_subject(row) for row in rows], showing).entities()


def project_for_anonymous(call: Call, project: Project, showing: Showing) -> ProjectFull:
    """The simple form, with the parent of a fork and where asked the licence."""
    found = _simple(call.conn, call.actor, call.base_url, [project], showing)[0]
    made = ProjectFull(**msgspec.structs.asdict(found))
    parents = simple_by_id(call.conn, call.actor, call.base_url, [project.forked_from_id])
    if project.forked_from_id in parents:
        made.forked_from_project = parents[project.forked_from_id]
    return made


def project_full(call: Call, project_id: int, showing: Showing | None = None) -> ProjectFull:
    """One project as the answer of a command, read again after its transaction."""
    rows = _load(call.conn, call.actor, [project_id])
    return present_full(call, rows, showing or Showing())[0]


def _subject(row: Any) -> Project:
    return row if isinstance(row, Project) else Project(row, row.actor_level or NO_ACCESS)


def _load(conn: Connection, actor: Actor, ids: Collection[int]) -> list[Project]:
    rights = project_authorizations
    statement = (
        select(*projects.c, rights.c.access_level.label("actor_level"))
        .join_from(
            projects,
            rights,
            and_(rights.c.project_id == projects.c.id, rights.c.user_id == (actor.user_id or 0)),
            isouter=True,
        )
        .where(projects.c.id.in_(ids), visible_projects(actor))
    )
    return [_subject(row) for row in conn.execute(statement)]


def _namespaces(conn: Connection, rows: Iterable[Any]) -> dict[int, Any]:
    wanted = {row.namespace_id for row in rows}
    found = conn.execute(namespaces_with_owners().where(namespaces.c.id.in_(wanted)))
    return {row.namespace_id: row for row in found}


def _topics(conn: Connection, rows: Iterable[Any]) -> dict[int, list[str]]:
    wanted = [row.id for row in rows]
    found = conn.execute(
        select(project_topics.c.project_id, topics.c.name)
        .join_from(project_topics, topics, topics.c.id == project_topics.c.topic_id)
        .where(project_topics.c.project_id.in_(wanted))
        .order_by(topics.c.name)
    )
    return {key: [row.name for row in part] for key, part in group_by(found, lambda row: row.project_id).items()}


def _simple(
    conn: Connection, actor: Actor, base_url: str, subjects: list[Project], showing: Showing
) -> list[ProjectSimple]:
    if not subjects:
        return []
    spaces, tags = _namespaces(conn, subjects), _topics(conn, subjects)
    attributes = None
    if showing.custom_attributes and actor.is_admin:
        attributes = attributes_by_owner(conn, project_custom_attributes, [row.id for row in subjects])
    made = []
    for project in subjects:
        reads_code = policy.READ_CODE.held(actor, project)
        values = simple_values(
            project.row,
            base_url,
            topics=tags.get(project.id, []),
            namespace=namespace_basic(spaces[project.namespace_id], base_url),
            reads_code=reads_code,
        )
        if showing.license:
            values |= license_values(project, base_url, reads_code=reads_code)
        if attributes is not None:
            values["custom_attributes"] = attributes[project.id]
        if actor.is_admin:
            values["repository_storage"] = project.repository_storage
        made.append(ProjectSimple(**values))
    return made


class _Page:
    """The bulk loads of one page in the full form."""

    def __init__(self, call: Call, shown: list[Project], showing: Showing) -> None:
        self.call, self.conn, self.actor, self.base_url = call, call.conn, call.actor, call.base_url
        self.shown, self.showing = shown, showing
        self.ids = [project.id for project in shown]
        upstream = {project.forked_from_id for project in shown} - {None}
        parents = _load(self.conn, self.actor, upstream) if upstream else []
        together = [*shown, *parents]
        self.spaces, self.tags = _namespaces(self.conn, together), _topics(self.conn, together)
        self.parents = {parent.id: self._simple_form(parent) for parent in parents}
        self.shares = self._load_shares()
        self.memberships = self._load_memberships() if showing.permissions and not self.actor.is_anonymous else {}
        self.statistics = self._load_statistics() if showing.statistics else {}
        wants_attributes = showing.custom_attributes and self.actor.is_admin
        self.attributes = (
            attributes_by_owner(self.conn, project_custom_attributes, self.ids) if wants_attributes else {}
        )
        self.instance = self._load_instance_settings()

    def entities(self) -> list[ProjectFull]:
        return [self._entity(project) for project in self.shown]

    def _entity(self, project: Project) -> ProjectFull:
        actor, settings = self.actor, project_settings(project)
        reads_code = policy.READ_CODE.held(actor, project)
        values = self._shared_values(project, reads_code=reads_code)
        if not reads_code:
            for name in ("default_branch", "readme_url", "forks_count"):
                del values[name]
        values |= fields.open_values(project, settings, actor, self.base_url, self.instance)
        values |= fields.role_values(project, settings, actor, self.base_url, self.instance)
        values |= fields.licensed_values(project, settings, actor, self.call.services.settings)
        values["shared_with_groups"] = self.shares.get(project.id, [])
        if project.forked_from_id in self.parents:
            values["forked_from_project"] = self.parents[project.forked_from_id]
        space = self.spaces[project.namespace_id]
        if space.kind == "user" and space.id is not None:
            values["owner"] = user_basic(space, self.base_url)
        return ProjectFull(**values, **self._asked_values(project, reads_code=reads_code))

    def _asked_values(self, project: Project, *, reads_code: bool) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.showing.license:
            found |= license_values(project, self.base_url, reads_code=reads_code)
        if self.showing.import_error and policy.ADMIN_PROJECT.held(self.actor, project):
            found["import_error"] = project.import_error
        if self.showing.statistics and policy.READ_STATISTICS.held(self.actor, project):
            found["statistics"] = self.statistics[project.id]
        if self.attributes:
            found["custom_attributes"] = self.attributes[project.id]
        if self.showing.permissions and not self.actor.is_anonymous:
            found["permissions"] = self._permissions(project)
        return found

    def _shared_values(self, project: Project, *, reads_code: bool) -> dict[str, Any]:
        return simple_values(
            project.row,
            self.base_url,
            topics=self.tags.get(project.id, []),
            namespace=namespace_basic(self.spaces[project.namespace_id], self.base_url),
            reads_code=reads_code,
        )

    def _simple_form(self, project: Project) -> ProjectSimple:
        values = self._shared_values(project, reads_code=policy.READ_CODE.held(self.actor, project))
        if self.actor.is_admin:
            values["repository_storage"] = project.repository_storage
        return ProjectSimple(**values)

    def _load_shares(self) -> dict[int, list[SharedWithGroup]]:
        link = project_group_links
        rows = self.conn.execute(
            select(link, namespaces.c.name, namespaces.c.full_path)
            .join_from(link, namespaces, namespaces.c.id == link.c.group_id)
            .where(link.c.project_id.in_(self.ids), visible_groups(self.actor))
            .order_by(link.c.id)
        )
        found: dict[int, list[SharedWithGroup]] = {}
        for row in rows:
            found.setdefault(row.project_id, []).append(
                SharedWithGroup(
                    group_id=row.group_id,
                    group_name=row.name,
                    group_full_path=row.full_path,
                    group_access_level=row.access_level,
                    expires_at=row.expires_at,
                )
            )
        return found

    def _load_memberships(self) -> dict[tuple[str, int], Any]:
        """The caller's own memberships: of the projects, and of the groups around them."""
        groups: Any = [project.namespace_id for project in self.shown]
        if self.showing.permissions == "single":
            # spec: permissions - the single call looks at all ancestors, the list at the parent group alone
            groups = select(namespace_ancestors.c.ancestor_id).where(
                namespace_ancestors.c.namespace_id == self.shown[0].namespace_id
            )
        rows = self.conn.execute(
            select(members.c.project_id, members.c.group_id, members.c.access_level, members.c.notification_level)
            .where(
                members.c.user_id == self.actor.id,
                or_(members.c.project_id.in_(self.ids), members.c.group_id.in_(groups)),
                or_(members.c.expires_at.is_(None), members.c.expires_at > today()),
            )
            .order_by(members.c.access_level)
        )
        found: dict[tuple[str, int], Any] = {}
        for row in rows:
            if row.project_id is not None:
                found["project", row.project_id] = row
            elif self.showing.permissions == "single":
                found["group", self.shown[0].namespace_id] = row
            else:
                found["group", row.group_id] = row
        return found

    def _permissions(self, project: Project) -> Permissions:
        def access(row: Any) -> Access | None:
            if row is None:
                return None
            return Access(access_level=row.access_level, notification_level=row.notification_level)

        return Permissions(
            project_access=access(self.memberships.get(("project", project.id))),
            group_access=access(self.memberships.get(("group", project.namespace_id))),
        )

    def _load_statistics(self) -> dict[int, Statistics]:
        table = project_statistics
        rows = self.conn.execute(select(table).where(table.c.project_id.in_(self.ids)))
        names = Statistics.__struct_fields__
        return {row.project_id: Statistics(**{name: getattr(row, name) for name in names}) for row in rows}

    def _load_instance_settings(self) -> dict[str, Any]:
        table = application_settings_table
        rows = self.conn.execute(select(table.c.name, table.c.value).where(table.c.name.in_(INSTANCE_SETTINGS)))
        return {name: DEFAULTS[name] for name in INSTANCE_SETTINGS} | {row.name: row.value for row in rows}
