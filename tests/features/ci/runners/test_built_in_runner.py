"""`ingot runner` as its own process against a real server: pipelines with everything that the shell runner knows."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ingot.kit.jobs import JobWorker
from tests.support.forked_program import run_program
from tests.support.waiting import until
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

SRC = Path(__file__).parents[4] / "src"
CONFIG = """
stages: [build, test, deploy]
variables: {GREETING: "hello $NAME", NAME: world}
default:
  before_script: [echo before]
compile:
  stage: build
  script:
    - mkdir -p out/deep && echo "$GREETING" > out/greeting.txt && echo 1 > out/deep/skip.tmp
    - echo "VERSION=7" > build.env
    - 'echo "<testsuite name=\\"x\\"><testcase name=\\"one\\" classname=\\"c\\"/></testsuite>" > report.xml'
    - echo "the secret is $SECRET"
  after_script: [echo "ended as $CI_JOB_STATUS"]
  artifacts:
    name: "$CI_JOB_NAME-files"
    paths: [out/]
    exclude: ["out/**/*.tmp"]
    reports: {dotenv: build.env, junit: report.xml}
check:
  stage: test
  script:
    - test "$(cat out/greeting.txt)" = "hello world"
    - test ! -e out/deep/skip.tmp
    - test "$VERSION" = 7
    - test "$(git rev-parse HEAD)" = "$CI_COMMIT_SHA"
    - echo "coverage 91.5%"
  coverage: '/coverage (\\d+\\.\\d+)%/'
may-fail:
  stage: test
  script: [exit 42]
  allow_failure: {exit_codes: [42]}
child:
  stage: test
  trigger: {include: child.yml, strategy: depend}
publish:
  stage: deploy
  script: ['echo "to $WHERE"', 'test "$WHERE" = moon']
  when: manual
  allow_failure: false
"""
CHILD = """
inner:
  script: [echo inner, test "$CI_PIPELINE_SOURCE" = parent_pipeline]
"""


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def working(world: World) -> Iterator[None]:
    worker = JobWorker(world.server.services.db, world.server.services, concurrency=2)
    worker.start()
    yield
    worker.stop()


def runner(world: World, project: dict[str, Any], folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    created = world.admin.ok(
        "POST", "/user/runners", json={"runner_type": "project_type", "project_id": project["id"], "tag_list": ""}
    )
    return again(world, created["token"], folder, *words)


def again(world: World, token: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ("runner", "--url", world.server.url, "--token", token, "--once", "--builds", str(folder))
    return run_program(*command, *words, environment={**os.environ, "OUTER_SECRET": "not for jobs"})


def test_a_whole_pipeline_runs_to_success(world: World, owner: Person, working: None, tmp_path: Path) -> None:
    project = world.project(owner, initialize_with_readme=True)
    place = f"/projects/{project['id']}"
    owner.client.ok("POST", f"{place}/variables", json={"key": "SECRET", "value": "hunter2hunter2", "masked": True})
    files = {".gitlab-ci.yml": CONFIG, "child.yml": CHILD}
    world.commit(project, "main", files, message="CI [skip ci]", user_id=owner.id)
    created = world.admin.ok("POST", "/user/runners", json={"runner_type": "project_type", "project_id": project["id"]})
    pipeline = owner.client.ok("POST", f"{place}/pipeline", json={"ref": "main"})

    first = again(world, created["token"], tmp_path, "--concurrent", "2")
    assert first.returncode == 0, first.stderr
    assert "without isolation" in first.stderr
    jobs = {one["name"]: one for one in owner.client.ok("GET", f"{place}/pipelines/{pipeline['id']}/jobs")}
    logs = {name: owner.client.get(f"{place}/jobs/{one['id']}/trace").text for name, one in jobs.items()}
    assert jobs["compile"]["status"] == "success", logs["compile"]
    assert jobs["check"]["status"] == "success", logs["check"]
    assert (jobs["may-fail"]["status"], jobs["may-fail"]["failure_reason"]) == ("failed", "script_failure")
    assert jobs["check"]["coverage"] == 91.5
    assert jobs["publish"]["status"] == "manual"
    assert "the secret is [MASKED]" in logs["compile"]
    assert "ended as success" in logs["compile"]
    assert jobs["compile"]["artifacts_file"]["filename"] == "compile-files.zip"
    given = {"job_variables_attributes": [{"key": "WHERE", "value": "moon"}]}
    owner.client.ok("POST", f"{place}/jobs/{jobs['publish']['id']}/play", json=given)
    second = again(world, created["token"], tmp_path)
    assert second.returncode == 0, second.stderr

    ended = owner.client.ok("GET", f"{place}/pipelines/{pipeline['id']}")
    assert ended["status"] == "success"
    bridge = owner.client.ok("GET", f"{place}/pipelines/{pipeline['id']}/bridges")[0]
    assert (bridge["status"], bridge["downstream_pipeline"]["status"]) == ("success", "success")
    report = owner.client.ok("GET", f"{place}/pipelines/{pipeline['id']}/test_report")
    assert report["total_count"] == 1
    text = owner.client.get(f"{place}/jobs/artifacts/main/raw/out/greeting.txt", job="compile").text
    assert text == "hello world\n"


def test_a_job_over_its_time_is_ended_and_the_runners_environment_stays_outside(
    world: World, owner: Person, working: None, tmp_path: Path
) -> None:
    config = """
