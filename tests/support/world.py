"""Builders of a small world, all through the API: `world.user()`, `world.group()`, `world.project()`."""

import itertools
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from ingot.access.tables import projects
from ingot.events import Pushed, RefChange
from ingot.gitstore import Person as Person_
from ingot.gitstore import Repository, objects, refs
from ingot.gitstore.commit import CommitOptions, FileAction, create_commit
from ingot.gitstore.model import ZERO_ID
from ingot.gitstore.refs import RefUpdate
from ingot.identity import tokens
from ingot.kit.events import announce
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
        body = {
            "username": username,
            "name": more.pop("name", username.title()),
            "email": f"{username}@example.com",
            "force_random_password": True,
            "skip_confirmation": True,
            **more,
        }
        created = self.admin.ok("POST", "/users", json=body)
        token = self.token(created["id"], ["api"])
        return Person(created["id"], username, self.server.client(token), token)

    def token(self, user_id: int, scopes: list[str], **more: Any) -> str:
        """A personal access token of any scopes."""
        with self.server.services.db.write() as tx:
            return tokens.create(tx, user_id, "test", scopes, **more)[1]

    def group(self, owner: Person | None = None, **more: Any) -> dict[str, Any]:
        """A group owned by this person."""
        path = more.pop("path", None) or self.name("group")
        client = owner.client if owner else self.admin
        created: dict[str, Any] = client.ok(
            "POST", "/groups", json={"name": more.pop("name", path), "path": path, **more}
        )
        return created

    def project(self, owner: Person | None = None, **more: Any) -> dict[str, Any]:
        """A project; `namespace_id` puts it into a group."""
        path = more.pop("path", None) or self.name("project")
        client = owner.client if owner else self.admin
        created: dict[str, Any] = client.ok(
            "POST", "/projects", json={"name": more.pop("name", path), "path": path, **more}
        )
        return created

    def member(self, item: dict[str, Any], person: Person, level: int | str, kind: str = "projects") -> None:
        """Give a person a role in a project (or `kind="groups"`)."""
        number = LEVELS[level] if isinstance(level, str) else level
        self.admin.ok("POST", f"/{kind}/{item['id']}/members", json={"user_id": person.id, "access_level": number})

    def repository(self, project: dict[str, Any]) -> Repository:
        """The bare repository of a project."""
        with self.server.services.db.read() as conn:
            storage = conn.execute(
                select(projects.c.repository_storage).where(projects.c.id == project["id"])
            ).scalar_one()
        result: Repository = self.server.services.storages.repository(storage, project["id"])
        return result

    def commit(
        self, project: dict[str, Any], branch: str, files: dict[str, str], start: str = "main", **more: Any
    ) -> str:
        """A commit with these files on a branch (made from `start` if new), announced like a push; returns its id."""
        repository = self.repository(project)
        known = refs.find_branch(repository, branch)
        tip = known or refs.find_branch(repository, start)
        present = {entry.path for entry in objects.list_tree(repository, tip, recursive=True)} if tip else set()
        actions = [FileAction("update" if path in present else "create", path, text) for path, text in files.items()]
        body = CommitOptions(
            branch=branch,
            message=more.pop("message", f"Change {', '.join(files)}"),
            actions=actions,
            author=Person_.now(more.pop("author_name", "Ada"), more.pop("author_email", "ada@example.com")),
            start_branch=None if known or tip is None else start,
        )
        created = create_commit(repository, body)
        announce(
            self.server.services,
            Pushed(project["id"], more.pop("user_id", 1), (RefChange(created.ref, created.old, created.sha),)),
        )
        return created.sha

    def push(self, project: dict[str, Any], ref: str, new: str | None, user_id: int = 1) -> None:
        """Move a ref as a push would, and announce it; `new=None` deletes it."""
        repository = self.repository(project)
        old = refs.find_ref(repository, ref)
        refs.update(repository, [RefUpdate(ref, new, old or ZERO_ID)])
        announce(
            self.server.services,
            Pushed(project["id"], user_id, (RefChange(ref, old or ZERO_ID, new or ZERO_ID),)),
        )

    def fast_forward(self, project: dict[str, Any], branch: str, sha: str) -> None:
        """Move a branch to a commit."""
        self.push(project, f"refs/heads/{branch}", sha)

    def delete_branch(self, project: dict[str, Any], branch: str) -> None:
        """Remove a branch."""
        self.push(project, f"refs/heads/{branch}", None)

    def merge_request(self, project: dict[str, Any], author: Person | None = None, **more: Any) -> dict[str, Any]:
        """An open merge request from a branch of its own; `files` are what it changes."""
        branch = more.pop("source_branch", None) or self.name("branch")
        self.commit(project, branch, more.pop("files", {f"{branch}.txt": "hello\n"}))
        client = author.client if author else self.admin
        body = {"title": f"Merge {branch}", "source_branch": branch, "target_branch": "main", **more}
        created: dict[str, Any] = client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
        return created

    def run_jobs(self) -> None:
        """Do all waiting background work, in this thread."""
        self.server.run_jobs()
