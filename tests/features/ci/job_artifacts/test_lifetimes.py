"""Keeping, expiring, locking and deleting artifacts; the cleanup; python-gitlab doing all of it."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import gitlab
import pytest
from sqlalchemy import update

from ingot.features.ci.job_artifacts.jobs import cleanup
from ingot.features.ci.job_outputs.tables import job_artifacts
from ingot.kit.clock import now
from ingot.kit.jobs import enqueue
from tests.support.runner import WireJob, WireRunner, project_runner, zipped
from tests.support.world import Person, World

CONFIG = "build: {script: [make], artifacts: {paths: [out]}}"


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    world.commit(created, "main", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]", user_id=owner.id)
    return created


@pytest.fixture
def runner(world: World, project: dict[str, Any]) -> WireRunner:
    return project_runner(world, project)


def run(owner: Person, project: dict[str, Any], runner: WireRunner, **more: str) -> WireJob:
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    taken = runner.take()
    taken.patch(0, b"log\n")
    assert taken.upload(zipped({"a.txt": "a"}), **more).status_code == 201
    taken.succeed()
    return taken


def expire(world: World, job_id: int) -> None:
    with world.server.services.db.write() as tx:
        past = now() - timedelta(minutes=1)
        tx.execute(update(job_artifacts).where(job_artifacts.c.job_id == job_id).values(expire_at=past))


def clean(world: World) -> None:
    """The periodic cleanup, now."""
    assert cleanup is not None
    with world.server.services.db.write() as tx:
        enqueue(tx, "job_artifacts.cleanup")
    world.run_jobs()


def shown(owner: Person, project: dict[str, Any], job: WireJob) -> dict[str, Any]:
    result: dict[str, Any] = owner.client.ok("GET", f"/projects/{project['id']}/jobs/{job.id}")
    return result


def test_artifacts_expire_when_the_upload_says_so_or_after_the_default(
    owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    week = shown(owner, project, run(owner, project, runner, expire_in="1 week"))["artifacts_expire_at"]
    usual = shown(owner, project, run(owner, project, runner))["artifacts_expire_at"]
    never = shown(owner, project, run(owner, project, runner, expire_in="Never"))["artifacts_expire_at"]

    assert week[:10] == (now() + timedelta(days=7)).strftime("%Y-%m-%d")
    assert usual[:10] == (now() + timedelta(days=30)).strftime("%Y-%m-%d")
    assert never is None


def test_an_expired_archive_is_served_until_the_cleanup_but_its_files_are_not(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    old = run(owner, project, runner, expire_in="1 day")
    newest = run(owner, project, runner, expire_in="1 day")
    place = f"/projects/{project['id']}/jobs"
    expire(world, old.id)
    expire(world, newest.id)

    assert "artifacts_file" not in shown(owner, project, old)
    assert owner.client.get(f"{place}/{old.id}/artifacts").status_code == 200
    gone = owner.client.get(f"{place}/{old.id}/artifacts/a.txt")
    assert (gone.status_code, gone.json()) == (404, {"message": "404 Not Found"})
    # The newest successful pipeline of the ref is locked.
    assert owner.client.get(f"{place}/{newest.id}/artifacts/a.txt").text == "a"
    assert owner.client.get(f"{place}/artifacts/main/raw/a.txt", job="build").text == "a"
    remaining = owner.client.post(f"{place}/{old.id}/artifacts/keep")
    assert (remaining.status_code, remaining.json()) == (404, {"message": "404 Not Found"})
    clean(world)
    assert owner.client.get(f"{place}/{old.id}/artifacts").status_code == 404
    assert owner.client.get(f"{place}/{newest.id}/artifacts").status_code == 200
    assert owner.client.get(f"{place}/{old.id}/trace").text == "log\n"
    left = [one.key for one in world.server.services.blobs.list(f"artifacts/{project['id']}/{old.id}")]
    assert left == []


def test_kept_artifacts_never_expire(world: World, owner: Person, project: dict[str, Any], runner: WireRunner) -> None:
    old = run(owner, project, runner, expire_in="1 day")
    run(owner, project, runner)
    reporter, developer = world.user(), world.user()
    world.member(project, reporter, "reporter")
    world.member(project, developer, "developer")
    place = f"/projects/{project['id']}/jobs/{old.id}/artifacts"

    assert world.anonymous.post(f"{place}/keep").status_code == 401
    assert reporter.client.post(f"{place}/keep").status_code == 403
    # main is protected: developers may not push there.
    assert developer.client.post(f"{place}/keep").status_code == 403
    remaining = owner.client.ok("POST", f"{place}/keep")
    assert remaining["artifacts_expire_at"] is None
    assert "download_url" in remaining
    clean(world)
    assert owner.client.get(place).status_code == 200


def test_deleting_a_jobs_artifacts_leaves_its_log(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    job = run(owner, project, runner)
    world.run_jobs()
    developer = world.user()
    world.member(project, developer, "developer")
    place = f"/projects/{project['id']}/jobs/{job.id}/artifacts"

    assert world.anonymous.delete(place).status_code == 401
    assert developer.client.delete(place).status_code == 403
    assert owner.client.delete(f"/projects/{project['id']}/jobs/99999999/artifacts").json() == {
        "message": "404 Not found"
    }
    for _ in range(2):
        assert owner.client.delete(place).status_code == 204
    assert owner.client.get(place).status_code == 404
    assert [one["file_type"] for one in shown(owner, project, job)["artifacts"]] == ["trace"]
    assert owner.client.get(f"/projects/{project['id']}/jobs/{job.id}/trace").text == "log\n"
    world.run_jobs()
    statistics = owner.client.ok("GET", f"/projects/{project['id']}?statistics=true")["statistics"]
    assert statistics["job_artifacts_size"] == 4


def test_deleting_a_projects_artifacts_spares_the_newest_of_each_ref(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    old = run(owner, project, runner, expire_in="never")
    newest = run(owner, project, runner)
    place = f"/projects/{project['id']}/artifacts"

    developer = world.user()
    world.member(project, developer, "developer")
    assert developer.client.delete(place).status_code == 403
    accepted = owner.client.delete(place)
    assert (accepted.status_code, accepted.json()) == (202, {"message": "202 Accepted"})
    world.run_jobs()
    # Expired, but still there until the cleanup.
    assert owner.client.get(f"/projects/{project['id']}/jobs/{old.id}/artifacts").status_code == 200
    clean(world)
    assert owner.client.get(f"/projects/{project['id']}/jobs/{old.id}/artifacts").status_code == 404
    assert owner.client.get(f"/projects/{project['id']}/jobs/{newest.id}/artifacts").status_code == 200
    assert owner.client.get(f"/projects/{project['id']}/jobs/{old.id}/trace").text == "log\n"


def test_deleting_the_ref_unlocks_its_artifacts(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    world.commit(project, "side", {"x": "y"}, message="Side [skip ci]", user_id=owner.id)
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "side"})
    taken = runner.take()
    taken.upload(zipped({"a.txt": "a"}), expire_in="1 day")
    taken.succeed()
    expire(world, taken.id)
    place = f"/projects/{project['id']}/jobs/{taken.id}/artifacts/a.txt"

    assert owner.client.get(place).status_code == 200
    world.delete_branch(project, "side")
    assert owner.client.get(place).status_code == 404


def test_erasing_a_job_removes_artifacts_and_log(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    job = run(owner, project, runner)
    world.run_jobs()
    erased = owner.client.ok("POST", f"/projects/{project['id']}/jobs/{job.id}/erase")
    assert erased["artifacts"] == []
    assert erased["erased_at"] is not None
    assert owner.client.get(f"/projects/{project['id']}/jobs/{job.id}/trace").text == ""


def test_a_deleted_project_leaves_no_objects(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    run(owner, project, runner)
    place = f"/projects/{project['id']}"
    owner.client.delete(place)
    owner.client.delete(place, params={"permanently_remove": "true", "full_path": project["path_with_namespace"]})
    world.run_jobs()
    assert owner.client.get(place).status_code == 404
    assert list(world.server.services.blobs.list(f"artifacts/{project['id']}")) == []


def test_python_gitlab_downloads_keeps_and_deletes(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner, tmp_path: Path
) -> None:
    taken = run(owner, project, runner, expire_in="1 day")
    api = gitlab.Gitlab(world.server.url, private_token=owner.token)
    there = api.projects.get(project["id"])
    job = there.jobs.get(taken.id)

    assert job.artifacts() == zipped({"a.txt": "a"})
    assert job.artifact("a.txt") == b"a"
    assert there.artifacts.download("main", "build") == zipped({"a.txt": "a"})
    assert there.artifacts.raw("main", "a.txt", "build") == b"a"
    with (tmp_path / "out.zip").open("wb") as file:
        job.artifacts(streamed=True, action=file.write)
    assert (tmp_path / "out.zip").read_bytes() == zipped({"a.txt": "a"})
    job.keep_artifacts()
    assert there.jobs.get(taken.id).artifacts_expire_at is None
    assert job.trace() == b"log\n"
    job.delete_artifacts()
    with pytest.raises(gitlab.GitlabGetError):
        job.artifacts()
    there.artifacts.delete()
    api.session.close()
