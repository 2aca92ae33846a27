"""An instance for tests: its address, its users, and helpers."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from ingot.testing.runner import run_jobs
from ingot.testing.talking import CallFailed, call

if TYPE_CHECKING:
    from gitlab import Gitlab

Json = dict[str, Any]
CI_FILE = ".gitlab-ci.yml"
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class User:
    """A user."""

    id: int
    username: str
    password: str
    token: str


class Ingot:
    """A server at `url`, and the `token` of its administrator. Helpers return what the API answers."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.token = token

    @cached_property
    def client(self) -> "Gitlab":
        """A client of python-gitlab, signed in as the administrator."""
        return self.client_of(self.token)

    def client_of(self, who: User | str) -> "Gitlab":
        """The same for somebody else."""
        try:
            from gitlab import Gitlab
        except ImportError as error:
            raise RuntimeError("python-gitlab is not installed: pip install python-gitlab") from error
        return Gitlab(self.url, private_token=_token(who))

    def call(self, method: str, path: str, body: object = None, *, who: User | str | None = None) -> Any:
        """`call("GET", "/projects")`: the JSON of an answer; CallFailed where the server refuses."""
        return call(method, f"{self.url}/api/v4{path}", {"PRIVATE-TOKEN": _token(who or self.token)}, body)

    def reset(self) -> None:
        """Restore the state at the start of the server."""
        call("POST", f"{self.url}/-/testing/reset", {})

    def make_user(self, username: str | None = None, **fields: object) -> User:
        """Create a user with a password and a token with all scopes."""
        name = username or f"user{next(_numbers)}"
        password = str(fields.pop("password", "") or secrets.token_urlsafe(16))
        common = {"name": name.capitalize(), "email": f"{name}@example.com", "skip_confirmation": True}
        user = self.call("POST", "/users", {**common, "username": name, "password": password, **fields})
        path = f"/users/{user['id']}/personal_access_tokens"
        token = self.call("POST", path, {"name": "tests", "scopes": ["api"]})["token"]
        return User(user["id"], user["username"], password, token)

    def make_group(self, path: str | None = None, *, owner: User | None = None, **fields: object) -> Json:
        """A group."""
        name = path or f"group{next(_numbers)}"
        return dict(self.call("POST", "/groups", {"name": name, "path": name, **fields}, who=owner))

    def make_project(
        self,
        path: str | None = None,
        *,
        owner: User | None = None,
        files: Mapping[str, str] | None = None,
        **fields: object,
    ) -> Json:
        """A project, with these files in its default branch."""
        name = path or f"project{next(_numbers)}"
        project = self.call("POST", "/projects", {"name": name, "path": name, **fields}, who=owner)
        if files:
            self.push(project, files, who=owner)
            project = self.call("GET", f"/projects/{project['id']}", who=owner)
        return dict(project)

    def push(
        self,
        project: Mapping[str, object],
        files: Mapping[str, str],
        *,
        branch: str = "main",
        message: str = "Change files",
        who: User | None = None,
    ) -> Json:
        """A commit with these files, as a push would bring it: hooks, events and pipelines follow. Returns the commit.

        A branch that is not there begins at the default branch.
        """
        place = f"/projects/{project['id']}/repository"
        branches = {one["name"]: one["default"] for one in self.call("GET", f"{place}/branches?per_page=100", who=who)}
        body: Json = {"branch": branch, "commit_message": message}
        start = branch
        if branches and branch not in branches:
            start = body["start_branch"] = next(name for name, default in branches.items() if default)
        body["actions"] = [
            {"action": self._action(place, path, start, who), "file_path": path, "content": text}
            for path, text in files.items()
        ]
        return dict(self.call("POST", f"{place}/commits", body, who=who))

    def _action(self, place: str, path: str, ref: str, who: User | None) -> str:
        try:
            self.call("GET", f"{place}/files/{quote(path, safe='')}?ref={quote(ref, safe='')}", who=who)
        except CallFailed as error:
            if error.status != 404:
                raise
            return "create"
        return "update"

    def git_url(self, project: Mapping[str, object], who: User | str | None = None) -> str:
        """An address for `git clone` and `git push`, with the credentials of a person."""
        parts = urlsplit(self.url)
        login = f"oauth2:{_token(who or self.token)}"
        return f"{parts.scheme}://{login}@{parts.netloc}/{project['path_with_namespace']}.git"

    def make_pipeline(
        self, project: Mapping[str, object], config: str | None = None, *, ref: str = "main", who: User | None = None
    ) -> Json:
        """A pipeline for the head of a ref; `config` becomes the project's `.gitlab-ci.yml` first."""
        if config is not None:
            self.push(project, {CI_FILE: config}, branch=ref, message="Configure CI [skip ci]", who=who)
        return dict(self.call("POST", f"/projects/{project['id']}/pipeline", {"ref": ref}, who=who))

    def run_jobs(self, project: Mapping[str, object], *, fail: Iterable[str] = (), log: str = "Done.\n") -> list[Json]:
        """Take every pending job, as a runner would, and end it: those named in `fail` fail, the others succeed.

        Nothing of their scripts is run. Returns the jobs in the order in which they ended.
        """
        return run_jobs(self.url, self.call, project["id"], frozenset(fail), log)


def _token(who: User | str) -> str:
    return who.token if isinstance(who, User) else who
