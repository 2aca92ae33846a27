"""Merge requests whose source was a fork: which branches come back, and which do not."""

from pathlib import Path
from typing import Any

import pytest

from ingot.gitstore import refs
from ingot.gitstore.listing import branch_names
from tests.features.transfer.project_imports.making import MOMENT, archive, bundle_of, imported
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def shas(world: World, owner: Person) -> dict[str, Any]:
    """A repository with a commit that only a merge request's ref holds, and one that only a tag holds."""
    project = world.project(owner, initialize_with_readme=True)
    head = world.commit(project, "topic", {"topic.txt": "topic\n"})
    old = world.commit(project, "release", {"old.txt": "old\n"})
    repository = world.repository(project)
    refs.update(repository, [refs.RefUpdate(f"refs/keep-around/{sha}", sha) for sha in (head, old)])
    world.delete_branch(project, "topic")
    world.delete_branch(project, "release")
    return {"project": project, "head": head, "old": old}


def request(iid: int, **more: Any) -> dict[str, Any]:
    return {
        "iid": iid, "title": f"Change {iid}", "state": "opened", "source_branch": f"topic-{iid}",
        "target_branch": "main", "source_project_id": 9, "target_project_id": 7, "author_id": 1, "created_at": MOMENT,
        "updated_at": MOMENT, **more,
    }  # fmt: skip


@pytest.fixture(scope="module")
def imported_project(
    world: World, owner: Person, shas: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    head, old = shas["head"], shas["old"]
    folder: Path = tmp_path_factory.mktemp("forks")
    requests = [
        request(1, target_branch="release", diff_head_sha=head, target_branch_sha=old),
        request(2, diff_head_sha=head, target_branch_sha=old),
        request(3, state="closed", target_branch="gone", diff_head_sha=head, target_branch_sha=old),
        request(4, merge_request_diff={"head_commit_sha": head, "merge_request_diff_files": []}),
        request(5, source_project_id=7, diff_head_sha=head),
        request(6, target_branch="lost", diff_head_sha="e" * 40, target_branch_sha="f" * 40),
        request(7, source_branch="a..b", target_branch="-x", diff_head_sha=head, target_branch_sha=old),
        request(8, source_branch="main/sub", target_branch="main", diff_head_sha=head),
    ]
    content = archive(files={"project.bundle": bundle_of(world, shas["project"], folder)}, merge_requests=requests)
    record = imported(world, owner, content)
    assert (record["import_status"], record["failed_relations"]) == ("finished", []), record
    return record


def read(owner: Person, imported_project: dict[str, Any], iid: int) -> dict[str, Any]:
    result: dict[str, Any] = owner.client.ok("GET", f"/projects/{imported_project['id']}/merge_requests/{iid}")
    return result


def test_both_branches_of_an_open_request_are_made_again(
    world: World, owner: Person, imported_project: dict[str, Any], shas: dict[str, Any]
) -> None:
    repository = world.repository(imported_project)

    assert refs.find_branch(repository, "topic-1") == shas["head"]
    assert refs.find_branch(repository, "release") == shas["old"]
    result = read(owner, imported_project, 1)
    assert (result["source_project_id"], result["sha"]) == (imported_project["id"], shas["head"])


def test_a_target_branch_that_is_there_stays_where_it_is(
    world: World, owner: Person, imported_project: dict[str, Any], shas: dict[str, Any]
) -> None:
    repository = world.repository(imported_project)

    assert refs.find_branch(repository, "topic-2") == shas["head"]
    assert refs.find_branch(repository, "main") != shas["old"]
    assert read(owner, imported_project, 2)["merge_status"] == "can_be_merged"


def test_only_open_requests_from_forks_get_branches(
    world: World, owner: Person, imported_project: dict[str, Any]
) -> None:
    assert sorted(branch_names(world.repository(imported_project))) == ["main", "release", "topic-1", "topic-2"]
    assert read(owner, imported_project, 3)["source_project_id"] == imported_project["id"]
    assert read(owner, imported_project, 5)["source_project_id"] == imported_project["id"]


def test_without_the_computed_head_the_source_project_is_unknown(
    world: World, owner: Person, imported_project: dict[str, Any], shas: dict[str, Any]
) -> None:
    result = read(owner, imported_project, 4)

    assert (result["source_project_id"], result["sha"]) == (None, shas["head"])
    assert refs.find_ref(world.repository(imported_project), "refs/merge-requests/4/head") == shas["head"]


def test_commits_that_are_not_there_leave_no_refs(
    world: World, owner: Person, imported_project: dict[str, Any]
) -> None:
    repository = world.repository(imported_project)

    assert refs.find_ref(repository, "refs/merge-requests/6/head") is None
    assert refs.find_branch(repository, "lost") is None
    assert read(owner, imported_project, 6)["state"] == "opened"


def test_names_that_git_refuses_do_not_stop_the_import(owner: Person, imported_project: dict[str, Any]) -> None:
    assert [read(owner, imported_project, iid)["state"] for iid in (7, 8)] == ["opened", "opened"]
