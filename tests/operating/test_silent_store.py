"""A store that accepts connections and then says nothing: 503 in bounded time, and nobody else waits for it."""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import func, select

from ingot.kit.blobs.configured import configured_store
from ingot.kit.jobs import enqueue
from ingot.kit.jobs.tables import jobs
from tests.operating.test_store_away import picture
from tests.s3_server import KEY_ID, SECRET, running_s3
from tests.scale.cluster import ROOT
from tests.support.databases import Databases
from tests.support.forked_program import run_program
from tests.support.runner import project_runner, zipped
from tests.support.server import RunningServer
from tests.support.stalling import StallingProxy
from tests.support.waiting import until
from tests.support.world import World

pytestmark = pytest.mark.costly  # waits for a store; the database is hardly met

PATIENCE = 1.0
# One silence, and a machine that others use too. Without a limit it would be the minutes of the storage library.
BOUND = 60 * PATIENCE
BIG = os.urandom(2_000_000)


@pytest.fixture(scope="module")
def proxy() -> Iterator[StallingProxy]:
    with running_s3() as server:
        server.bucket("ingot")
        place = urlsplit(server.endpoint)
        created = StallingProxy((str(place.hostname), int(place.port or 80)))
        yield created
        created.close()


@pytest.fixture(scope="module")
def server(
    databases: Databases, proxy: StallingProxy, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("data")
    settings = {
        "object_store": "s3://ingot/objects",
        "s3_endpoint": proxy.url,
        "s3_access_key_id": KEY_ID,
        "s3_secret_access_key": SECRET,
        "object_store_timeout": PATIENCE,
    }
    with RunningServer(databases.fresh(folder), folder, **settings) as running:
        yield running


class Story:
    """A project with an upload, an artifact, an archived log and a picture; and every call that needs the store."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.anna = world.user()
        project = world.project(self.anna, initialize_with_readme=True)
        self.place = f"/projects/{project['id']}"
        config = "a: {script: [a], artifacts: {paths: [out]}}\nb: {script: [b], artifacts: {paths: [out]}}"
        world.commit(project, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=self.anna.id)
        client = self.anna.client
        client.ok("POST", f"{self.place}/pipeline", json={"ref": "main"})
        runner = project_runner(world, project)
        self.ended, self.running = runner.take(), runner.take()
        self.ended.patch(0, b"a line\n" * 20_000)
        assert self.ended.upload(zipped({"out/a.txt": "a" * 10, "out/big": BIG.hex()})).status_code == 201
        self.ended.succeed()
        self.upload = client.ok("POST", f"{self.place}/uploads", files={"file": ("a.bin", BIG)})
        self.picture = client.ok("PUT", "/user/avatar", files={"avatar": ("a.png", picture(), "image/png")})
        world.server.run_jobs()

    def reads(self) -> dict[str, Callable[[], httpx.Response]]:
        client, job = self.anna.client, f"{self.place}/jobs/{self.ended.id}"
        return {
            "upload": lambda: client.get(f"{self.place}{self.upload['url']}"),
            "archive": lambda: client.get(f"{job}/artifacts"),
            "entry": lambda: client.get(f"{job}/artifacts/out/big"),
            "tree": lambda: client.get(f"{job}/artifacts/tree"),
            "log": lambda: client.get(f"{job}/trace"),
            "picture": lambda: client.http.get(self.picture["avatar_url"]),
        }

    def writes(self) -> dict[str, Callable[[], httpx.Response]]:
        client = self.anna.client
        png = {"avatar": ("b.png", picture(), "image/png")}
        return {
            "upload": lambda: client.post(f"{self.place}/uploads", files={"file": ("b.bin", BIG)}),
            "artifact": lambda: self.running.upload(zipped({"out/b": BIG.hex()})),
            "own picture": lambda: client.put("/user/avatar", files=png),
            "project's picture": lambda: client.put(self.place, files=png),
        }

    def visible(self) -> tuple[object, ...]:
        client = self.anna.client
        shown = client.ok("GET", self.place, params={"statistics": True})
        return (
            [row["id"] for row in client.ok("GET", f"{self.place}/uploads")],
            client.ok("GET", f"{self.place}/jobs/{self.running.id}")["artifacts"],
            client.ok("GET", "/user")["avatar_url"],
            shown["avatar_url"],
            shown["statistics"]["uploads_size"],
            shown["statistics"]["job_artifacts_size"],
        )


@pytest.fixture(scope="module")
def story(server: RunningServer) -> Story:
    services, impatient = server.services, server.services.blobs
    # A machine that others use too may need longer for what has to be there first.
    services.blobs = configured_store(replace(server.settings, object_store_timeout=BOUND))
    created = Story(World(server))
    services.blobs = impatient
    return created


@pytest.fixture(autouse=True)
def heal(proxy: StallingProxy) -> Iterator[None]:
    yield
    proxy.pass_on()


def timed(work: Callable[[], httpx.Response]) -> tuple[int, float, str]:
    began = time.monotonic()
    try:
        answer = work()
    except httpx.TransportError as error:
        return 0, time.monotonic() - began, type(error).__name__
    return answer.status_code, time.monotonic() - began, answer.headers.get("Retry-After", "")


def recovers(story: Story) -> None:
    """All reads work again without anybody's help, within the pause that follows a silence."""
    for read in story.reads().values():
        until(partial(_is_well, read))


def _is_well(read: Callable[[], httpx.Response]) -> bool:
    return timed(read)[0] == 200


def test_every_read_answers_503_in_time_and_recovers(story: Story, proxy: StallingProxy) -> None:
    proxy.fall_silent()

    answers = {name: timed(read) for name, read in story.reads().items()}

    assert {name: answer[0] for name, answer in answers.items()} == dict.fromkeys(answers, 503)
    assert all(took < BOUND and int(hint) > 0 for _, took, hint in answers.values()), answers
    proxy.pass_on()
    recovers(story)


def test_every_write_answers_503_in_time_and_leaves_nothing(story: Story, proxy: StallingProxy) -> None:
    before = story.visible()
    proxy.fall_silent()

    answers = {name: timed(write) for name, write in story.writes().items()}

    assert {name: answer[0] for name, answer in answers.items()} == dict.fromkeys(answers, 503)
    assert all(took < BOUND and int(hint) > 0 for _, took, hint in answers.values()), answers
    assert story.visible() == before
    proxy.pass_on()
    recovers(story)


@pytest.mark.parametrize("after", [20_000, 300_000])
def test_a_store_that_stalls_in_the_middle_of_a_body_shows_nothing_half(
    story: Story, proxy: StallingProxy, after: int
) -> None:
    before = story.visible()
    for name in ("upload", "artifact"):
        proxy.fall_silent(after)
        status, took, hint = timed(story.writes()[name])
        assert (status, took < BOUND, hint != "") == (503, True, True), (name, took)
        assert story.visible() == before
        proxy.pass_on()
        recovers(story)
    for name in ("upload", "archive", "entry"):
        proxy.fall_silent(after)
        # What has begun can only be broken off: the client sees that it is not whole.
        status, took, error = timed(story.reads()[name])
        assert status in (0, 503), (name, status, error)
        assert took < BOUND, name
        proxy.pass_on()
        recovers(story)


def test_nobody_else_waits_while_many_callers_hang_in_the_store(story: Story, proxy: StallingProxy) -> None:
    reads = list(story.reads().values())
    writes = [story.writes()["upload"], story.writes()["own picture"]]
    proxy.fall_silent()
    stop = threading.Event()
    slowest: list[float] = []

    def others() -> None:
        client = story.world.server.client()
        number = 0
        while not stop.is_set():
            number += 1
            began = time.monotonic()
            client.ok("GET", story.place)
            client.ok("POST", f"{story.place}/labels", json={"name": f"l{time.monotonic_ns()}", "color": "#112233"})
            client.ok("GET", f"{story.place}/repository/tree")
            slowest.append(time.monotonic() - began)

    watcher = threading.Thread(target=others)
    result: list[tuple[int, float, str]] = []
    took: list[float] = []
    with ThreadPoolExecutor(24) as callers:
        watcher.start()
        # On a busy machine all of them may have been answered before three of the others were.
        while not took or (len(slowest) < 3 and watcher.is_alive()):
            began = time.monotonic()
            asked = [callers.submit(timed, (reads + writes)[number % 8]) for number in range(24)]
            result += [answer.result() for answer in asked]
            took.append(time.monotonic() - began)
    stop.set()
    watcher.join()

    assert {status for status, _, _ in result} == {503}
    assert max(took) < 2 * BOUND
    assert len(slowest) >= 3
    # Three calls of others, one of them through git: none of them stood behind the store.
    assert min(slowest) < max(took)
    proxy.pass_on()
    recovers(story)


def test_the_sweep_and_the_deletion_of_objects_wait_for_the_store(story: Story, proxy: StallingProxy) -> None:
    services = story.world.server.services
    proxy.fall_silent()
    gone = story.anna.client.ok("POST", f"{story.place}/issues", json={"title": "goes on"})
    assert gone["iid"]
    with services.db.write() as tx:
        enqueue(tx, "object_sweep", key="sweep-of-a-silent-store")

    def faults() -> int:
        with services.db.read() as conn:
            query = select(func.max(jobs.c.faults)).where(jobs.c.key == "sweep-of-a-silent-store")
            return int(conn.execute(query).scalar_one() or 0)

    until(lambda: faults() > 0)
    proxy.pass_on()

    def is_done() -> bool:
        with services.db.read() as conn:
            query = select(jobs.c.state).where(jobs.c.key == "sweep-of-a-silent-store")
            return conn.execute(query).scalar_one_or_none() in ("done", None)

    until(is_done)
    recovers(story)


def test_the_doctor_says_that_the_store_is_silent(story: Story, proxy: StallingProxy) -> None:
    settings = story.world.server.settings
    environment = {
        **os.environ,
        "PYTHONPATH": "src",
        "INGOT_DATA": settings.data,
        "INGOT_DATABASE_URL": settings.database_url,
        "INGOT_OBJECT_STORE": settings.object_store,
        "INGOT_S3_ENDPOINT": proxy.url,
        "INGOT_S3_ACCESS_KEY_ID": KEY_ID,
        "INGOT_S3_SECRET_ACCESS_KEY": SECRET,
        "INGOT_OBJECT_STORE_TIMEOUT": str(PATIENCE),
    }

    def doctor(**more: str) -> subprocess.CompletedProcess[str]:
        return run_program("doctor", environment={**environment, **more}, folder=ROOT)

    proxy.fall_silent()
    sick = doctor()
    proxy.pass_on()
    well = doctor(INGOT_OBJECT_STORE_TIMEOUT=str(BOUND))

    assert (sick.returncode, "Traceback" in sick.stderr) == (1, False), sick.stderr
    assert "object store does not respond" in sick.stdout
    # What comes after the objects is examined all the same.
    assert "jobs: no problems" in sick.stdout
    assert "objects: no problems" in well.stdout, well.stdout
