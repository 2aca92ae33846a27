"""Namespaces on the wire, with counts for owners."""

from collections.abc import Collection, Sequence
from datetime import date

from sqlalchemy import Connection, func, select, union

from ingot.access.call import Call
from ingot.access.levels import OWNER
from ingot.access.rows import ListedNamespaceRow
from ingot.access.tables import group_group_links, members, namespace_ancestors, projects
from ingot.features.people.users import avatar_url
from ingot.features.spaces.groups import group_avatar_url, group_web_url
from ingot.features.spaces.namespaces.rows import OwnerRow
from ingot.features.spaces.projects import project_statistics
from ingot.identity.tables import users
from ingot.kit.entity import UNSET, Entity, UnsetType


class Namespace(Entity, kw_only=True):
    """A group or a personal namespace; the counts are for those who own the group."""

    id: int
    name: str
    path: str
    kind: str
    full_path: str
    parent_id: int | None
    avatar_url: str | None
    web_url: str
    members_count_with_descendants: int | UnsetType = UNSET
    root_repository_size: int | UnsetType = UNSET
    projects_count: int | UnsetType = UNSET
    billable_members_count: int | UnsetType = UNSET
    seats_in_use: int | UnsetType = UNSET
    max_seats_used: int | UnsetType = UNSET
    plan: str | UnsetType = UNSET
    end_date: date | UnsetType | None = UNSET
    trial_ends_on: date | UnsetType | None = UNSET
    trial: bool | UnsetType = UNSET


class Existence(Entity, kw_only=True):
    """Whether a path is taken, with free alternatives."""

    exists: bool
    suggests: list[str]


def present(call: Call, rows: Sequence[ListedNamespaceRow]) -> list[Namespace]:
    """A page of namespaces."""
    owners = _owners(call.conn, [row.owner_id for row in rows if row.kind == "user" and row.owner_id is not None])
    owned = [row.id for row in rows if row.kind == "group" and (call.actor.is_admin or row.actor_level >= OWNER)]
    counts = _Counts(call.conn, owned)
    return [_one(call, row, owners.get(row.owner_id), counts) for row in rows]


def _one(call: Call, row: ListedNamespaceRow, owner: OwnerRow | None, counts: "_Counts") -> Namespace:
    is_group = row.kind == "group"
    result = Namespace(
        id=row.id,
        name=row.name if is_group or owner is None else owner.name,
        path=row.path,
        kind=row.kind,
        full_path=row.full_path,
        parent_id=row.parent_id,
        avatar_url=group_avatar_url(row, call.base_url)
        if is_group
        else (None if owner is None else avatar_url(owner, call.base_url)),
        web_url=group_web_url(row.full_path, call.base_url) if is_group else f"{call.base_url}/{row.full_path}",
    )
    if row.id in counts.ids:
        result.members_count_with_descendants = counts.members.get(row.id, 0)
        result.projects_count = counts.projects.get(row.id, 0)
        if row.parent_id is None:
            result.root_repository_size = counts.sizes.get(row.id, 0)
    if not call.services.settings.has_tier("premium"):
        return result
    if row.id in counts.ids:
        result.billable_members_count = counts.billable.get(row.id, 0)
        result.seats_in_use = result.max_seats_used = counts.billable.get(row.id, 0)
    if not is_group or call.actor.is_admin or row.actor_level >= OWNER:
        result.plan = str(call.services.settings.tier)
        result.end_date = result.trial_ends_on = None
        result.trial = False
    return result


def _owners(conn: Connection, ids: Collection[int]) -> dict[int | None, OwnerRow]:
    if not ids:
        return {}
    columns = (users.c.id, users.c.name, users.c.avatar, users.c.email_lower)
    return {row.id: row for row in conn.execute(select(*columns).where(users.c.id.in_(ids)))}


class _Counts:
    """The counts over a page's own groups, each in one statement over their whole trees."""

    def __init__(self, conn: Connection, ids: Collection[int]) -> None:
        self.ids = set(ids)
        self.members: dict[int, int] = {}
        self.billable: dict[int, int] = {}
        self.projects: dict[int, int] = {}
        self.sizes: dict[int, int] = {}
        if not ids:
            return
        self._count_people(conn)
        self._count_projects(conn)

    def _count_people(self, conn: Connection) -> None:
        tree = namespace_ancestors
        in_groups = (
            select(tree.c.ancestor_id, members.c.user_id)
            .join_from(tree, members, members.c.group_id == tree.c.namespace_id)
            .where(tree.c.ancestor_id.in_(self.ids))
        )
        in_projects = (
            select(tree.c.ancestor_id, members.c.user_id)
            .join_from(tree, projects, projects.c.namespace_id == tree.c.namespace_id)
            .join(members, members.c.project_id == projects.c.id)
            .where(tree.c.ancestor_id.in_(self.ids))
        )
        links = group_group_links
        invited = (
            select(tree.c.ancestor_id, members.c.user_id)
            .join_from(tree, links, links.c.group_id == tree.c.namespace_id)
            .join(members, members.c.group_id == links.c.invited_group_id)
            .where(tree.c.ancestor_id.in_(self.ids))
        )
        people = union(in_groups, in_projects, invited).subquery()
        rows = conn.execute(
            select(
                people.c.ancestor_id,
                func.count(),
                func.count().filter(users.c.state == "active", users.c.kind == "human"),
            )
            .join_from(people, users, users.c.id == people.c.user_id)
            .group_by(people.c.ancestor_id)
        )
        for group_id, everybody, active in rows:
            self.members[group_id], self.billable[group_id] = everybody, active

    def _count_projects(self, conn: Connection) -> None:
        tree, sizes = namespace_ancestors, project_statistics
        rows = conn.execute(
            select(tree.c.ancestor_id, func.count(projects.c.id), func.coalesce(func.sum(sizes.c.repository_size), 0))
            .join_from(tree, projects, projects.c.namespace_id == tree.c.namespace_id)
            .outerjoin(sizes, sizes.c.project_id == projects.c.id)
            .where(tree.c.ancestor_id.in_(self.ids), projects.c.pending_delete.is_(False))
            .group_by(tree.c.ancestor_id)
        )
        for group_id, number, size in rows:
            self.projects[group_id], self.sizes[group_id] = number, int(size)
