"""A group with one person per kind of caller."""

from dataclasses import dataclass
from typing import Any

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
        created: int = self.world.group(self.owner, path=name, parent_id=self.id)["id"]
        return created


def make_organisation(world: World) -> Organisation:
    owner, maintainer, stranger = world.user(), world.user(), world.user()
    group = world.group(owner, path=world.name("acme"), visibility="private")
    add_member(world, group["id"], maintainer.id, 40)
    return Organisation(world, group["id"], group["full_path"], owner, maintainer, stranger)


def add_member(world: World, group_id: int, user_id: int, level: int, **more: Any) -> None:
    body = {"user_id": user_id, "access_level": level, **more}
    world.admin.ok("POST", f"/groups/{group_id}/members", json=body)
