"""Many merges at once: none is lost, none is done twice, and the repository stays whole."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import update

from ingot.features.review.merge_requests import merge_requests, queries
from ingot.features.review.merge_requests.commands.merge import merge
from ingot.features.review.merge_requests.errors import BranchCannotBeMerged
from ingot.features.review.merge_requests.merge_options import MergeOptions
from ingot.gitstore import log, objects, refs
from ingot.gitstore.fsck import check
from ingot.gitstore.log import LogQuery
from tests.support.world import World


def opened(world: World, count: int, **settings: Any) -> tuple[dict[str, Any], list[str]]:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True, **settings)
    paths = []
    for number in range(count):
        world.commit(project, f"topic-{number}", {f"file-{number}.txt": f"{number}\n"})
        body = {"title": f"t{number}", "source_branch": f"topic-{number}", "target_branch": "main"}
        created = world.admin.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
        paths.append(f"/projects/{project['id']}/merge_requests/{created['iid']}")
    return project, paths


def race(world: World, count: int, at_once: int) -> None:
    project, paths = opened(world, count)

    begun = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        replies = list(pool.map(lambda path: world.server.client().put(f"{path}/merge"), paths))
    print(f"{count} merges, {at_once} at once: {time.perf_counter() - begun:.1f} s")  # noqa: T201 - the figure

    assert {reply.status_code for reply in replies} <= {200, 409, 422}
    merged = [path for path in paths if world.admin.ok("GET", path)["state"] == "merged"]
    assert len(merged) == [reply.status_code for reply in replies].count(200)
    assert len(merged) == count, [reply.text for reply in replies if reply.status_code != 200]
    repository = world.repository(project)
    tip = refs.find_branch(repository, "main") or ""
    line = log.commits(repository, LogQuery(include=[tip], first_parent=True))
    assert len(line) == count + 1
    tree = {entry.path for entry in objects.list_tree(repository, tip)}
    assert tree == {"README.md", *(f"file-{number}.txt" for number in range(count))}
    assert check(repository).is_sound


def test_a_dozen_merges_into_one_branch_all_land(world: World) -> None:
    race(world, 12, 6)


@pytest.mark.scale
def test_fifty_merges_into_one_branch_all_land(world: World) -> None:
    race(world, 50, 50)


def test_one_request_merged_twice_at_once_is_merged_once(world: World) -> None:
    project, (path,) = opened(world, 1)

    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda _: world.server.client().put(f"{path}/merge"), range(4)))

    assert [reply.status_code for reply in replies].count(200) == 1
    assert {reply.status_code for reply in replies} <= {200, 405, 422}
    repository = world.repository(project)
    line = log.commits(repository, LogQuery(include=[refs.find_branch(repository, "main") or ""], first_parent=True))
    assert len(line) == 2


def test_a_merge_that_comes_after_a_crash_leaves_the_judgement_to_the_repair(world: World) -> None:
    project, (path,) = opened(world, 1)
    services = world.server.services
    with services.db.read() as conn:
        stale = queries.find_by_iid(conn, project["id"], 1)
    merged = world.admin.ok("PUT", f"{path}/merge")
    with services.db.write() as tx:  # as if the server had died right after the branch moved
        tx.execute(
            update(merge_requests)
            .where(merge_requests.c.id == stale.id)
            .values(state="locked", merged_at=None, in_progress_merge_sha=merged["merge_commit_sha"])
        )

    with pytest.raises(BranchCannotBeMerged):
        merge(services, stale, 1, MergeOptions())

    again = world.admin.ok("GET", path)
    assert (again["state"], again["merge_commit_sha"]) == ("merged", merged["merge_commit_sha"])
