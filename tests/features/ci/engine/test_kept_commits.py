"""What pipelines, requests and notes show survives force pushes, deleted branches and a real pruning."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from ingot.features.spaces.projects.kept_commits import commits_to_keep
from ingot.gitstore import fsck, listing, revisions
from ingot.gitstore.keeping import ROWS
from tests.support.runner import project_runner
from tests.support.world import Person, World

CONFIG = "job: {script: [make]}"


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    world.commit(created, "topic", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]", user_id=owner.id)
    return created


def prune(world: World, project: dict[str, Any]) -> None:
    """As the housekeeping does, without its days of grace."""

    def referenced() -> set[str]:
        with world.server.services.db.read() as conn:
            return commits_to_keep(conn, project["id"])

    fsck.tidy(world.repository(project), referenced, expire="now")


def test_a_pipeline_is_retried_after_its_branch_was_pruned_away(
    world: World, owner: Person, project: dict[str, Any], tmp_path: Path
) -> None:
    base = f"/projects/{project['id']}"
    pipeline = owner.client.ok("POST", f"{base}/pipeline", json={"ref": "topic"})
    runner = project_runner(world, project)
    first = runner.take()
    first.fail()
    # What the job pinned while it ran is long gone.
    repository = world.repository(project)
    subprocess.run(["git", "update-ref", "-d", f"refs/pipelines/{pipeline['id']}"], cwd=repository.path, check=True)
    world.delete_branch(project, "topic")

    prune(world, project)
    owner.client.ok("POST", f"{base}/jobs/{first.id}/retry")
    again = runner.take()

    message = again.response["git_info"]
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    fetch = ["git", "fetch", "--quiet", "--depth=1", message["repo_url"], *message["refspecs"]]
    subprocess.run(fetch, cwd=tmp_path, check=True)
    subprocess.run(["git", "checkout", "--quiet", "--detach", message["sha"]], cwd=tmp_path, check=True)
    assert (tmp_path / ".gitlab-ci.yml").read_text() == CONFIG
    listed = subprocess.run(
        ["git", "ls-remote", message["repo_url"]], check=True, capture_output=True, text=True
    ).stdout
    assert "keep-around" not in listed
    assert "tidying" not in listed
    assert owner.client.ok("GET", f"{base}/pipelines/{pipeline['id']}")["sha"] == pipeline["sha"]


def test_commits_go_with_their_pipelines(world: World, owner: Person, project: dict[str, Any]) -> None:
    base = f"/projects/{project['id']}"
    pipeline = owner.client.ok("POST", f"{base}/pipeline", json={"ref": "topic"})
    world.delete_branch(project, "topic")
    repository = world.repository(project)
    prune(world, project)
    assert [name for name in listing.list_refs(repository) if name.startswith(ROWS)] == [ROWS + pipeline["sha"]]

    for one in owner.client.ok("GET", f"{base}/pipelines"):
        assert owner.client.delete(f"{base}/pipelines/{one['id']}").status_code == 204
    prune(world, project)

    assert [name for name in listing.list_refs(repository) if name.startswith(ROWS)] == []
    assert repository.git("cat-file", "-e", pipeline["sha"], accept=(0, 1, 128)).code != 0


def test_older_versions_of_a_request_and_notes_on_commits_stay(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    base = f"/projects/{project['id']}"
    request = world.merge_request(project, owner)
    branch, first = request["source_branch"], request["sha"]
    noted = world.commit(project, "lost", {"b": "1"}, message="Two [skip ci]", user_id=owner.id)
    owner.client.ok("POST", f"{base}/repository/commits/{noted}/discussions", json={"body": "Look"})
    root = world.repository(project).git("rev-parse", "main").text.strip()
    second = world.commit(project, "spare", {"a": "2"}, message="Other [skip ci]", user_id=owner.id)
    world.push(project, f"refs/heads/{branch}", second, user_id=owner.id)
    world.delete_branch(project, "lost")
    world.delete_branch(project, "spare")

    prune(world, project)

    repository = world.repository(project)
    assert all(revisions.has_object(repository, sha) for sha in (first, second, noted, root))
    versions = owner.client.ok("GET", f"{base}/merge_requests/{request['iid']}/versions")
    oldest = versions[-1]
    shown = owner.client.ok("GET", f"{base}/merge_requests/{request['iid']}/versions/{oldest['id']}")
    assert (shown["head_commit_sha"], len(versions), len(shown["diffs"])) == (first, 2, 1)
    assert owner.client.ok("GET", f"{base}/repository/commits/{noted}/discussions")[0]["notes"][0]["body"] == "Look"
