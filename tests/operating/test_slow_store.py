"""A store that is slow and never silent: a limit acts, and nobody else waits for it."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from ingot.kit.blobs import Timeouts, s3_store
from ingot.kit.blobs.configured import configured_store
from tests.operating.test_silent_store import Story, recovers, timed
from tests.s3_server import KEY_ID, SECRET, running_s3
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.stalling import StallingProxy
from tests.support.world import World

pytestmark = pytest.mark.costly  # waits for a store; the database is hardly met

PATIENCE = 1.0  # seconds of silence; eight of slowness
PAUSE = 0.2  # between pieces of a few bytes: never a silence, and two megabytes would take half an hour


@pytest.fixture(scope="module")
def proxy() -> Iterator[StallingProxy]:
    with running_s3() as server:
        server.bucket("ingot")
        place = urlsplit(server.endpoint)
        created = StallingProxy((str(place.hostname), int(place.port or 80)))
        yield created
        created.close()


@pytest.fixture(scope="module")
def story(databases: Databases, proxy: StallingProxy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    folder = tmp_path_factory.mktemp("data")
    settings = {
        "object_store": "s3://ingot/objects",
        "s3_endpoint": proxy.url,
        "s3_access_key_id": KEY_ID,
        "s3_secret_access_key": SECRET,
        "object_store_timeout": PATIENCE,
    }
    with RunningServer(databases.fresh(folder), folder, **settings) as server:
        services, impatient = server.services, server.services.blobs
        # A machine that others use too may need longer for what has to be there first.
        services.blobs = configured_store(replace(server.settings, object_store_timeout=60))
        created = Story(World(server))
        services.blobs = impatient
        yield created


@pytest.fixture(autouse=True)
def heal(proxy: StallingProxy) -> Iterator[None]:
    yield
    proxy.pass_on()


def test_what_takes_too_long_is_ended_and_leaves_nothing(story: Story, proxy: StallingProxy) -> None:
    before = story.visible()
    proxy.trickle(PAUSE)

    with ThreadPoolExecutor(8) as callers:
        writes = {name: callers.submit(timed, story.writes()[name]) for name in ("upload", "artifact")}
        reads = {name: callers.submit(timed, story.reads()[name]) for name in ("upload", "archive", "entry")}

    assert {name: result.result()[0] for name, result in writes.items()} == {"upload": 503, "artifact": 503}
    # A download that has begun can only be broken off.
    assert {result.result()[0] for result in reads.values()} <= {0, 503}
    assert story.visible() == before
    proxy.pass_on()
    recovers(story)


def test_nobody_else_waits_for_a_slow_store(story: Story, proxy: StallingProxy) -> None:
    proxy.trickle(PAUSE)
    hanging = threading.Event()
    answered = 0

    def hang() -> int:
        hanging.set()
        return timed(story.writes()["upload"])[0]

    with ThreadPoolExecutor(24) as callers:
        asked = [callers.submit(hang) for _ in range(24)]  # more than there are threads for objects
        hanging.wait()
        while not any(result.done() for result in asked):
            story.anna.client.ok("GET", story.place)
            story.anna.client.ok("GET", f"{story.place}/repository/tree")
            answered += 1
        statuses = {result.result() for result in asked}

    assert answered > 0
    assert statuses == {503}
    proxy.pass_on()
    recovers(story)


def test_long_objects_are_read_and_written_over_many_limits(proxy: StallingProxy) -> None:
    """A limit is for a part of an object, never for the whole of it."""
    timeouts = Timeouts(connect=60, read=60, whole=60, retries=1, retry_within=60)
    with running_s3() as server:
        store = s3_store(replace(server.bucket("long"), timeouts=timeouts))
        content = [bytes([number]) * 1_000_000 for number in range(11)]

        store.put_chunks("k", iter(content))

        assert b"".join(store.chunks("k")) == b"".join(content)
        assert b"".join(store.chunks("k", 5_000_001, 10_000_003)) == b"".join(content)[5_000_001:10_000_003]
        assert list(store.chunks("k", 11_000_000)) == []
