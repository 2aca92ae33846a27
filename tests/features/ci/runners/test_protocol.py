"""The runner protocol, spoken exactly as the real program does."""

import gzip
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from ingot.features.ci.job_outputs import traces
from ingot.features.ci.job_outputs.tables import job_traces
from ingot.kit.clock import now
from ingot.kit.db import remembering_answers
from tests.support.runner import INFO, WireRunner, project_runner, zipped
from tests.support.world import Person, World

CONFIG = """
stages: [build, test, deploy]
variables: {GLOBAL: everywhere}
compile:
  stage: build
  variables: {MODE: fast}
  script: [make]
  after_script: [make clean]
  artifacts:
    paths: [out/]
    expire_in: 1 week
    reports: {dotenv: build.env, junit: report.xml}
unit:
  stage: test
  script: [make test]
  coverage: '/TOTAL: (\\d+\\.\\d+)%/'
ship:
  stage: deploy
  script: [make ship]
  needs: [compile]
  when: manual
"""


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    world.commit(created, "main", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]", user_id=owner.id)
    return created


@pytest.fixture
def pipeline(owner: Person, project: dict[str, Any]) -> dict[str, Any]:
    created: dict[str, Any] = owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    return created


@pytest.fixture
def runner(world: World, project: dict[str, Any]) -> WireRunner:
    return project_runner(world, project)


def job(owner: Person, project: dict[str, Any], job_id: int) -> dict[str, Any]:
    result: dict[str, Any] = owner.client.ok("GET", f"/projects/{project['id']}/jobs/{job_id}")
    return result


def test_a_runner_runs_a_pipeline_with_artifacts_between_its_stages(
    world: World, owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    first = runner.take()

    assert first.name == "compile"
    assert first.response["steps"][0] == {
        "name": "script", "script": ["make"], "timeout": 3600, "when": "on_success", "allow_failure": False,
    }  # fmt: skip
    assert first.response["git_info"]["repo_url"].startswith("http://gitlab-ci-token:glcbt-64_")
    assert {entry["artifact_type"] for entry in first.response["artifacts"]} == {"archive", "dotenv", "junit"}
    assert first.variable("MODE") == "fast"
    assert first.variable("GLOBAL") == "everywhere"
    assert first.variable("CI_JOB_TOKEN") == first.token
    shown = job(owner, project, first.id)
    assert shown["status"] == "running"
    assert shown["runner"]["status"] == "online"
    assert shown["runner_manager"]["system_id"] == runner.system_id
    assert shown["runner_manager"]["version"] == "19.4.0"
    assert shown["runner_manager"]["job_execution_status"] == "active"

    assert first.upload(zipped({"out/app": b"binary"}), name="build.zip", expire_in="1 week").status_code == 201
    env = gzip.compress(b"VERSION=1.2.3\n")
    assert first.upload(env, "dotenv", "gzip", "build.env.gz", expire_in="1 week").status_code == 201
    cases = b'<testsuite name="s"><testcase name="a" classname="c" time="0.5"/></testsuite>'
    other = b'<testsuite name="t"><testcase name="b" classname="c"><failure>no</failure></testcase></testsuite>'
    report = gzip.compress(cases) + gzip.compress(other)
    answer = first.upload(report, "junit", "gzip", "junit.xml.gz", expire_in="1 week")
    assert (answer.status_code, answer.text) == (201, "201")
    first.succeed()

    second = runner.take()
    assert second.name == "unit"
    dependency = second.response["dependencies"][0]
    assert dependency["artifacts_file"] == {"filename": "build.zip", "size": len(zipped({"out/app": b"binary"}))}
    assert dependency["token"] == second.token
    assert second.variable("VERSION") == "1.2.3"
    got = second.client.get(f"/jobs/{first.id}/artifacts", headers={"JOB-TOKEN": dependency["token"]})
    assert got.status_code == 200
    assert got.content == zipped({"out/app": b"binary"})
    second.patch(0, b"all tests\nTOTAL: 87.50%\n")
    second.succeed()

    shown = job(owner, project, second.id)
    assert (shown["status"], shown["coverage"]) == ("success", 87.5)
    tests = owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{pipeline['id']}/test_report")
    assert (tests["total_count"], tests["failed_count"]) == (2, 1)
    listed = job(owner, project, first.id)
    assert [one["file_type"] for one in listed["artifacts"]] == ["archive", "metadata", "dotenv", "junit"]
    assert runner.ask().status_code == 204


def test_a_project_says_where_logs_show_the_coverage(
    owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"build_coverage_regex": r"/^lines: (\d+)%/"})
    taken = runner.take()

    taken.patch(0, b"lines: 60%\n2026-05-14T11:19:20.000001Z 01O lines: 64%\n")
    taken.succeed()

    assert job(owner, project, taken.id)["coverage"] == 64.0