slow: {script: [sleep 60], timeout: 1s}
clean: {script: ['test -z "$OUTER_SECRET"']}
"""
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=owner.id)
    pipeline = owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})

    assert runner(world, project, tmp_path, "--concurrent", "2").returncode == 0
    jobs = owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{pipeline['id']}/jobs")
    result = {one["name"]: (one["status"], one["failure_reason"]) for one in jobs}
    assert result == {"slow": ("failed", "job_execution_timeout"), "clean": ("success", None)}


def test_a_cancelled_job_still_runs_its_after_script_and_a_stopped_runner_leaves_no_job_running(
    world: World, owner: Person, working: None, tmp_path: Path
) -> None:
    config = """
first: {script: [echo started, sleep 600], after_script: ['echo "cleaned, $CI_JOB_STATUS"']}
second: {script: [echo started, sleep 600]}
"""
    project = world.project(owner, initialize_with_readme=True)
    place = f"/projects/{project['id']}"
    world.commit(project, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=owner.id)
    created = world.admin.ok("POST", "/user/runners", json={"runner_type": "project_type", "project_id": project["id"]})
    pipeline = owner.client.ok("POST", f"{place}/pipeline", json={"ref": "main"})

    def job(name: str) -> dict[str, Any]:
        listed = owner.client.ok("GET", f"{place}/pipelines/{pipeline['id']}/jobs")
        return next(one for one in listed if one["name"] == name)

    def wait(check: Callable[[], bool]) -> None:
        limit = time.monotonic() + 120
        while not check():
            assert time.monotonic() < limit, "waited too long"
            time.sleep(0.1)

    command = [sys.executable, "-m", "ingot", "runner", "--url", world.server.url, "--token", created["token"]]
    process = subprocess.Popen(
        [*command, "--builds", str(tmp_path), "--interval", "0.2"],
        env={**os.environ, "PYTHONPATH": str(SRC)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        wait(lambda: "started" in owner.client.get(f"{place}/jobs/{job('first')['id']}/trace").text)
        # As it is answered: a moment later the runner may have ended it.
        assert owner.client.ok("POST", f"{place}/jobs/{job('first')['id']}/cancel")["status"] == "canceling"
        wait(lambda: job("first")["status"] == "canceled")
        assert "cleaned, canceled" in owner.client.get(f"{place}/jobs/{job('first')['id']}/trace").text
        wait(lambda: "started" in owner.client.get(f"{place}/jobs/{job('second')['id']}/trace").text)
        process.terminate()
        assert process.wait(timeout=120) == 0
        assert (job("second")["status"], job("second")["failure_reason"]) == ("failed", "runner_interrupted")
    finally:
        process.kill()
        process.wait()


def test_a_runner_with_a_bad_token_says_so(world: World, tmp_path: Path) -> None:
    refused = again(world, "glrt-nobody", tmp_path)
    assert refused.returncode == 1
    assert f"ingot: Invalid token: {world.server.url} has no runner with this token." in refused.stderr


def test_a_runner_that_starts_ends_the_jobs_of_one_that_was_killed_and_no_others(
    world: World, owner: Person, working: None, tmp_path: Path
) -> None:
    project = world.project(owner, initialize_with_readme=True)
    config = "long: {script: [echo begun, sleep 600]}"
    world.commit(project, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=owner.id)
    created = world.admin.ok("POST", "/user/runners", json={"runner_type": "project_type", "project_id": project["id"]})
    pipeline = owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    command = (sys.executable, "-m", "ingot", "runner", "--url", world.server.url, "--token", created["token"])
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    first = subprocess.Popen([*command, "--builds", str(tmp_path)], env=environment, stderr=subprocess.DEVNULL)

    def job() -> Any:
        (row,) = owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{pipeline['id']}/jobs")
        return row

    try:
        until(lambda: job()["status"] == "running" and list((tmp_path / "running").glob("*.json")) != [])
        (tmp_path / "running" / "cut.json").write_text("{")
        (tmp_path / "running" / "other.json").write_text('{"server": "http://other", "job_id": 1, "token": "x"}')
        beside = again(world, created["token"], tmp_path)
        assert (beside.returncode, job()["status"]) == (0, "running")
    finally:
        first.kill()
        first.wait()
    second = again(world, created["token"], tmp_path)

    assert second.returncode == 0, second.stderr
    assert (job()["status"], job()["failure_reason"]) == ("failed", "runner_interrupted")
    assert [place.name for place in (tmp_path / "running").iterdir()] == ["other.json"]
