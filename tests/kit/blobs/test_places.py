"""What only one kind of store does."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ingot.kit.blobs import S3Place, StoreFull, StoreUnavailable, Timeouts, local_store, s3_store
from tests import s3_server
from tests.s3_server import S3Server, running_s3
from tests.support import plain_http
from tests.support.ports import free_port

QUICK = Timeouts(connect=0.3, read=0.3, retries=1, retry_within=1)
PATIENT = Timeouts(connect=60, read=60, retries=1, retry_within=1)  # a store that is there may be slow


def test_a_presigned_url_gives_the_object_with_its_name_and_type(s3: S3Server):
    store = s3_store(s3.bucket("presigned"))
    store.put_chunks("x/1", [b"zip!"], content_type="application/zip", filename='ä "b".zip')

    url = store.presigned_url("x/1", timedelta(minutes=1))

    assert url is not None
    reply = plain_http.get(url)
    assert (reply.status_code, reply.content) == (200, b"zip!")
    assert reply.headers["Content-Type"] == "application/zip"
    assert reply.headers["Content-Disposition"] == "attachment; filename*=UTF-8''%C3%A4%20%22b%22.zip"


def test_a_local_folder_has_no_urls(tmp_path: Path):
    store = local_store(tmp_path)
    store.put("k", b"1")

    assert store.presigned_url("k") is None


@pytest.mark.skipif(
    s3_server.KIND != "moto",
    reason="a part under way may reach the store after the abort; a lifecycle rule of the bucket removes it",
)
def test_failed_and_cancelled_uploads_leave_no_parts_in_the_bucket(s3: S3Server):
    store = s3_store(s3.bucket("parts"))

    async def fail_then_cancel() -> None:
        async def stream(stalled: asyncio.Event | None):
            for _ in range(20):
                yield b"x" * 1024 * 1024
            if stalled is None:
                raise ConnectionError
            stalled.set()
            await asyncio.Event().wait()

        with pytest.raises(ConnectionError):
            await store.put_stream("failed", stream(None))
        stalled = asyncio.Event()
        upload = asyncio.create_task(store.put_stream("cancelled", stream(stalled)))
        await stalled.wait()
        upload.cancel()
        with pytest.raises(asyncio.CancelledError):
            await upload

    asyncio.run(fail_then_cancel())

    assert s3.unfinished_uploads("parts") == 0


def test_a_prefix_keeps_two_instances_apart(s3: S3Server):
    place = s3.bucket("shared")
    one, two = (s3_store(replace(place, prefix=name)) for name in ("one", "two"))
    one.put("k", b"1")

    assert [info.key for info in one.list()] == ["k"]
    assert list(two.list()) == []


def test_a_store_that_is_down_is_unavailable():
    place = S3Place("b", endpoint=f"http://127.0.0.1:{free_port()}", access_key_id="k", secret_access_key="s")
    store = s3_store(replace(place, timeouts=QUICK))

    expect_unavailable(store)


@contextmanager
def a_server_that_never_answers() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield server.getsockname()[1]


def test_a_store_that_hangs_is_unavailable_within_its_timeouts():
    with a_server_that_never_answers() as port:
        place = S3Place(
            "b", endpoint=f"http://127.0.0.1:{port}", access_key_id="k", secret_access_key="s", timeouts=QUICK
        )
        begun = time.monotonic()

        expect_unavailable(s3_store(place))

        assert time.monotonic() - begun < 120


def test_a_missing_bucket_is_no_missing_object(s3: S3Server):
    place = replace(s3.place("absent"), timeouts=PATIENT)

    with pytest.raises(StoreUnavailable) as caught:
        s3_store(place).put("k", b"1")
    assert caught.value.why == "has no such bucket"
    with pytest.raises(StoreUnavailable):
        s3_store(place).read("k")


@pytest.mark.skipif(s3_server.KIND == "moto", reason="the test server takes any key; run with INGOT_TEST_STORE")
@pytest.mark.parametrize("wrong", [{"access_key_id": "AKIANOBODYNOBODYNOBO"}, {"secret_access_key": "not-the-secret"}])
def test_wrong_keys_are_told_to_the_operator(s3: S3Server, wrong: dict[str, str]):
    store = s3_store(replace(s3.bucket("locked"), timeouts=PATIENT, **wrong))

    for attempt in (lambda: store.put("k", b"1"), lambda: store.read("k"), lambda: list(store.list())):
        with pytest.raises(StoreUnavailable) as caught:
            attempt()
        assert caught.value.why == "rejected the credentials, or they lack permissions"
        assert "secret" not in str(caught.value)


def expect_unavailable(store) -> None:
    async def some():
        yield b"x"

    with pytest.raises(StoreUnavailable) as caught:
        store.read("k")
    assert (caught.value.status, caught.value.retry_after) == (503, 10)
    assert "secret" not in str(caught.value)
    with pytest.raises(StoreUnavailable):
        store.put("k", b"1")
    with pytest.raises(StoreUnavailable):
        asyncio.run(store.put_stream("k", some()))
    with pytest.raises(StoreUnavailable):
        list(store.list())
    with pytest.raises(StoreUnavailable):
        store.exists("k")
    with pytest.raises(StoreUnavailable):
        store.delete("k")


def test_a_store_that_dies_midway_is_unavailable_and_works_again_when_it_is_back():
    port = free_port()
    with running_s3(port) as server:
        place = server.bucket("dying")
        store = s3_store(replace(place, timeouts=PATIENT))

        async def dying_upload() -> None:
            async def stream():
                yield b"x" * 9 * 1024 * 1024
                server.process.kill()
                server.process.wait()
                yield b"x" * 9 * 1024 * 1024

            await store.put_stream("k", stream())

        with pytest.raises(StoreUnavailable):
            asyncio.run(dying_upload())
    with running_s3(port) as server:
        server.bucket("dying")

        store.put("k", b"again")

        assert store.read("k") == b"again"


FILL = """
import asyncio, resource, sys
from pathlib import Path
from ingot.kit.blobs import StoreFull, local_store
store = local_store(Path(sys.argv[1]))
store.put("old", b"kept")
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))
async def stream():
    for _ in range(5):
        yield b"x" * 1_000_000
