"""A group with one person per kind of caller."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert

from ingot.access.authorizations import refresh_groups
from ingot.access.tables import members, namespace_ancestors, namespaces
from ingot.kit.clock import now
from tests.support.client import Client
from tests.support.world import Person, World


@dataclass(frozen=True)
class Organisation:
    """A top-level group and who calls."""

    world: World
    id: int
    path: str
    owner: Person
    maintainer: Person
    stranger: Person

    @property
    def callers(self) -> dict[str, Client]:
        return {
            "owner": self.owner.client,
            "admin": self.world.admin,
            "maintainer": self.maintainer.client,
            "stranger": self.stranger.client,
            "anonymous": self.world.anonymous,
        }

    def subgroup(self, name: str) -> int:
        return make_group(self.world, f"{self.path}/{name}", self.id)


def make_organisation(world: World, visibility: int = 0) -> Organisation:
    path = world.name("acme")
    owner, maintainer, stranger = world.user(), world.user(), world.user()
    group_id = make_group(world, path, None, visibility)
    add_member(world, group_id, owner.id, 50)
    add_member(world, group_id, maintainer.id, 40)
    return Organisation(world, group_id, path, owner, maintainer, stranger)


def make_group(world: World, full_path: str, parent_id: int | None, visibility: int = 0) -> int:
    moment = now()
    name = full_path.rpartition("/")[2]
    with world.server.services.db.write() as tx:
        group_id = tx.execute(
            insert(namespaces)
            .values(
                kind="group", parent_id=parent_id, name=name, path=name, full_path=full_path,
                full_path_lower=full_path.lower(), full_name=full_path, visibility=visibility, settings={},
                created_at=moment, updated_at=moment,
            )
            .returning(namespaces.c.id)
        ).scalar_one()  # fmt: skip
        tx.execute(insert(namespace_ancestors).values(namespace_id=group_id, ancestor_id=group_id, depth=0))
        if parent_id is not None:
            tx.execute(insert(namespace_ancestors).values(namespace_id=group_id, ancestor_id=parent_id, depth=1))
            refresh_groups(tx, [group_id])
    return int(group_id)


def add_member(world: World, group_id: int, user_id: int, level: int, **more: Any) -> None:
    moment = now()
    with world.server.services.db.write() as tx:
        tx.execute(
            insert(members).values(
                user_id=user_id, group_id=group_id, access_level=level, created_at=moment, updated_at=moment, **more
            )
        )
        refresh_groups(tx, [group_id])
