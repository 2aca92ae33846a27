"""A source that shares no commit with its target."""

from typing import Any

import pytest

from ingot.events import Pushed, RefChange
from ingot.gitstore import Person as Author
from ingot.gitstore import objects, refs
from ingot.gitstore.commit_objects import write_blob, write_commit
from ingot.gitstore.model import ZERO_ID
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.tree_edit import Folder
from ingot.kit.events import announce
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def orphan(world: World, project: dict[str, Any], files: dict[str, str]) -> str:
    """A branch `other` of two commits that begin with nothing."""
    repository = world.repository(project)
    root, head = Folder(repository, None), []
    for number, (path, text) in enumerate(files.items()):
        root.put([path.encode()], "100644", write_blob(repository, text.encode()))
        who = Author.now("Ada", "ada@example.com")
        head = [write_commit(repository, root.write(), head, f"Begin {number}", who)]
    refs.update(repository, [RefUpdate("refs/heads/other", head[0], ZERO_ID)])
    change = RefChange("refs/heads/other", ZERO_ID, head[0])
    announce(world.server.services, Pushed(project["id"], 1, (change,)))
    return head[0]


def opened(world: World, owner: Person, files: dict[str, str], **settings: Any) -> tuple[dict[str, Any], str]:
    project = world.project(owner, initialize_with_readme=True)
    if settings:
        owner.client.ok("PUT", f"/projects/{project['id']}", json=settings)
    orphan(world, project, files)
    body = {"title": "Join", "source_branch": "other", "target_branch": "main"}
    created = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
    return project, f"/projects/{project['id']}/merge_requests/{created['iid']}"


def test_it_shows_all_its_commits_and_files_and_can_be_merged(world: World, owner: Person) -> None:
    project, path = opened(world, owner, {"one.txt": "1\n", "two.txt": "2\n"})

    read = owner.client.ok("GET", path)
    assert (read["detailed_merge_status"], read["has_conflicts"], read["changes_count"]) == ("mergeable", False, "2")
    assert read["diff_refs"]["base_sha"] is None
    assert read["diff_refs"]["head_sha"] == read["sha"]
    assert [one["title"] for one in owner.client.ok("GET", f"{path}/commits")] == ["Begin 1", "Begin 0"]
    assert [one["new_path"] for one in owner.client.ok("GET", f"{path}/diffs")] == ["one.txt", "two.txt"]
    assert "+++ b/one.txt" in owner.client.get(f"{path}/raw_diffs").text
    version = owner.client.ok("GET", f"{path}/versions")[0]
    assert len(owner.client.ok("GET", f"{path}/versions/{version['id']}")["commits"]) == 2

    merged = owner.client.ok("PUT", f"{path}/merge")

    assert merged["state"] == "merged"
    files = objects.list_tree(world.repository(project), merged["merge_commit_sha"])
    assert [entry.name for entry in files] == ["README.md", "one.txt", "two.txt"]


def test_the_same_file_on_both_sides_is_a_conflict(world: World, owner: Person) -> None:
    _, path = opened(world, owner, {"README.md": "another\n"})

    read = owner.client.ok("GET", path)

    assert (read["detailed_merge_status"], read["has_conflicts"]) == ("conflict", True)
    assert len(owner.client.ok("GET", f"{path}/commits")) == 1
    assert owner.client.put(f"{path}/merge").status_code == 422


def test_squashed_it_is_one_commit_that_begins_a_history(world: World, owner: Person) -> None:
    project, path = opened(world, owner, {"one.txt": "1\n", "two.txt": "2\n"}, squash_option="always")

    merged = owner.client.ok("PUT", f"{path}/merge")

    squashed = objects.get_commit(world.repository(project), merged["squash_commit_sha"])
    assert (squashed.parent_ids, squashed.message.strip()) == ((), "Join")


def test_a_fast_forward_is_not_possible(world: World, owner: Person) -> None:
    _, path = opened(world, owner, {"one.txt": "1\n"}, merge_method="ff")

    assert owner.client.ok("GET", path)["detailed_merge_status"] == "need_rebase"
    assert owner.client.put(f"{path}/merge").status_code == 422
