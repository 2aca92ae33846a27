"""Builders of a small world, all through the API: `world.user()`, `world.group()`, `world.project()`."""

import itertools
from dataclasses import dataclass
from typing import Any

from ingot.identity import tokens
from tests.support.client import Client
from tests.support.server import RunningServer

_numbers = itertools.count(1)

LEVELS = {"guest": 10, "planner": 15, "reporter": 20, "developer": 30, "maintainer": 40, "owner": 50}


@dataclass(frozen=True)
class Person:
    """A user with a client of their own."""

    id: int
    username: str
    client: Client
    token: str


class World:
    """The world of one test module."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.admin = server.client()
        self.anonymous = server.client(None)

    def name(self, stem: str) -> str:
        """A name that nobody has yet."""
        return f"{stem}-{next(_numbers)}"

    def user(self, username: str | None = None, **more: Any) -> Person:
        """A user with a token of scope `api`."""
        username = username or self.name("user")
        wish = {
            "username": username,
            "name": more.pop("name", username.title()),
            "email": f"{username}@example.com",
            "force_random_password": True,
            "skip_confirmation": True,
            **more,
        }
        made = self.admin.ok("POST", "/users", json=wish)
        token = self.token(made["id"], ["api"])
        return Person(made["id"], username, self.server.client(token), token)

    def token(self, user_id: int, scopes: list[str], **more: Any) -> str:
        """A personal access token of any scopes."""
        with self.server.services.db.write() as tx:
            return tokens.create(tx, user_id, "test", scopes, **more)[1]

    def group(self, owner: Person | None = None, **more: Any) -> dict[str, Any]:
        """A group owned by this person."""
        path = more.pop("path", None) or self.name("group")
        client = owner.client if owner else self.admin
        made: dict[str, Any] = client.ok("POST", "/groups", json={"name": more.pop("name", path), "path": path, **more})
        return made

    def project(self, owner: Person | None = None, **more: Any) -> dict[str, Any]:
        """A project; `namespace_id` puts it into a group."""
        path = more.pop("path", None) or self.name("project")
        client = owner.client if owner else self.admin
        made: dict[str, Any] = client.ok(
            "POST", "/projects", json={"name": more.pop("name", path), "path": path, **more}
        )
        return made

    def member(self, thing: dict[str, Any], person: Person, level: int | str, kind: str = "projects") -> None:
        """Give a person a role in a project (or `kind="groups"`)."""
        number = LEVELS[level] if isinstance(level, str) else level
        self.admin.ok("POST", f"/{kind}/{thing['id']}/members", json={"user_id": person.id, "access_level": number})