for attempt in (
    lambda: store.put("old", b"x" * 5_000_000),
    lambda: store.put_chunks("old", [b"x" * 1_000_000] * 5),
    lambda: asyncio.run(store.put_stream("old", stream())),
):
    try:
        attempt()
    except StoreFull as error:
        assert error.status == 507
        print("full")
print(store.read("old"), [info.key for info in store.list()])
"""


def test_a_folder_without_room_is_full_and_keeps_what_it_had(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-c", FILL, str(tmp_path / "objects")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert done.stdout.split("\n") == ["full", "full", "full", "b'kept' ['old']", ""], done.stderr
    assert [path.name for path in (tmp_path / "objects").rglob("*")] == ["old"]


def test_a_full_disk_recovers_without_hand_work(small_disk: Path):
    store = local_store(small_disk)
    with pytest.raises(StoreFull):
        store.put_chunks("big", [b"x" * 300_000] * 20)
    with pytest.raises(StoreFull):
        store.put("big", b"x" * 6_000_000)

    limit = time.monotonic() + 120  # what the refused uploads held is given back in the background
    while True:
        try:
            store.put("small", b"fits")
            break
        except StoreFull:
            assert time.monotonic() < limit
            time.sleep(0.01)

    assert [path.name for path in small_disk.rglob("*")] == ["small"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting a small disk needs more rights")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_what_a_killed_process_left_behind_is_invisible_and_swept(tmp_path: Path):
    script = (
        "import os, sys; from pathlib import Path; from ingot.kit.blobs import local_store\n"
        "def chunks():\n"
        "    for _ in range(5): yield b'x' * 1_500_000\n"
        "    os.kill(os.getpid(), 9)\n"
        "local_store(Path(sys.argv[1])).put_chunks('a/k', chunks())"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False, env=env)
    store = local_store(tmp_path)
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["k#1"]

    assert list(store.list()) == []
    assert store.remove_abandoned(["a/"]) == 0
    assert store.remove_abandoned(["b/"], older_than=timedelta(seconds=-1)) == 0
    assert store.remove_abandoned(["a/"], older_than=timedelta(seconds=-1)) == 1

    store.put("a/k", b"again")
    assert store.read("a/k") == b"again"
