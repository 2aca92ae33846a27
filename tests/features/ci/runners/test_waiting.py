"""Runners that wait for a job: woken by new ones, also from other processes, and never given what they cannot run."""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from ingot.features.ci.job_outputs import traces
from ingot.features.ci.runners.queue_watch import waiting_requests
from ingot.kit.clock import now
from ingot.runner.polling import Runner
from ingot.runner.protocol import Coordinator
from ingot.runner.trace import Trace
from tests.support import ci, plain_http
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.raw_http import connect, read_all, statuses
from tests.support.runner import WireRunner, project_runner
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World

WAIT = 50  # seconds, the most there is: nobody is sent away while a test runs, however slow the machine is
SHORT_WAIT = 2
CONFIG = """
job: {script: [a]}
later: {script: [a], when: manual}
"""


@pytest.fixture(scope="module")
def patient(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("patient")
    with RunningServer(databases.fresh(folder), folder, job_request_wait=WAIT) as running:
        yield running


@pytest.fixture(scope="module")
def world(patient: RunningServer) -> World:
    return World(patient)


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True, shared_runners_enabled=False)
    world.commit(created, "main", {".gitlab-ci.yml": CONFIG}, message="CI [skip ci]", user_id=owner.id)
    return created


@pytest.fixture
def in_background() -> Iterator[Callable[..., Future[Any]]]:
    with ThreadPoolExecutor(20) as pool:
        yield pool.submit


def start(owner: Person, project: dict[str, Any]) -> None:
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})


def held(world: World) -> int:
    """Requests that wait in the server."""
    return waiting_requests(world.server.services)


def waiting(world: World, project: dict[str, Any], **more: Any) -> WireRunner:
    """A runner that knows the queue as it is."""
    created = project_runner(world, project, **more)
    assert created.ask().status_code == 204
    return created


def test_a_runner_that_knows_the_queue_waits_and_gets_the_next_job(
    world: World, owner: Person, project: dict[str, Any], in_background: Callable[..., Future[Any]]
) -> None:
    runner = waiting(world, project)
    started = time.monotonic()
    answer = in_background(runner.ask)
    until(lambda: held(world) == 1)

    start(owner, project)

    assert answer.result().json()["job_info"]["name"] == "job"
    assert time.monotonic() - started < WAIT


def test_waiting_is_not_counted_as_work(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, job_request_wait=SHORT_WAIT) as server:
        world = World(server)
        runner = waiting(world, world.project())
        started = time.monotonic()

        answer = runner.ask()

        took = time.monotonic() - started
    assert answer.status_code == 204
    assert took > SHORT_WAIT - 0.5
    assert float(answer.headers["x-runtime"]) < took - SHORT_WAIT / 2


def test_a_job_that_another_process_queues_is_noticed(
    world: World, owner: Person, project: dict[str, Any], in_background: Callable[..., Future[Any]]
) -> None:
    start(owner, project)
    runner = waiting_after_work(world, project)
    jobs = owner.client.ok("GET", f"/projects/{project['id']}/jobs")
    later = next(one for one in jobs if one["name"] == "later")
    answer = in_background(runner.ask)
    until(lambda: held(world) == 1)

    ci.set_columns(world, later["id"], status="pending", queued_at=now())

    assert answer.result().json()["id"] == later["id"]


def waiting_after_work(world: World, project: dict[str, Any]) -> WireRunner:
    created = project_runner(world, project)
    created.take().succeed()
    assert created.ask().status_code == 204
    return created


def test_runners_that_wait_take_no_threads_and_each_job_goes_to_one(
    world: World, owner: Person, project: dict[str, Any], in_background: Callable[..., Future[Any]]
) -> None:
    runners = [waiting(world, project) for _ in range(12)]
    answers = [in_background(runner.ask) for runner in runners]
    until(lambda: held(world) == 12)

    owner.client.ok("GET", "/projects")  # twelve waiting requests, eight threads: others are served
    for _ in runners:
        start(owner, project)

    got = [answer.result() for answer in answers]
    taken = [one.json()["id"] for one in got if one.status_code == 201]
    assert len(taken) == len(set(taken)) >= 2
    assert {one.status_code for one in got} <= {201, 409}


def runner_id(world: World, project: dict[str, Any]) -> int:
    return int(world.admin.ok("GET", f"/projects/{project['id']}/runners?type=project_type")[0]["id"])


def test_a_pause_that_ends_wakes_the_runner(
    world: World, owner: Person, project: dict[str, Any], in_background: Callable[..., Future[Any]]
) -> None:
    start(owner, project)
    runner = waiting(world, project, paused=True)
    answer = in_background(runner.ask)
    until(lambda: held(world) == 1)

    world.admin.ok("PUT", f"/runners/{runner_id(world, project)}", json={"paused": False})

    assert answer.result().status_code == 201


def job_request(fields: dict[str, str]) -> bytes:
    body = json.dumps(fields)
    head = "POST /api/v4/jobs/request HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


def test_a_job_is_not_given_to_a_runner_that_has_gone(world: World, owner: Person, project: dict[str, Any]) -> None:
    runner = waiting(world, project)
    asked = {"token": runner.token, "system_id": runner.system_id, "last_update": runner.last_update}
    with connect(world.server.url) as line:
        line.sendall(job_request(asked))
        until(lambda: held(world) == 1)
    start(owner, project)

    until(lambda: held(world) == 0)
    assert runner.take().name == "job"


def test_the_built_in_runner_hangs_up_when_it_is_stopped(
    world: World, project: dict[str, Any], tmp_path: Path, in_background: Callable[..., Future[Any]]
) -> None:
    runner = Runner(world.server.url, project_runner(world, project).token, tmp_path, interval=0.05)
    running = in_background(runner.run)
    until(lambda: held(world) == 1)

    runner.stop()

    running.result()


def test_a_server_that_stops_lets_nobody_wait(databases: Databases, tmp_path: Path) -> None:
    with ServerProcess(databases.fresh(tmp_path), tmp_path, INGOT_JOB_REQUEST_WAIT=str(WAIT)) as process:
        api = httpx.Client(base_url=f"{process.url}/api/v4", timeout=60)
        created = api.post(
            "/user/runners", json={"runner_type": "instance_type"}, headers={"PRIVATE-TOKEN": ROOT_TOKEN}
        )
        ask = {"token": created.json()["token"]}
        ask["last_update"] = api.post("/jobs/request", json=ask).headers["x-gitlab-last-update"]
        api.close()
        with connect(process.url) as waiting_runner:
            waiting_runner.sendall(job_request(ask))
            # What came later is answered, so the request was accepted.
            assert plain_http.get(f"{process.url}/-/liveness").status_code == 200
            started = time.monotonic()

            process.stop()

            assert statuses(read_all(waiting_runner)) == [204]
        assert time.monotonic() - started < WAIT - 10


def test_the_built_in_runner_sends_what_the_server_lost_of_a_log(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    start(owner, project)
    coordinator = Coordinator(world.server.url, project_runner(world, project).token, "s_1")
    job = coordinator.request_job(wait=False)
    assert job is not None
    trace = Trace(coordinator, job.id, job.token, [])
    trace.write(b"one\ntwo\n")
    output = trace.finish()
    with world.server.services.db.write() as tx:
        traces.erase_trace(tx, job.id)

    assert coordinator.update_job(job.id, job.token, "success", output=output).status == 412
    trace.send_again()

    assert coordinator.update_job(job.id, job.token, "success", output=output).status == 200
    assert owner.client.get(f"/projects/{project['id']}/jobs/{job.id}/trace").text == "one\ntwo\n"
