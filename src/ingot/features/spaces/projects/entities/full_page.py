"""A page of projects in the full form, loaded with a fixed number of statements."""

from copy import copy
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Row, Select, bindparam, or_, select

from ingot.access import policy, ssh_addresses
from ingot.access.call import Call
from ingot.access.kinds import ActorKind, actor_values, kind_of
from ingot.access.subjects import Project
from ingot.access.tables import members, namespace_ancestors, namespaces, project_group_links
from ingot.access.visibility import visible_groups
from ingot.features.people.custom_attributes import attributes_by_owner, project_custom_attributes
from ingot.features.people.users import UserBasic, user_basic
from ingot.features.spaces.projects.entities.fields import Rights, View
from ingot.features.spaces.projects.entities.full import ProjectFull
from ingot.features.spaces.projects.entities.loads import (
    load_fork_counts,
    load_hidden_issue_counts,
    load_namespaces,
    load_topics,
    load_visible,
    namespaces_query,
    topics_query,
)
from ingot.features.spaces.projects.entities.namespace import NamespaceBasic, namespace_basic
from ingot.features.spaces.projects.entities.parts import Access, Permissions, SharedWithGroup, Statistics
from ingot.features.spaces.projects.entities.profiles import RUNNERS_TOKEN, Profile, Profiles
from ingot.features.spaces.projects.entities.showing import Showing
from ingot.features.spaces.projects.entities.shown_settings import INSTANCE_DEFAULTS
from ingot.features.spaces.projects.entities.simple import ProjectSimple, host_of, license_values, simple_values
from ingot.features.spaces.projects.settings import ProjectSettings
from ingot.features.spaces.projects.tables import project_statistics
from ingot.instance.settings import named_settings, settings_query
from ingot.kit.clock import today
from ingot.kit.entity import UNSET
from ingot.kit.statements import Query, sent_together
from ingot.kit.unchanged import Unchanged

_shown: Unchanged[ProjectFull] = Unchanged()

_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_STATISTICS = select(project_statistics).where(project_statistics.c.project_id.in_(_IDS))


@cache
def _shares(kind: ActorKind) -> Select[Any]:
    link = project_group_links
    return (
        select(link, namespaces.c.name, namespaces.c.full_path)
        .join_from(link, namespaces, namespaces.c.id == link.c.group_id)
        .where(link.c.project_id.in_(_IDS), visible_groups(kind.anybody()))
        .order_by(link.c.id)
    )


def _memberships(in_groups: ColumnElement[bool]) -> Select[Any]:
    return (
        select(members.c.project_id, members.c.group_id, members.c.access_level, members.c.notification_level)
        .where(
            members.c.user_id == bindparam("actor_id"),
            or_(members.c.project_id.in_(_IDS), in_groups),
            or_(members.c.expires_at.is_(None), members.c.expires_at > bindparam("today")),
        )
        .order_by(members.c.access_level)
    )


_OF_PARENTS = _memberships(members.c.group_id.in_(bindparam("groups", expanding=True)))
_OF_ANCESTORS = _memberships(
    members.c.group_id.in_(
        select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == bindparam("groups"))
    )
)


