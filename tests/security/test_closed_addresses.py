"""Groups that let in some addresses only: from elsewhere they, and all below them, are not there."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.world import Person, World

pytestmark = pytest.mark.costly

ELSEWHERE = "192.0.2.0/24,2001:db8::/32"


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def group(world: World, owner: Person) -> dict[str, Any]:
    return world.group(owner, visibility="public")


@pytest.fixture
def project(world: World, owner: Person, group: dict[str, Any]) -> dict[str, Any]:
    inner = world.group(owner, parent_id=group["id"], visibility="public")
    project = world.project(owner, namespace_id=inner["id"], visibility="public", initialize_with_readme=True)
    owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "Found?"})
    world.merge_request(project, owner)
    return project


def close(world: World, group: dict[str, Any], ranges: str | None = ELSEWHERE) -> dict[str, Any]:
    shown: dict[str, Any] = world.admin.ok("PUT", f"/groups/{group['id']}", json={"ip_restriction_ranges": ranges})
    return shown


def clone(world: World, project: dict[str, Any], user: Person | None, place: Path) -> int:
    login = f"{user.username}:{user.token}@" if user is not None else ""
    url = world.server.url.replace("http://", f"http://{login}") + f"/{project['path_with_namespace']}.git"
    environment = {"GIT_TERMINAL_PROMPT": "0", "HOME": str(place), "PATH": "/usr/bin:/bin"}
    run = subprocess.run(
        ["git", "clone", "-q", url, str(place / world.name("clone"))], env=environment, capture_output=True, check=False
    )
    return run.returncode


def test_callers_from_elsewhere_find_nothing(
    world: World, owner: Person, group: dict[str, Any], project: dict[str, Any]
) -> None:
    paths = [
        f"/groups/{group['id']}", f"/groups/{group['id']}/projects", f"/groups/{project['namespace']['id']}",
        f"/projects/{project['id']}", f"/projects/{project['id']}/repository/tree",
        f"/projects/{project['id']}/merge_requests", f"/projects/{project['id']}/issues",
    ]  # fmt: skip
    for path in paths:
        assert owner.client.get(path).status_code == 200, path

    close(world, group)

    for caller in (owner.client, world.anonymous):
        assert {path: caller.get(path).status_code for path in paths} == dict.fromkeys(paths, 404)
    assert owner.client.put(f"/projects/{project['id']}", json={"description": "x"}).status_code == 404
    assert owner.client.put(f"/groups/{group['id']}", json={"ip_restriction_ranges": ""}).status_code == 404
    for path in paths:
        assert world.admin.get(path).status_code == 200, path


def test_lists_leave_out_what_is_closed(
    world: World, owner: Person, group: dict[str, Any], project: dict[str, Any]
) -> None:
    lists = {
        "/projects?membership=true": "id", "/projects?owned=true": "id", "/projects": "id",
        "/issues?scope=all": "project_id", "/merge_requests?scope=all": "project_id",
        f"/users/{owner.id}/contributed_projects": "id",
    }  # fmt: skip

    def listed(path: str) -> list[int]:
        return [one[lists[path]] for one in owner.client.ok("GET", path)]

    seen = {path for path in lists if project["id"] in listed(path)}
    assert {"/projects", "/issues?scope=all", "/merge_requests?scope=all"} <= seen
    assert group["id"] in [one["id"] for one in owner.client.ok("GET", "/groups")]

    close(world, group)

    assert {path for path in lists if project["id"] in listed(path)} == set()
    assert group["id"] not in [one["id"] for one in owner.client.ok("GET", "/groups")]
    assert group["id"] not in [one["id"] for one in owner.client.ok("GET", "/namespaces")]


def test_git_and_pages_are_closed_too(
    world: World, owner: Person, group: dict[str, Any], project: dict[str, Any], tmp_path: Path
) -> None:
    assert clone(world, project, owner, tmp_path) == 0

    close(world, group)

    assert clone(world, project, owner, tmp_path) != 0
    assert clone(world, project, None, tmp_path) != 0
    close(world, group, "127.0.0.0/8, ::1")
    assert clone(world, project, owner, tmp_path) == 0


def test_callers_from_a_range_are_let_in(
    world: World, owner: Person, group: dict[str, Any], project: dict[str, Any]
) -> None:
    shown = close(world, group, "192.0.2.1,127.0.0.0/8")

    assert shown["ip_restriction_ranges"] == "192.0.2.1,127.0.0.0/8"
    assert owner.client.get(f"/projects/{project['id']}").status_code == 200
    close(world, group)
    assert owner.client.get(f"/projects/{project['id']}").status_code == 404
    close(world, group, "")
    assert owner.client.get(f"/projects/{project['id']}").status_code == 200


@pytest.mark.parametrize("ranges", ["nowhere", "10.0.0.0/99", "10.0.0.1,,x"])
def test_ranges_that_cannot_be_read_are_refused(world: World, group: dict[str, Any], ranges: str) -> None:
    reply = world.admin.put(f"/groups/{group['id']}", json={"ip_restriction_ranges": ranges})

    assert reply.status_code == 400
    assert reply.json() == {"message": {"ip_restriction_ranges": ["is an invalid IP address range"]}}


def test_only_top_level_groups_choose(world: World, owner: Person, group: dict[str, Any]) -> None:
    inner = world.group(owner, parent_id=group["id"])

    reply = owner.client.put(f"/groups/{inner['id']}", json={"ip_restriction_ranges": ELSEWHERE})

    assert reply.json() == {"message": {"ip_restriction_ranges": ["only allowed on top-level groups"]}}
