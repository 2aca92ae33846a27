"""Small texts that make a backtracking pattern work for seconds, sent through every door that matches texts."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tests.support.server import RunningServer
from tests.support.world import World

LONGEST_WAIT = 1.0  # a quiet machine answers within 0.1 s; the attacks took the process away for 5 s and more
LETTERS = "a" * 200
STARS = "a*" * 6 + "b"

Attack = Callable[[World, dict[str, Any]], httpx.Response]


@pytest.fixture(scope="module")
def project(world: World) -> dict[str, Any]:
    created = world.project(visibility="public", initialize_with_readme=True)
    world.commit(created, LETTERS, {"a.txt": "a"})
    return created


def _refs_of_many_steps(world: World, project: dict[str, Any]) -> httpx.Response:
    return world.anonymous.get(f"/projects/{project['id']}/repository/commits", ref_name="main" + "^" * 6000 + "!")


def _refs_of_allowed_length(world: World, project: dict[str, Any]) -> httpx.Response:
    return world.anonymous.get(f"/projects/{project['id']}/repository/commits", ref_name="main" + "^" * 4000 + "!")


def _search_with_stars(world: World, project: dict[str, Any]) -> httpx.Response:
    return world.anonymous.get(f"/projects/{project['id']}/repository/branches", search=f"{STARS}$")


def _tag_search_with_stars(world: World, project: dict[str, Any]) -> httpx.Response:
    path = f"/projects/{project['id']}/repository/tags"
    world.admin.post(path, json={"tag_name": LETTERS, "ref": "main"})
    return world.anonymous.get(path, search=f"^{STARS}$")


def _protected_name_with_stars(world: World, project: dict[str, Any]) -> httpx.Response:
    world.admin.post(f"/projects/{project['id']}/protected_branches", json={"name": STARS})
    return world.anonymous.get(f"/projects/{project['id']}/repository/branches")


def _issue(description: str) -> Attack:
    def attack(world: World, project: dict[str, Any]) -> httpx.Response:
        return world.admin.post(f"/projects/{project['id']}/issues", json={"title": "t", "description": description})

    return attack


def _note(body: str) -> Attack:
    def attack(world: World, project: dict[str, Any]) -> httpx.Response:
        issue = world.admin.ok("POST", f"/projects/{project['id']}/issues", json={"title": "t"})
        return world.admin.post(f"/projects/{project['id']}/issues/{issue['iid']}/notes", json={"body": body})

    return attack


def _merge_request(description: str, below: str) -> Attack:
    def attack(world: World, project: dict[str, Any]) -> httpx.Response:
        branch = world.name("branch")
        world.commit(project, branch, {f"{branch}.txt": "x"})
        request = world.admin.ok(
            "POST",
            f"/projects/{project['id']}/merge_requests",
            json={"title": "t", "source_branch": branch, "target_branch": "main", "description": description},
        )
        return world.anonymous.get(f"/projects/{project['id']}/merge_requests/{request['iid']}{below}")

    return attack


def _lint(content: str) -> Attack:
    def attack(world: World, project: dict[str, Any]) -> httpx.Response:
        return world.admin.post(f"/projects/{project['id']}/ci/lint", json={"content": content})

    return attack


def _with_input(text: str) -> str:
    return "spec:\n  inputs:\n    a:\n      default: b\n---\njob:\n  script: '" + text + "'\n"


def _code_owners(line: str) -> Attack:
    def attack(world: World, _project: dict[str, Any]) -> httpx.Response:
        own = world.project(visibility="public", initialize_with_readme=True)
        world.commit(own, "main", {"CODEOWNERS": f"{line}\n"})
        return _merge_request("", "/approval_state")(world, own)

    return attack


def _file(name: str, text: str, below: str) -> Attack:
    def attack(world: World, _project: dict[str, Any]) -> httpx.Response:
        own = world.project(visibility="public", initialize_with_readme=True)
        world.commit(own, "main", {name: text})
        return world.anonymous.get(f"/projects/{own['id']}{below}")

    return attack


def _commit_message(message: str) -> Attack:
    def attack(world: World, _project: dict[str, Any]) -> httpx.Response:
        own = world.project(visibility="public", initialize_with_readme=True)
        world.commit(own, "main", {"a.txt": "a"}, message=message)
        return world.anonymous.get(f"/projects/{own['id']}/repository/commits", trailers="true")

    return attack


ATTACKS: dict[str, Attack] = {
    "revision of 6,000 steps": _refs_of_many_steps,
    "revision of 4,000 steps": _refs_of_allowed_length,
    "stars in a branch search": _search_with_stars,
    "stars in a tag search": _tag_search_with_stars,
    "stars in a protected name": _protected_name_with_stars,
    "comments that never end": _issue("<!--" * 5_000),
    "many quotation marks before no task": _issue((" >" * 500 + "\n") * 20),
    "dots before no reference": _merge_request("." * 20_000, "/related_issues"),
    "dashes before no reference": _merge_request("a-" * 10_000, "/related_issues"),
    "folders before no reference": _merge_request("a/" * 10_000, "/related_issues"),
    "closing words without an end": _merge_request("closes http://" + "a" * 20_000, "/closes_issues"),
    "dashes in a mention": _merge_request("@" + "a-" * 10_000, "/participants"),
    "mentions that never end": _note("@a," * 5_000),
    "blanks in a block": _lint(_with_input("$[[" + " " * 1_000 + "x")),
    "many blocks": _lint(_with_input(("$[[" + " " * 300) * 100)),
    "slashes in a condition": _lint("job:\n  script: x\n  rules:\n    - if: '/" + "\\\\" * 5_000 + "'\n"),
    "stars in changed paths": _lint("job:\n  script: x\n  rules:\n    - changes: ['" + "a*" * 400 + "b']\n"),
    "an owner without an address": _code_owners("a " + "x" * 15_000),
    "a section without an end": _code_owners("[" * 15_000),
    "blank lines in a licence": _file("LICENSE", "\n" * 20_000 + "x", "?license=true"),
    "folded lines in a trailer": _commit_message("t\n\nKey: v\n" + " a\n" * 30_000),
}


class Probe:
    """Asks again and again whether the server is alive, and remembers how long it took at worst."""

    def __init__(self, server: RunningServer) -> None:
        self._url = f"{server.url}/-/liveness"
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.waits: list[float] = []

    def _run(self) -> None:
        with httpx.Client(timeout=120, verify=False) as http:
            while not self._done.is_set() or not self.waits:
                started = time.monotonic()
                assert http.get(self._url).status_code == 200
                self.waits.append(time.monotonic() - started)

    @contextmanager
    def running(self) -> Iterator[None]:
        self._thread.start()
        try:
            yield
        finally:
            self._done.set()
            self._thread.join(120)


def _baseline(server: RunningServer) -> float:
    """The worst of fifty answers of an idle server: what the load of the machine alone does."""
    waits = []
    with httpx.Client(timeout=120, verify=False) as http:
        for _ in range(50):
            started = time.monotonic()
            assert http.get(f"{server.url}/-/liveness").status_code == 200
            waits.append(time.monotonic() - started)
    return max(waits)


@pytest.mark.parametrize("name", ATTACKS)
def test_server_stays_alive_during(name: str, server: RunningServer, world: World, project: dict[str, Any]) -> None:
    idle = _baseline(server)
    probe = Probe(server)

    with probe.running():
        response = ATTACKS[name](world, project)

    assert response.status_code < 500
    assert max(probe.waits) < max(LONGEST_WAIT, 5 * idle)
