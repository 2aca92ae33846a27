"""The commit of a running pipeline can be fetched with any depth, whatever became of its branch."""

import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from ingot.access.tables import projects
from ingot.features.ci.engine import pipelines
from ingot.features.ci.engine.pinned_refs import unpin
from ingot.features.spaces.projects.checked_repositories import look_at
from ingot.gitstore import refs
from ingot.kit.clock import now
from ingot.kit.jobs import find_job
from ingot.kit.jobs.tables import jobs
from tests.support.runner import WireJob, project_runner
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    world.commit(created, "topic", {".gitlab-ci.yml": "job: {script: [a]}"}, message="CI [skip ci]", user_id=owner.id)
    return created


def checked_out(job: WireJob, folder: Path) -> str:
    """Fetch and check out as a runner does; returns the commit."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    message = job.response["git_info"]
    git("init", "--quiet")
    git("fetch", "--quiet", "--no-tags", "--depth=1", message["repo_url"], *message["refspecs"])
    git("checkout", "--quiet", "--detach", message["sha"])
    return git("rev-parse", "HEAD")


def refs_of(job: WireJob) -> str:
    repo_url = job.response["git_info"]["repo_url"]
    done = subprocess.run(["git", "ls-remote", repo_url], check=True, capture_output=True, text=True)
    return done.stdout


@pytest.mark.parametrize("fate", ["moved", "deleted"])
def test_a_job_gets_its_commit_though_its_branch_went_on(
    world: World, owner: Person, project: dict[str, Any], tmp_path: Path, fate: str
) -> None:
    pipeline = owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "topic"})
    if fate == "moved":
        world.commit(project, "topic", {"more": "x"}, message="More [skip ci]", user_id=owner.id)
    else:
        world.delete_branch(project, "topic")

    taken = project_runner(world, project).take()

    assert checked_out(taken, tmp_path) == pipeline["sha"]
    ref = f"refs/pipelines/{pipeline['id']}"
    assert f"+{ref}:{ref}" in taken.response["git_info"]["refspecs"]


def test_the_ref_goes_when_the_pipeline_has_ended_and_comes_back_with_a_retry(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    base = f"/projects/{project['id']}"
    pipeline = owner.client.ok("POST", f"{base}/pipeline", json={"ref": "topic"})
    runner = project_runner(world, project)
    first = runner.take()
    ref = f"refs/pipelines/{pipeline['id']}"
    unpin(world.server.services, project["id"], pipeline["id"])
    assert ref in refs_of(first)
    first.succeed()

    unpin(world.server.services, project["id"], pipeline["id"])
    owner.client.ok("POST", f"{base}/pipeline", json={"ref": "topic"})
    other = runner.take()
    assert ref not in refs_of(other)

    owner.client.ok("POST", f"{base}/jobs/{first.id}/retry")
    again = runner.take()
    assert ref in refs_of(again)


def test_a_ref_that_cannot_be_removed_yet_is_removed_later(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    pipeline = owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "topic"})
    project_runner(world, project).take().succeed()
    services, key = world.server.services, f"unpin-{pipeline['id']}"
    repository = services.storages.repository("default", project["id"])
    ref, packed = repository.path / "refs/pipelines" / str(pipeline["id"]), repository.path / "packed-refs"

    def run_now() -> str:
        with services.db.write() as tx:
            tx.execute(update(jobs).where(jobs.c.key == key).values(run_after=now()))
        world.run_jobs()
        with services.db.read() as conn:
            job = find_job(conn, key)
        assert job is not None
        return job.state

    before = packed.read_bytes() if packed.exists() else None
    packed.write_bytes(b"what git cannot read")
    assert (run_now(), ref.exists()) == ("queued", True)
    packed.unlink()
    if before is not None:
        packed.write_bytes(before)

    assert (run_now(), ref.exists()) == ("done", False)


def test_refs_that_were_left_over_go_with_the_check_of_repositories(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    base, services = f"/projects/{project['id']}", world.server.services
    runner = project_runner(world, project)
    ended, recent, running = (
        owner.client.ok("POST", f"{base}/pipeline", json={"ref": "topic"})["id"] for _ in range(3)
    )
    for _ in range(2):
        runner.take().succeed()
    taken = runner.take()
    repository = services.storages.repository("default", project["id"])
    foreign = f"refs/pipelines/{running + 1_000_000}"
    refs.update(repository, [refs.RefUpdate(foreign, taken.response["git_info"]["sha"])])
    with services.db.write() as tx:
        long_ago = now() - timedelta(days=3)
        tx.execute(update(pipelines).where(pipelines.c.id.in_([ended, running])).values(updated_at=long_ago))
    with services.db.read() as conn:
        row = conn.execute(select(projects).where(projects.c.id == project["id"])).one()

    look_at(services, row)

    kept = {line.split("/")[-1] for line in refs_of(taken).splitlines() if "refs/pipelines/" in line}
    assert kept == {str(recent), str(running)}