class FullPage:
    """The bulk loads of one page in the full form."""

    def __init__(self, call: Call, shown: list[Project], showing: Showing) -> None:
        self.call, self.conn, self.actor, self.base_url = call, call.conn, call.actor, call.base_url
        self.shown, self.showing = shown, showing
        self.ids = [project.id for project in shown]
        upstream = {source for project in shown if (source := project.row.forked_from_id) is not None}
        parents = load_visible(self.conn, self.actor, upstream) if upstream else []
        together = [*shown, *parents]
        is_member = showing.permissions and not self.actor.is_anonymous
        with sent_together(
            self.conn,
            namespaces_query(together),
            *([topics_query(together)] if showing.topics else []),
            *([self._shares_query()] if showing.shares else []),
            *([self._memberships_query()] if is_member else []),
            settings_query(*INSTANCE_DEFAULTS),
        ):
            spaces = load_namespaces(self.conn, together)
            self.tags = load_topics(self.conn, together) if showing.topics else {}
            self.shares = self._load_shares() if showing.shares else {}
            self.memberships = self._load_memberships() if is_member else {}
            self.instance = named_settings(self.conn, *INSTANCE_DEFAULTS)
        self.namespaces: dict[int, NamespaceBasic] = {}
        self.lfs: dict[int, bool] = {}
        self.owners: dict[int, UserBasic] = {}
        for number, space in spaces.items():
            self.namespaces[number] = namespace_basic(space, self.base_url)
            self.lfs[number] = space.lfs_enabled is not False
            if space.kind == "user" and space.id is not None:
                self.owners[number] = user_basic(space, self.base_url)
        self.forks = load_fork_counts(self.conn, self.actor, together)
        self.hidden_issues = load_hidden_issue_counts(self.conn, self.actor, shown)
        self.parents = {parent.id: self._simple_form(parent) for parent in parents}
        self.statistics = self._load_statistics() if showing.statistics else {}
        wants_attributes = showing.custom_attributes and self.actor.is_admin
        self.attributes = (
            attributes_by_owner(self.conn, project_custom_attributes, self.ids) if wants_attributes else {}
        )
        self.profiles = Profiles(call.services.settings, self.actor, self.instance)
        address = ssh_addresses.url_of(host_of(self.base_url), "")
        # What all records of the page have in common.
        self.form = (self.profiles.caller, self.base_url, showing, call.services.settings.lfs, address)

    def entities(self) -> list[ProjectFull]:
        """The page, in order."""
        return [self._entity(project) for project in self.shown]

    def _entity(self, project: Project) -> ProjectFull:
        # What custom roles add is no part of the row, nor of the caller's level.
        profile = None if project.custom is None else self._profile(project)
        key, parts = (project.id, project.level, self.form, id(profile)), self._parts(project)
        shown = _shown.find(key, (*parts, profile))
        if shown is None:
            seen = profile or self._profile(project)
            entity = self._make(self._view(project, seen.settings, seen.rights), seen)
            shown = _shown.keep(key, (*parts, profile), entity, project.row.description_html)
        return shown

    def _profile(self, project: Project) -> Profile:
        return self.profiles.of(project, lambda settings, rights: self._view(project, settings, rights))

    def _parts(self, project: Project) -> tuple[object, ...]:
        """All that the full form of a project is made from, beside what all of the page have in common."""
        row = project.row
        number, space = row.id, row.namespace_id
        return (
            row,
            self.owners.get(space),
            self.parents.get(row.forked_from_id or 0),
            self.shares.get(number),
            self.hidden_issues.get(number),
            self.memberships.get(("project", number)),
            self.memberships.get(("group", space)),
            self.statistics.get(number),
            self.tags.get(number),
            self.namespaces[space],
            self.forks.get(number),
            self.lfs[space],
            self.attributes.get(number),
        )

    def _make(self, view: View, profile: Profile) -> ProjectFull:
        row = view.project.row
        reads_code = profile.rights.reads_code
        values = self._shared_values(view.project, reads_code=reads_code)
        if not reads_code:
            for name in ("default_branch", "readme_url", "forks_count"):
                del values[name]
        own_lfs = profile.settings.lfs_enabled
        has_lfs = self.lfs[row.namespace_id] if own_lfs is None else own_lfs
        values["lfs_enabled"] = has_lfs and self.call.services.settings.lfs
        if profile.sees_runners_token:
            values[RUNNERS_TOKEN] = (row.settings or {}).get(RUNNERS_TOKEN, "")
        if self.showing.license:
            values |= license_values(row, self.base_url, reads_code=reads_code)
        if self.attributes:
            values["custom_attributes"] = self.attributes[row.id]
        # A hundred fields are the profile's; naming them all for a new record would take longer than the rest.
        entity = copy(profile.form)
        for name, value in values.items():
            setattr(entity, name, value)
        for name, compute in profile.fields:
            setattr(entity, name, compute(view))
        return entity

    def _view(self, project: Project, settings: ProjectSettings, rights: Rights) -> View:
        row, showing = project.row, self.showing
        has_statistics = showing.statistics and policy.READ_STATISTICS.allows(self.actor, project)
        return View(
            project,
            settings,
            rights,
            self.actor,
            self.base_url,
            self.instance,
            owner=self.owners.get(row.namespace_id, UNSET),
            parent=UNSET if row.forked_from_id is None else self.parents.get(row.forked_from_id, UNSET),
            shares=self.shares.get(row.id, []),
            hidden_issues=self.hidden_issues.get(row.id, 0),
            permissions=self._permissions(project) if showing.permissions and not self.actor.is_anonymous else UNSET,
            statistics=self.statistics[row.id] if has_statistics else UNSET,
            import_error=row.import_error if showing.import_error else UNSET,
        )

    def _shared_values(self, project: Project, *, reads_code: bool) -> dict[str, Any]:
        row = project.row
        result = simple_values(
            row,
            self.base_url,
            topics=self.tags.get(row.id, []),
            namespace=self.namespaces[row.namespace_id],
            reads_code=reads_code,
            forks_count=self.forks.get(row.id, 0),
        )
        if self.actor.is_admin:
            result["repository_storage"] = row.repository_storage
        return result

    def _simple_form(self, project: Project) -> ProjectSimple:
        return ProjectSimple(**self._shared_values(project, reads_code=policy.READ_CODE.allows(self.actor, project)))

    def _shares_query(self) -> Query:
        return _shares(kind_of(self.actor)), {"ids": self.ids, **actor_values(self.actor)}

    def _load_shares(self) -> dict[int, list[SharedWithGroup]]:
        result: dict[int, list[SharedWithGroup]] = {}
        for row in self.conn.execute(*self._shares_query()):
            result.setdefault(row.project_id, []).append(
                SharedWithGroup(
                    group_id=row.group_id,
                    group_name=row.name,
                    group_full_path=row.full_path,
                    group_access_level=row.access_level,
                    expires_at=row.expires_at,
                )
            )
        return result

    def _memberships_query(self) -> Query:
        """The caller's own memberships: of the projects, and of the groups around them."""
        is_single = self.showing.permissions == "single"
        # spec: permissions - the single call looks at all ancestors, the list at the parent group alone
        here = {project.row.namespace_id for project in self.shown}
        groups = self.shown[0].row.namespace_id if is_single else sorted(here)
        values = {"ids": self.ids, "groups": groups, "actor_id": self.actor.id, "today": today()}
        return _OF_ANCESTORS if is_single else _OF_PARENTS, values

    def _load_memberships(self) -> dict[tuple[str, int], Any]:
        result: dict[tuple[str, int], Any] = {}
        for row in self.conn.execute(*self._memberships_query()):
            if row.project_id is not None:
                result["project", row.project_id] = row
            elif self.showing.permissions == "single":
                result["group", self.shown[0].row.namespace_id] = row
            else:
                result["group", row.group_id] = row
        return result

    def _permissions(self, project: Project) -> Permissions:
        def access(row: Row[Any] | None) -> Access | None:
            if row is None:
                return None
            return Access(access_level=row.access_level, notification_level=row.notification_level)

        return Permissions(
            project_access=access(self.memberships.get(("project", project.id))),
            group_access=access(self.memberships.get(("group", project.namespace_id))),
        )

    def _load_statistics(self) -> dict[int, Statistics]:
        rows = self.conn.execute(_STATISTICS, {"ids": self.ids})
        names = Statistics.__struct_fields__
        return {row.project_id: Statistics(**{name: getattr(row, name) for name in names}) for row in rows}