def test_a_log_grows_by_ranges_and_a_wrong_place_is_answered_with_the_right_one(
    world: World, owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    taken = runner.take()

    answer = taken.patch(0, b"hello ")
    assert answer.status_code == 202
    assert answer.headers["range"] == "0-6"
    assert answer.headers["job-status"] == "running"
    assert answer.headers["x-gitlab-trace-update-interval"] == "30"
    wrong = taken.patch(3, b"world")
    assert wrong.status_code == 416
    assert wrong.json() == {"error": "416 Range Not Satisfiable"}
    assert wrong.headers["range"] == "0-6"
    assert taken.patch(6, b"world\n").headers["range"] == "0-12"

    read = owner.client.get(f"/projects/{project['id']}/jobs/{taken.id}/trace")
    assert read.text == "hello world\n"
    assert taken.patch(12, b"!").headers["x-gitlab-trace-update-interval"] == "3"
    missing = taken.client.patch(f"/jobs/{taken.id}/trace", content=b"x", headers=taken.headers)
    assert (missing.status_code, missing.json()) == (400, {"error": "400 Missing header Content-Range"})
    assert missing.headers["job-status"] == taken.update("nonsense").headers["job-status"] == "running"

    taken.succeed()
    world.run_jobs()
    assert owner.client.get(f"/projects/{project['id']}/jobs/{taken.id}/trace").text == "hello world\n!"
    shown = job(owner, project, taken.id)
    assert {"file_type": "trace", "size": 13, "filename": "job.log", "file_format": "raw"} in shown["artifacts"]


def test_every_refusal_of_a_job_call_is_a_403_that_stops_the_runner(
    owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    taken = runner.take()

    unknown = taken.client.put("/jobs/99999999", json={"token": taken.token, "state": "success"})
    assert (unknown.status_code, unknown.json()) == (403, {"message": "403 Forbidden"})
    wrong = taken.client.put(f"/jobs/{taken.id}", json={"token": "nonsense", "state": "success"})
    assert wrong.status_code == 403
    assert taken.update("nonsense").status_code == 400
    taken.fail(exit_code=3)
    after = taken.patch(0, b"late")
    assert after.status_code == 403
    assert after.json() == {"message": "403 Forbidden - Job is not processing on runner"}
    assert after.headers["job-status"] == "failed"
    assert taken.upload(b"late").status_code == 403
    shown = job(owner, project, taken.id)
    assert (shown["status"], shown["failure_reason"]) == ("failed", "script_failure")


def test_a_cancelled_job_tells_its_runner_to_stop(
    owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    taken = runner.take()

    owner.client.ok("POST", f"/projects/{project['id']}/jobs/{taken.id}/cancel")
    answer = taken.update("running")
    assert (answer.status_code, answer.headers["job-status"]) == (200, "canceling")
    ended = taken.update("failed", failure_reason="script_failure")
    assert ended.headers["job-status"] == "canceled"
    assert job(owner, project, taken.id)["status"] == "canceled"


def test_uploads_are_checked_before_and_after(
    world: World, owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    taken = runner.take()
    archive = zipped({"a.txt": "a"})

    assert taken.upload(archive).status_code == 201
    assert taken.upload(archive).status_code == 201
    other = taken.upload(zipped({"b.txt": "b"}))
    assert (other.status_code, other.json()) == (400, {"message": "another artifact of the same type already exists"})
    mismatch = taken.upload(archive, "junit", "zip")
    assert mismatch.json() == {"message": "Validation failed: Invalid file format with specified file type"}
    empty = taken.client.request(
        "POST",
        f"/jobs/{taken.id}/artifacts",
        content=b"--x--\r\n",
        params={"artifact_type": "sast", "artifact_format": "raw"},
        headers={**taken.headers, "Content-Type": "multipart/form-data; boundary=x"},
    )
    assert (empty.status_code, empty.json()) == (400, {"error": "file is missing"})
    lines = gzip.compress(b"".join(b"K%d=v\n" % number for number in range(21)))
    refused = taken.upload(lines, "dotenv", "gzip", ".env.gz")
    assert refused.json() == {"message": "Dotenv files cannot have more than 20 variables"}
    noise = bytes(range(256)) * 32
    assert taken.upload(gzip.compress(noise, 0), "dotenv", "gzip").json() == {
        "message": "Dotenv Artifact Too Big. Maximum Allowable Size: 5120"
    }
    world.admin.ok("PUT", "/application/settings", json={"max_artifacts_size": 1})
    big = taken.upload(b"x" * 2_000_000, "sast", "raw")
    assert (big.status_code, big.json()) == (413, {"message": "file size has reached maximum size limit"})
    world.admin.ok("PUT", "/application/settings", json={"max_artifacts_size": 100})
    objects = world.server.services.blobs.list(f"artifacts/{project['id']}/{taken.id}")
    assert len(list(objects)) == 3  # the archive, its index, its metadata: refused uploads leave nothing


def test_a_cut_off_upload_leaves_nothing_to_download(
    world: World, owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    taken = runner.take()

    cut = taken.client.request(
        "POST",
        f"/jobs/{taken.id}/artifacts",
        content=b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n' + b"z" * 300_000,
        headers={**taken.headers, "Content-Type": "multipart/form-data; boundary=x"},
    )
    assert cut.status_code == 400
    assert owner.client.get(f"/projects/{project['id']}/jobs/{taken.id}/artifacts").status_code == 404
    assert list(world.server.services.blobs.list(f"artifacts/{project['id']}/{taken.id}")) == []


def test_an_old_runner_that_finds_branches_itself_gets_jobs_of_branches(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    world.commit(project, "main", {".gitlab-ci.yml": "job: {script: make}"}, message="[skip ci]", user_id=owner.id)
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})

    old = WireRunner(world, runner.token, features=("variables", "artifacts", "cache"))

    assert old.take().name == "job"


def test_a_runner_that_lacks_a_feature_fails_the_job_it_cannot_run(
    world: World, owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    poor = WireRunner(world, runner.token, features=("refspecs",))

    assert poor.ask().status_code == 204
    jobs = owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{pipeline['id']}/jobs")
    compile_job = next(one for one in jobs if one["name"] == "compile")
    assert (compile_job["status"], compile_job["failure_reason"]) == ("failed", "runner_unsupported")


def test_a_runner_that_asks_for_old_jobs_gets_no_fresh_one(pipeline: dict[str, Any], runner: WireRunner) -> None:
    def ask(job_age: int) -> int:
        body = {"token": runner.token, "info": runner.info, "job_age": job_age}
        return runner.client.post("/jobs/request", json=body).status_code

    assert ask(3600) == 204
    assert ask(2**62) == 204
    assert ask(0) == 201


@pytest.mark.parametrize("reason", ["moon_in_the_wrong_house", ""])
def test_a_reason_that_nobody_knows_is_an_unknown_failure(
    owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner, reason: str
) -> None:
    job = runner.take()

    job.fail(reason)

    shown = owner.client.ok("GET", f"/projects/{project['id']}/jobs/{job.id}")
    assert (shown["status"], shown["failure_reason"]) == ("failed", "unknown_failure")


def test_the_last_update_does_not_say_when_to_come_again(pipeline: dict[str, Any], runner: WireRunner) -> None:
    job = runner.take()

    assert "x-gitlab-trace-update-interval" in job.update("running").headers
    assert "x-gitlab-trace-update-interval" not in job.update("success").headers


def test_a_job_whose_dependency_lost_its_artifacts_is_not_run(
    world: World, owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    first = runner.take()
    first.upload(zipped({"a": "a"}))
    first.succeed()
    owner.client.ok("POST", f"/projects/{project['id']}/jobs/{first.id}/erase")

    assert runner.ask().status_code == 204
    jobs = owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{pipeline['id']}/jobs")
    unit = next(one for one in jobs if one["name"] == "unit")
    assert (unit["status"], unit["failure_reason"]) == ("failed", "missing_dependency_failure")


def test_the_queue_value_changes_when_a_job_becomes_pending(
    world: World, owner: Person, project: dict[str, Any], runner: WireRunner
) -> None:
    watcher = project_runner(world, project, run_untagged=False, tag_list="other")
    first = watcher.ask()
    again = watcher.ask()
    assert (first.status_code, first.content) == (204, b"")
    assert first.headers["x-gitlab-last-update"] == again.headers["x-gitlab-last-update"]
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    assert watcher.ask().headers["x-gitlab-last-update"] != first.headers["x-gitlab-last-update"]
    assert runner.take().name == "compile"


def test_unknown_tokens_are_403_and_missing_ones_400(world: World) -> None:
    stranger = WireRunner(world, "glrt-nobody")
    assert stranger.ask().status_code == 403
    assert stranger.client.post("/jobs/request", json={"info": INFO}).json() == {"error": "token is missing"}
    assert stranger.client.get("/runners/router/discovery").status_code == 501


def test_a_manual_job_gets_the_variables_it_was_played_with(
    owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    runner.take().succeed()
    runner.take().succeed()
    jobs = owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{pipeline['id']}/jobs")
    ship = next(one for one in jobs if one["name"] == "ship")
    assert ship["status"] == "manual"
    given = [{"key": "TARGET", "value": "moon"}]
    owner.client.ok(
        "POST", f"/projects/{project['id']}/jobs/{ship['id']}/play", json={"job_variables_attributes": given}
    )
    played = runner.take()
    assert (played.name, played.variable("TARGET"), played.variable("CI_JOB_MANUAL")) == ("ship", "moon", "true")
    assert [one["name"] for one in played.response["dependencies"]] == ["compile"]


def test_a_job_does_not_end_before_its_whole_log_is_here(
    world: World, owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    taken = runner.take()
    whole = b"one\ntwo\nthree\n"
    output = {"checksum": f"crc32:{zlib.crc32(whole):08x}", "bytesize": len(whole)}

    early = taken.update("success", output=output)
    assert (early.status_code, early.json()) == (412, {"message": "412 Precondition Failed"})
    assert early.headers["job-status"] == "running"
    taken.patch(0, whole[:4])
    assert taken.update("success", output=output).status_code == 412
    assert taken.patch(0, whole).headers["range"] == "0-4"
    taken.patch(4, whole[4:])
    taken.succeed(output=output)

    assert job(owner, project, taken.id)["status"] == "success"
    assert owner.client.get(f"/projects/{project['id']}/jobs/{taken.id}/trace").content == whole


def test_a_log_that_stays_short_says_so(
    world: World, owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    taken = runner.take()
    taken.patch(0, b"half")
    assert taken.update("failed", output={"bytesize": 8}).status_code == 412
    with world.server.services.db.write() as tx:
        tx.execute(
            update(job_traces).where(job_traces.c.job_id == taken.id).values(short_since=now() - timedelta(minutes=6))
        )

    taken.fail(output={"bytesize": 8})

    log = owner.client.get(f"/projects/{project['id']}/jobs/{taken.id}/trace").text
    assert log == "half\nWARNING: this log is incomplete: 4 of 8 bytes arrived\n"


def test_a_log_is_read_whole_while_it_becomes_one_object(
    world: World, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    taken = runner.take()
    taken.patch(0, b"first ")
    taken.patch(6, b"second")

    pieces = traces.trace_chunks(world.server.services, taken.id)
    begun = next(pieces)
    traces.archive_trace(world.server.services, taken.id, project["id"])

    assert begun + b"".join(pieces) == b"first second"
    taken.succeed()


def test_a_visit_that_knew_the_log_in_pieces_reads_the_object_that_it_became(
    world: World, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    taken, services = runner.take(), world.server.services
    taken.patch(0, b"first second")

    with services.db.read() as conn, remembering_answers():
        size = traces.trace_size(conn, taken.id)
        # Another thread, as another process, forgets nothing of what this visit knows.
        with ThreadPoolExecutor() as pool:
            pool.submit(traces.archive_trace, services, taken.id, project["id"]).result()
        log = b"".join(traces.trace_chunks(services, taken.id, size - 6))

    assert log == b"second"
    taken.succeed()


def test_an_old_runner_sends_its_whole_log_with_the_last_update(
    world: World, owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    taken = runner.take()
    taken.patch(0, b"only the beg")
    whole = "only the beginning\nTOTAL: 42.5%\nend \u00e4\n" + "x" * 2_500_000

    taken.succeed(trace=whole)

    shown = owner.client.get(f"/projects/{project['id']}/jobs/{taken.id}/trace")
    assert shown.text == whole
    world.run_jobs()
    assert owner.client.get(f"/projects/{project['id']}/jobs/{taken.id}/trace").text == whole


def test_a_log_that_differs_is_kept_and_noted(
    owner: Person,
    project: dict[str, Any],
    pipeline: dict[str, Any],
    runner: WireRunner,
    caplog: pytest.LogCaptureFixture,
) -> None:
    first = runner.take()
    first.patch(0, b"half")
    first.succeed(checksum="crc32:12345678")
    assert f"job {first.id}: its log is not what its runner sent" in caplog.text
    caplog.clear()
    second = runner.take()
    second.patch(0, b"half")
    second.succeed(checksum=f"crc32:{zlib.crc32(b'half'):08x}", output={"bytesize": 4})
    assert "its log" not in caplog.text


def test_a_job_that_is_deleted_while_its_log_arrives_stops_its_runner(
    owner: Person, project: dict[str, Any], pipeline: dict[str, Any], runner: WireRunner
) -> None:
    taken = runner.take()

    def content() -> Iterator[bytes]:
        yield b"half of it"
        assert owner.client.delete(f"/projects/{project['id']}/pipelines/{pipeline['id']}").status_code == 204
        yield b", and the rest"

    headers = {**taken.headers, "Content-Type": "text/plain", "Content-Range": "0-23"}
    reply = taken.client.patch(f"/jobs/{taken.id}/trace", content=content(), headers=headers)

    assert (reply.status_code, reply.json()) == (403, {"message": "403 Forbidden"})
    assert taken.update("running").status_code == 403
