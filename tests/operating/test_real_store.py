"""A real store whose disk is full or read-only, or which is started again: what only such a store can show.

Run with `INGOT_TEST_STORE=minio` or `versitygw`, as a user who may mount.
"""

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from botocore.exceptions import BotoCoreError, ClientError

from ingot import doctor
from tests import s3_server
from tests.operating.test_full_disk import fill, small_disk
from tests.operating.test_silent_store import BIG, Story, timed
from tests.s3_server import KEY_ID, SECRET, running_s3
from tests.support.databases import Databases
from tests.support.ports import free_port
from tests.support.runner import zipped
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World

pytestmark = [
    pytest.mark.costly,
    pytest.mark.skipif(
        s3_server.KIND == "moto", reason="the test server has no disk and forgets; run with INGOT_TEST_STORE"
    ),
]
MEGABYTES = 64
PART = 8 * 1024 * 1024


class Store:
    """A real store with its objects in one folder and always at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.up()

    def up(self) -> None:
        self._running = running_s3(self.port, folder=self.folder)
        server = self._running.__enter__()
        until(lambda: self._has_bucket(server))

    @staticmethod
    def _has_bucket(server: s3_server.S3Server) -> bool:
        """Soon after its start a store may listen and refuse."""
        try:
            server.bucket("ingot")
        except (BotoCoreError, ClientError):
            return False
        return True

    def down(self) -> None:
        """As a power cut."""
        self._running.__exit__(None, None, None)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "small").mkdir()
    with small_disk(tmp_path / "small", MEGABYTES) as folder:
        yield folder


@pytest.fixture
def store(disk: Path) -> Iterator[Store]:
    created = Store(disk / "objects")
    yield created
    created.down()


@pytest.fixture
def story(databases: Databases, store: Store, tmp_path: Path) -> Iterator[Story]:
    settings = {
        "object_store": "s3://ingot/objects",
        "s3_endpoint": store.url,
        "s3_access_key_id": KEY_ID,
        "s3_secret_access_key": SECRET,
        "object_store_timeout": 60,
    }
    with RunningServer(databases.fresh(tmp_path), tmp_path / "data", **settings) as server:
        yield Story(World(server))


def findings(story: Story) -> list[str]:
    return [finding.sentence for finding in doctor.EXAMINATIONS["objects"](story.world.server.services, False)]


def test_a_full_store_refuses_serves_and_goes_on(story: Story, disk: Path) -> None:
    before = story.visible()
    filler = fill(disk)
    refused = {name: timed(write)[0] for name, write in story.writes().items()}
    reads = {name: timed(read)[0] for name, read in story.reads().items()}
    sentences = findings(story)
    seen = story.visible()
    filler.unlink()

    assert refused == dict.fromkeys(refused, 507)
    assert reads == dict.fromkeys(reads, 200)
    assert sentences == ["The object store is full. Enlarge it or delete data you no longer need."]
    assert seen == before
    until(lambda: timed(story.writes()["upload"])[0] == 201)
    assert timed(story.writes()["artifact"])[0] == 201
    assert findings(story) == []


@contextmanager
def read_only(disk: Path) -> Iterator[None]:
    def remount(how: str) -> bool:
        return subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=False).returncode == 0

    until(lambda: remount("ro"))  # busy while the store writes notes of its own
    yield
    assert remount("rw")


def test_a_read_only_store_refuses_serves_and_goes_on(story: Story, disk: Path) -> None:
    before = story.visible()
    with read_only(disk):
        refused = {name: timed(write)[0] for name, write in story.writes().items()}
        reads = {name: timed(read)[0] for name, read in story.reads().items()}
        sentences = findings(story)
        seen = story.visible()

    assert refused == dict.fromkeys(refused, 503)
    assert reads == dict.fromkeys(reads, 200)
    assert len(sentences) == 1
    assert sentences[0].startswith("The object store does not accept objects: it ")
    assert seen == before
    until(lambda: timed(story.writes()["upload"])[0] == 201)
    assert findings(story) == []


def test_a_store_that_is_started_again_has_what_it_had(story: Story, store: Store) -> None:
    store.down()
    assert timed(story.reads()["upload"])[0] == 503
    store.up()

    assert story.reads()["upload"]().content == BIG
    reads = {name: timed(read)[0] for name, read in story.reads().items()}
    assert reads == dict.fromkeys(reads, 200)
    assert findings(story) == []


@pytest.mark.parametrize("is_back", [True, False], ids=["back before the end", "back after the end"])
def test_an_upload_in_the_middle_of_a_restart_is_whole_or_not_there(story: Story, store: Store, is_back: bool) -> None:
    before, job = story.visible(), story.running
    content = zipped({"out/c": os.urandom(PART + 1_500_000)})
    boundary = "0123456789abcdef"

    def again() -> None:
        store.down()
        store.up()

    restart = threading.Thread(target=again)

    def body() -> Iterator[bytes]:
        disposition = 'Content-Disposition: form-data; name="file"; filename="c.zip"'
        yield f"--{boundary}\r\n{disposition}\r\n\r\n".encode()
        yield content[: PART + 1_000_000]  # more than a part: the upload has begun at the store
        restart.start()
        if is_back:
            restart.join()
        yield content[PART + 1_000_000 :]
        yield f"\r\n--{boundary}--\r\n".encode()

    answer = job.client.request(
        "POST",
        f"/jobs/{job.id}/artifacts",
        params={"artifact_format": "zip", "artifact_type": "archive"},
        content=body(),
        headers={**job.headers, "Content-Type": f"multipart/form-data; boundary={boundary}"},
    )
    restart.join()

    assert answer.status_code in (201, 503), answer.text
    if answer.status_code == 503:
        assert story.visible() == before
        assert job.upload(content).status_code == 201
    assert story.anna.client.get(f"{story.place}/jobs/{job.id}/artifacts").content == content
    assert findings(story) == []
