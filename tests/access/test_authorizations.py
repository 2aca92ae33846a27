"""The materialised rights equal an independent computation, whatever happened to the tree, members and shares."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, delete, insert, select

from ingot.access.authorizations import differences, refresh_projects
from ingot.access.tables import (
    group_authorizations,
    group_group_links,
    members,
    namespaces,
    project_authorizations,
    project_group_links,
    projects,
)
from ingot.features.groups import create_group
from ingot.features.groups.commands.share import share_group, unshare_group
from ingot.features.groups.commands.transfer import TransferFailed, transfer_group
from ingot.features.members import Source, add_member
from ingot.features.members.commands import remove_member
from ingot.features.members.expiry import expire
from ingot.features.members.queries import find_member
from ingot.features.projects import NewProject, create_project
from ingot.features.users import create_user
from ingot.kit.actor import Actor
from ingot.kit.clock import now, today
from ingot.kit.errors import ApiError
from tests.support.server import RunningServer

ADMIN = Actor(user_id=1, is_admin=True)
GROUPS, PROJECTS, USERS = 5, 3, 3
Rights = dict[tuple[int, int], int]  # (user, group or project) -> level
LEVELS = st.sampled_from([5, 10, 20, 30, 40, 50])
group = st.integers(0, GROUPS - 1)
project = st.integers(0, PROJECTS - 1)
user = st.integers(0, USERS - 1)
ended = st.booleans()

STEPS = st.one_of(
    st.tuples(st.just("join_group"), group, user, LEVELS, ended),
    st.tuples(st.just("join_project"), project, user, LEVELS, ended),
    st.tuples(st.just("leave_group"), group, user),
    st.tuples(st.just("share_group"), group, group, LEVELS, ended),
    st.tuples(st.just("unshare_group"), group, group),
    st.tuples(st.just("share_project"), project, group, LEVELS, ended),
    st.tuples(st.just("transfer"), group, st.one_of(st.none(), group)),
    st.tuples(st.just("expire")),
)


class Undo(Exception):
    """Ends an example without keeping anything."""


@contextmanager
def undone(server: RunningServer) -> Iterator[Connection]:
    """A transaction that is rolled back."""
    try:
        with server.services.db.write() as tx:
            yield tx
            raise Undo
    except Undo:
        pass


class Forest:
    """Groups, projects and users to do things to."""

    def __init__(self, tx: Connection, parents: list[int | None], places: list[int]) -> None:
        self.tx = tx
        self.users = [create_user(tx, username=f"p{n}", name=f"p{n}", email=f"p{n}@x.org") for n in range(USERS)]
        self.groups: list[int] = []
        for number, parent in enumerate(parents):
            above = None if parent is None or parent >= number else self.row(self.groups[parent])
            self.groups.append(create_group(tx, ADMIN, name=f"g{number}", path=f"forest-{number}", parent=above))
        self.projects = [
            create_project(tx, ADMIN, NewProject(name=f"p{n}", path=f"p{n}", namespace_id=self.groups[place]))
            for n, place in enumerate(places)
        ]

    def row(self, group_id: int) -> Any:
        return self.tx.execute(select(namespaces).where(namespaces.c.id == group_id)).one()

    def do(self, step: tuple[Any, ...]) -> None:
        kind, *args = step
        try:
            with self.tx.begin_nested():
                getattr(self, kind)(*args)
        except (ApiError, TransferFailed):
            pass

    def join_group(self, group: int, user: int, level: int, is_over: bool) -> None:
        self._join(Source("group", self.groups[group], self.groups[group]), user, level, is_over)

    def join_project(self, project: int, user: int, level: int, is_over: bool) -> None:
        space = select(projects.c.namespace_id).where(projects.c.id == self.projects[project])
        source = Source("project", self.projects[project], self.tx.execute(space).scalar_one())
        self._join(source, user, level, is_over)

    def _join(self, source: Source, user: int, level: int, is_over: bool) -> None:
        add_member(self.tx, source, self.users[user], level, expires_at=today() if is_over else None)

    def leave_group(self, group: int, user: int) -> None:
        source = Source("group", self.groups[group], self.groups[group])
        member = find_member(self.tx, source, self.users[user])
        if member is not None:
            remove_member(self.tx, ADMIN, source, 50, member)

    def share_group(self, group: int, invited: int, level: int, is_over: bool) -> None:
        shared, other = self.row(self.groups[group]), self.row(self.groups[invited])
        share_group(self.tx, shared, other, level, today() if is_over else None)

    def unshare_group(self, group: int, invited: int) -> None:
        unshare_group(self.tx, self.groups[group], self.groups[invited])

    def share_project(self, project: int, group: int, level: int, is_over: bool) -> None:
        key = {"project_id": self.projects[project], "group_id": self.groups[group]}
        links = project_group_links
        self.tx.execute(delete(links).where(*(links.c[name] == value for name, value in key.items())))
        expires_at = today() - timedelta(days=1) if is_over else None
        self.tx.execute(insert(links).values(**key, access_level=level, expires_at=expires_at, created_at=now()))
        refresh_projects(self.tx, [self.projects[project]])

    def transfer(self, group: int, parent: int | None) -> None:
        above = None if parent is None else self.row(self.groups[parent])
        transfer_group(self.tx, self.row(self.groups[group]), above, permitted=True)

    def expire(self) -> None:
        expire(self.tx)


class Reckoning:
    """Who may do what, from the plain rows alone."""

    def __init__(self, tx: Connection) -> None:
        self.spaces = {row.id: row for row in tx.execute(select(namespaces))}
        self.projects = tx.execute(select(projects)).all()
        self.members, self.group_links, self.project_links = (
            [row for row in tx.execute(select(table)) if row.expires_at is None or row.expires_at > today()]
            for table in (members, group_group_links, project_group_links)
        )

    def chain(self, group_id: int | None) -> list[int]:
        found = []
        while group_id is not None:
            found.append(group_id)
            group_id = self.spaces[group_id].parent_id
        return found

    def own(self, group_id: int) -> dict[int, int]:
        levels: dict[int, int] = {}
        for row in self.members:
            if row.group_id in self.chain(group_id):
                raise_to(levels, {row.user_id: row.access_level})
        return levels

    def in_group(self, group_id: int) -> dict[int, int]:
        levels = self.own(group_id)
        for link in self.group_links:
            if link.group_id in self.chain(group_id):
                raise_to(levels, self.own(link.invited_group_id), link.access_level)
        return levels

    def in_project(self, row: Any) -> dict[int, int]:
        space = self.spaces[row.namespace_id]
        levels = self.in_group(space.id) if space.kind == "group" else {space.owner_id: 50}
        raise_to(levels, {entry.user_id: entry.access_level for entry in self.members if entry.project_id == row.id})
        for link in self.project_links:
            if link.project_id == row.id:
                raise_to(levels, self.own(link.group_id), link.access_level)
        return {user_id: level for user_id, level in levels.items() if level > 5}

    def everything(self) -> tuple[Rights, Rights]:
        groups = [row.id for row in self.spaces.values() if row.kind == "group"]
        return (
            {(user_id, number): level for number in groups for user_id, level in self.in_group(number).items()},
            {(user_id, row.id): level for row in self.projects for user_id, level in self.in_project(row).items()},
        )


def raise_to(levels: dict[int, int], others: dict[int, int], limit: int = 50) -> None:
    """Take over what is higher, up to a limit."""
    for user_id, level in others.items():
        levels[user_id] = max(levels.get(user_id, 0), min(level, limit))


def stored(tx: Connection) -> tuple[Rights, Rights]:
    """The same from the materialised tables."""
    return (
        {(row.user_id, row.group_id): row.access_level for row in tx.execute(select(group_authorizations))},
        {(row.user_id, row.project_id): row.access_level for row in tx.execute(select(project_authorizations))},
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    parents=st.lists(st.one_of(st.none(), group), min_size=GROUPS, max_size=GROUPS),
    places=st.lists(group, min_size=PROJECTS, max_size=PROJECTS),
    steps=st.lists(STEPS, max_size=14),
)
def test_stored_rights_equal_computed_ones(
    server: RunningServer, parents: list[int | None], places: list[int], steps: list[tuple[Any, ...]]
) -> None:
    with undone(server) as tx:
        forest = Forest(tx, parents, places)

        for step in steps:
            forest.do(step)

        assert stored(tx) == Reckoning(tx).everything()
        assert differences(tx) == []
