"""The materialised rights against rights computed by hand, over random worlds of groups, shares and expiries."""

import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from ingot.access.authorizations import differences, refresh_groups, refresh_projects
from ingot.access.tables import (
    group_group_links,
    members,
    namespace_ancestors,
    namespaces,
    project_authorizations,
    project_group_links,
    projects,
)
from ingot.features.people.users import create_user
from ingot.kit.clock import now, today
from ingot.kit.db import Database
from tests.support.databases import Databases

LEVELS = (5, 10, 15, 20, 30, 40, 50)


class RandomWorld:
    """Groups in a tree, projects in them, members, and shares of groups and projects."""

    def __init__(self, tx: Any, seed: int) -> None:
        self.tx = tx
        self.dice = random.Random(seed)
        self.mark = f"w{seed}"
        self.people = [
            create_user(tx, username=f"{self.mark}-{n}", name="x", email=f"{self.mark}-{n}@example.com")
            for n in range(4)
        ]
        self.parent: dict[int, int | None] = {}
        self.home: dict[int, int] = {}
        self.memberships: list[dict[str, Any]] = []
        self.group_shares: list[dict[str, Any]] = []
        self.project_shares: list[dict[str, Any]] = []
        for number in range(6):
            self._group(number)
        for number in range(5):
            self._project(number)
        for _ in range(10):
            self._membership()
        for _ in range(4):
            self._share()

    def _group(self, number: int) -> None:
        parent = self.dice.choice([None, *self.parent])
        path = f"{self.mark}-g{number}"
        group_id = self._insert(
            namespaces, kind="group", parent_id=parent, name=path, path=path, full_path=path, full_path_lower=path,
            full_name=path, settings={}, created_at=now(), updated_at=now(),
        )  # fmt: skip
        self.parent[group_id] = parent
        for depth, ancestor in enumerate(self.above(group_id)):
            self.tx.execute(
                insert(namespace_ancestors).values(namespace_id=group_id, ancestor_id=ancestor, depth=depth)
            )

    def _project(self, number: int) -> None:
        path = f"{self.mark}-p{number}"
        home = self.dice.choice(list(self.parent))
        project_id = self._insert(
            projects, namespace_id=home, name=path, name_lower=path, path=path, path_lower=path, full_path=path,
            full_path_lower=path, full_name=path, search_text=path, settings={}, created_at=now(), updated_at=now(),
            last_activity_at=now(),
        )  # fmt: skip
        self.home[project_id] = home

    def _membership(self) -> None:
        in_group = self.dice.random() < 0.7
        place = self.dice.choice(list(self.parent if in_group else self.home))
        row = {
            "user_id": self.dice.choice(self.people),
            "group_id": place if in_group else None,
            "project_id": None if in_group else place,
            "access_level": self.dice.choice(LEVELS),
            "expires_at": self._expiry(),
        }
        known = [(one["user_id"], one["group_id"], one["project_id"]) for one in self.memberships]
        if (row["user_id"], row["group_id"], row["project_id"]) not in known:
            self._insert(members, **row, created_at=now(), updated_at=now())
            self.memberships.append(row)

    def _share(self) -> None:
        guest = self.dice.choice(list(self.parent))
        level, expires_at = self.dice.choice(LEVELS[1:]), self._expiry()
        if self.dice.random() < 0.5:
            target = self.dice.choice(list(self.parent))
            if any((one["group_id"], one["invited"]) == (target, guest) for one in self.group_shares):
                return
            self.group_shares.append({"group_id": target, "invited": guest, "level": level, "expires_at": expires_at})
            self._insert(
                group_group_links, group_id=target, invited_group_id=guest, access_level=level, expires_at=expires_at,
                created_at=now(),
            )  # fmt: skip
        else:
            target = self.dice.choice(list(self.home))
            if any((one["project_id"], one["invited"]) == (target, guest) for one in self.project_shares):
                return
            self.project_shares.append(
                {"project_id": target, "invited": guest, "level": level, "expires_at": expires_at}
            )
            self._insert(
                project_group_links, project_id=target, group_id=guest, access_level=level, expires_at=expires_at,
                created_at=now(),
            )  # fmt: skip

    def _expiry(self) -> Any:
        return self.dice.choice([None, None, today() + timedelta(days=1), today()])

    def _insert(self, table: Any, **values: Any) -> int:
        return int(self.tx.execute(insert(table).values(**values).returning(table.c.id)).scalar_one())

    def above(self, group_id: int | None) -> list[int]:
        """The group and all above it."""
        result = []
        while group_id is not None:
            result.append(group_id)
            group_id = self.parent[group_id]
        return result

    def inherited(self, user: int, group_id: int) -> int:
        """The level by membership of the group or one above it."""
        above = self.above(group_id)
        return max(
            (
                one["access_level"]
                for one in self.memberships
                if one["user_id"] == user and one["group_id"] in above and _live(one)
            ),
            default=0,
        )

    def expected(self, user: int, project_id: int) -> int:
        """The effective level on a project, by the book."""
        above = self.above(self.home[project_id])
        levels = [self.inherited(user, self.home[project_id])]
        levels += [
            one["access_level"]
            for one in self.memberships
            if one["user_id"] == user and one["project_id"] == project_id and _live(one)
        ]
        shares = [one for one in self.group_shares if one["group_id"] in above]
        shares += [one for one in self.project_shares if one["project_id"] == project_id]
        levels += [min(one["level"], self.inherited(user, one["invited"])) for one in shares if _live(one)]
        return max(levels)


def _live(row: dict[str, Any]) -> bool:
    return row["expires_at"] is None or row["expires_at"] > today()


@pytest.fixture(scope="module")
def db(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("rights")
    created = Database(databases.fresh(folder))
    yield created
    created.dispose()


@pytest.mark.parametrize("seed", range(8))
def test_rights_are_those_of_the_book(db: Database, seed: int) -> None:
    with db.write() as tx:
        world = RandomWorld(tx, seed)
        refresh_groups(tx, list(world.parent))
        refresh_projects(tx, list(world.home))
        rights = project_authorizations
        rows = tx.execute(select(rights).where(rights.c.project_id.in_(list(world.home)))).all()
        result = {(row.user_id, row.project_id): row.access_level for row in rows}

        for user in world.people:
            for project_id in world.home:
                # Minimal access counts for nothing in a project.
                level = world.expected(user, project_id)
                assert result.get((user, project_id), 0) == (level if level > 5 else 0)


def test_the_doctor_finds_what_differs(db: Database) -> None:
    with db.write() as tx:
        world = RandomWorld(tx, 99)
        refresh_groups(tx, list(world.parent))
    with db.read() as conn:
        assert differences(conn) == []
    with db.write() as tx:
        tx.execute(project_authorizations.delete().where(project_authorizations.c.project_id.in_(list(world.home))))

    with db.read() as conn:
        assert differences(conn)
    with db.write() as tx:
        refresh_projects(tx, list(world.home))
