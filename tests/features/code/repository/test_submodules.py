"""Submodules: moved to another commit by the API, and what git sees then."""

import subprocess
from pathlib import Path
from typing import Any

import gitlab
import pytest

from tests.support.server import RunningServer
from tests.support.world import Person, World

FIRST, SECOND = "1" * 40, "2" * 40


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(server: RunningServer, world: World, owner: Person, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A project with a submodule, pushed by git."""
    created = world.project(owner, initialize_with_readme=True, visibility="public")
    folder = tmp_path_factory.mktemp("clone")
    url = created["http_url_to_repo"].replace("://", f"://x:{owner.token}@")
    run(folder, "clone", "-q", url, ".")
    run(folder, "update-index", "--add", "--cacheinfo", f"160000,{FIRST},libs/tool")
    run(folder, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "Add a submodule")
    run(folder, "push", "-q", "origin", "HEAD:main")
    return created


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True, text=True, timeout=120)
    return done.stdout


def test_a_submodule_moves_to_another_commit(owner: Person, project: Any, tmp_path: Path) -> None:
    path = f"/projects/{project['id']}/repository/submodules/libs%2Ftool"
    moved = owner.client.ok("PUT", path, json={"branch": "main", "commit_sha": SECOND})
    assert moved["message"] == f"Update submodule libs/tool with oid {SECOND}"
    assert (moved["committer_name"], moved["stats"]["total"]) == (owner.username.title(), 2)

    run(tmp_path, "clone", "-q", "--bare", project["http_url_to_repo"], ".")
    assert run(tmp_path, "ls-tree", "main", "libs/tool").split()[:3] == ["160000", "commit", SECOND]

    again = owner.client.put(path, {"branch": "main", "commit_sha": SECOND})
    assert (again.status_code, again.json()) == (
        400,
        {"message": f"The submodule libs/tool is already at {SECOND}"},
    )


@pytest.mark.parametrize(
    ("name", "body", "status", "text"),
    [
        ("README.md", {"branch": "main", "commit_sha": FIRST}, 400, "Invalid submodule path"),
        ("gone", {"branch": "main", "commit_sha": FIRST}, 400, "Invalid submodule path"),
        ("libs%2Ftool", {"branch": "main", "commit_sha": "main"}, 400, "Invalid parameters"),
        ("libs%2Ftool", {"branch": "nowhere", "commit_sha": FIRST}, 400, "You can only create or edit files when"),
        ("libs%2Ftool", {"branch": "main"}, 400, "commit_sha is missing"),
    ],
)
def test_what_cannot_be_moved(
    owner: Person, project: Any, name: str, body: dict[str, str], status: int, text: str
) -> None:
    refused = owner.client.put(f"/projects/{project['id']}/repository/submodules/{name}", body)
    assert refused.status_code == status
    assert text in refused.text


def test_an_empty_repository_and_people_without_the_right(world: World, owner: Person, project: Any) -> None:
    body, reporter = {"branch": "main", "commit_sha": FIRST}, world.user()
    world.member(project, reporter, "reporter")
    path = f"/projects/{project['id']}/repository/submodules/libs%2Ftool"
    assert reporter.client.put(path, body).status_code == 403
    assert world.anonymous.put(path, body).status_code == 401
    empty = world.project(owner)
    refused = owner.client.put(f"/projects/{empty['id']}/repository/submodules/x", body)
    assert (refused.status_code, refused.json()) == (400, {"message": "The repository is empty"})


def test_python_gitlab_moves_a_submodule(server: RunningServer, owner: Person, project: Any) -> None:
    client = gitlab.Gitlab(server.url, private_token=owner.token)
    lazy = client.projects.get(project["id"], lazy=True)
    moved = lazy.update_submodule("libs/tool", "main", "3" * 40, commit_message="Follow the tool")
    assert moved["message"] == "Follow the tool"
