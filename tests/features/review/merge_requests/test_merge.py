from typing import Any

import pytest
from sqlalchemy import delete, select, update

from ingot.features.review.merge_requests import queries
from ingot.features.review.merge_requests.commands.rebase import start_rebase
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.gitstore import log, objects, refs
from ingot.kit.errors import Conflict
from ingot.kit.jobs.tables import QUEUED, RUNNING
from ingot.kit.jobs.tables import jobs as background_jobs
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def opened(world: World, owner: Person, branch: str = "feature", **settings: Any) -> tuple[dict[str, Any], str]:
    """A project with one open request; returns the project and the request's path."""
    project = world.project(owner, initialize_with_readme=True, **settings)
    world.commit(project, branch, {"f.txt": "hello\n"}, message="Add f")
    body = {"title": "Add f", "source_branch": branch, "target_branch": "main"}
    created = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
    return project, f"/projects/{project['id']}/merge_requests/{created['iid']}"


def test_the_story_of_a_draft(world: World, owner: Person) -> None:
    project, path = opened(world, owner)
    owner.client.ok("PUT", path, json={"title": "Draft: add cache"})
    assert owner.client.ok("GET", path)["detailed_merge_status"] == "draft_status"

    refused = owner.client.put(f"{path}/merge")
    assert refused.status_code == 405
    assert refused.json()["message"] == "405 Method Not Allowed"
    assert refused.json()["reason"] == "draft_status"
    assert owner.client.ok("PUT", path, json={"title": "add cache"})["draft"] is False
    head = owner.client.ok("GET", path)["sha"]
    stale = owner.client.put(f"{path}/merge", json={"sha": "0" * 40})
    assert stale.status_code == 409
    assert stale.json() == {"message": f"SHA does not match HEAD of source branch: {head}"}

    merged = owner.client.ok("PUT", f"{path}/merge")

    assert merged["state"] == "merged"
    assert merged["detailed_merge_status"] == "not_open"
    assert merged["merged_by"]["id"] == merged["merge_user"]["id"] == owner.id
    repository = world.repository(project)
    tip = objects.get_commit(repository, refs.find_branch(repository, "main") or "")
    assert tip.id == merged["merge_commit_sha"]
    assert tip.parent_ids[1] == head
    assert tip.message.strip() == (
        f"Merge branch 'feature' into 'main'\n\nadd cache\n\nSee merge request {project['path_with_namespace']}!1"
    )
    assert owner.client.put(f"{path}/merge").status_code == 405


def test_fast_forward_needs_a_rebase_first(world: World, owner: Person) -> None:
    project, path = opened(world, owner, merge_method="ff")
    world.commit(project, "main", {"other.txt": "x\n"})
    assert owner.client.ok("GET", path)["detailed_merge_status"] == "need_rebase"
    assert owner.client.put(f"{path}/merge").status_code == 422

    assert owner.client.put(f"{path}/rebase").status_code == 202
    world.run_jobs()
    merged = owner.client.ok("PUT", f"{path}/merge")

    assert merged["state"] == "merged"
    assert merged["merge_commit_sha"] is None
    repository = world.repository(project)
    assert refs.find_branch(repository, "main") == merged["sha"]


def test_a_rebase_that_is_asked_for_while_the_job_before_ends_is_not_lost(world: World, owner: Person) -> None:
    _, path = opened(world, owner)
    request_id = owner.client.ok("GET", path)["id"]
    mine = background_jobs.c.key == f"rebase-{request_id}"
    idle = update(merge_requests).where(merge_requests.c.id == request_id).values(rebase_in_progress=False)
    with world.server.services.db.write() as tx:
        row = queries.get_by_id(tx, request_id)
        start_rebase(tx, row, owner.id)
        # Its work is done, and its end is not noted yet.
        tx.execute(update(background_jobs).where(mine).values(state=RUNNING))
        tx.execute(idle)
        start_rebase(tx, row, owner.id)
        states = tx.execute(select(background_jobs.c.state).where(mine)).scalars().all()
        with pytest.raises(Conflict):
            start_rebase(tx, row, owner.id)
        tx.execute(delete(background_jobs).where(mine))
        tx.execute(idle)

    assert sorted(states) == [QUEUED, RUNNING]


def test_conflicts_are_told_apart(world: World, owner: Person) -> None:
    project, path = opened(world, owner)
    world.commit(project, "main", {"f.txt": "other\n"})

    read = owner.client.ok("GET", path)

    assert read["detailed_merge_status"] == "conflict"
    assert read["has_conflicts"] is True
    assert read["merge_status"] == "cannot_be_merged"
    refused = owner.client.put(f"{path}/merge")
    assert refused.status_code == 422
    assert refused.json()["message"] == "Branch cannot be merged"
    reference = owner.client.get(f"{path}/merge_ref")
    assert (reference.status_code, reference.json()) == (400, {"message": "Merge request is not mergeable"})


def test_merge_ref_holds_both_heads_and_leaves_the_target_alone(world: World, owner: Person) -> None:
    project, path = opened(world, owner)
    repository = world.repository(project)
    before = refs.find_branch(repository, "main")

    created = owner.client.ok("GET", f"{path}/merge_ref")

    assert refs.find_branch(repository, "main") == before
    commit = objects.get_commit(repository, created["commit_id"])
    assert commit.parent_ids == (before, refs.find_branch(repository, "feature"))
    assert owner.client.ok("GET", f"{path}/merge_ref") == created


def test_squash_makes_one_commit(world: World, owner: Person) -> None:
    project, path = opened(world, owner, squash_option="default_on")
    world.commit(project, "feature", {"g.txt": "more\n"})
    owner.client.ok("PUT", path, json={"squash": True})

    merged = owner.client.ok("PUT", f"{path}/merge", json={"should_remove_source_branch": True})

    repository = world.repository(project)
    squashed = objects.get_commit(repository, merged["squash_commit_sha"])
    assert squashed.message.strip() == "Add f"
    assert len(log.between(repository, squashed.parent_ids[0], squashed.id)) == 1
    assert refs.find_branch(repository, "feature") is None
    assert owner.client.ok("GET", path)["state"] == "merged"


def test_a_merge_by_hand_is_noticed(world: World, owner: Person) -> None:
    project, path = opened(world, owner)
    repository = world.repository(project)
    head = owner.client.ok("GET", path)["sha"]

    world.fast_forward(project, "main", head)

    read = owner.client.ok("GET", path)
    assert read["state"] == "merged"
    assert read["merge_commit_sha"] == head
    assert refs.find_branch(repository, "main") == head


def test_deleting_the_source_branch_closes(world: World, owner: Person) -> None:
    project, path = opened(world, owner)

    world.delete_branch(project, "feature")

    assert owner.client.ok("GET", path)["state"] == "closed"


def test_auto_merge_without_a_pipeline_is_refused(world: World, owner: Person) -> None:
    _, path = opened(world, owner)

    assert owner.client.put(f"{path}/merge?auto_merge=true").status_code == 405
    assert owner.client.put(f"{path}/merge").status_code == 200


def test_strangers_may_not_merge(world: World, owner: Person) -> None:
    _, path = opened(world, owner, visibility="public")
    stranger = world.user()

    refused = stranger.client.put(f"{path}/merge")

    assert (refused.status_code, refused.json()) == (401, {"message": "401 Unauthorized"})
    assert world.anonymous.put(f"{path}/merge").status_code == 401
