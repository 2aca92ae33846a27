"""What holds for every kind of store."""

import asyncio
import io
import tarfile
import zipfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from ingot.kit.blobs import Blob, BlobMissing, BlobStore, BlobTooLarge
from tests.support.object_calls import object_calls

MIB = 1024 * 1024


async def pieces(*contents: bytes, then: BaseException | None = None) -> AsyncIterator[bytes]:
    for content in contents:
        yield content
    if then is not None:
        raise then


async def whole(blob: Blob) -> bytes:
    return b"".join([chunk async for chunk in blob.chunks])


def keys(store: BlobStore, prefix: str | None = None) -> list[str]:
    return sorted(info.key for info in store.list(prefix))


def test_small_content_comes_back_unchanged(store: BlobStore):
    store.put("a/b/c.txt", b"hello", content_type="text/plain", filename="c.txt")

    assert store.read("a/b/c.txt") == b"hello"
    assert store.exists("a/b/c.txt")


def test_a_stream_larger_than_a_part_comes_back_unchanged(store: BlobStore):
    contents = [bytes([n]) * MIB for n in range(19)]

    size = asyncio.run(store.put_stream("big", pieces(*contents)))

    assert size == 19 * MIB == store.head("big").size
    assert b"".join(store.chunks("big")) == b"".join(contents)


def test_chunks_of_a_worker_thread_come_back_unchanged(store: BlobStore):
    assert store.put_chunks("big", (b"x" * 100_000 for _ in range(100))) == 10_000_000

    assert store.read("big") == b"x" * 10_000_000


def test_a_file_is_copied_into_the_store(store: BlobStore, tmp_path):
    (tmp_path / "archive").write_bytes(b"y" * (2 * MIB + 7))

    assert store.put_file("archive", tmp_path / "archive", filename='ä "quoted".zip') == 2 * MIB + 7

    assert store.head("archive").size == 2 * MIB + 7


def test_a_file_that_the_store_takes_is_gone_afterwards(store: BlobStore, tmp_path):
    (tmp_path / "archive").write_bytes(b"z" * (MIB + 3))

    assert store.take_file("deep/down/archive", tmp_path / "archive") == MIB + 3

    assert not (tmp_path / "archive").exists()
    assert store.read("deep/down/archive") == b"z" * (MIB + 3)


@pytest.mark.parametrize("contents", [(), (b"",)])
def test_an_empty_stream_is_an_empty_object(store: BlobStore, contents):
    assert asyncio.run(store.put_stream("empty", pieces(*contents))) == 0

    assert store.head("empty").size == 0
    assert store.read("empty") == b""
    assert list(store.chunks("empty")) == []


def test_an_empty_sync_stream_is_an_empty_object(store: BlobStore):
    assert store.put_chunks("empty", []) == 0

    assert store.head("empty").size == 0


def test_storing_again_replaces_the_object(store: BlobStore):
    store.put("k", b"old and longer")
    store.put("k", b"new")

    assert store.read("k") == b"new"


@pytest.mark.parametrize(
    ("start", "length", "expected"),
    [(0, 3, b"012"), (3, 4, b"3456"), (8, 99, b"89"), (9, None, b"9"), (10, 5, b""), (99, None, b""), (4, 0, b"")],
)
def test_a_range_is_read_as_from_a_file(store: BlobStore, start, length, expected):
    store.put("digits", b"0123456789")

    assert store.read("digits", start, length) == expected


@pytest.mark.parametrize(
    ("start", "end", "expected"), [(0, None, b"0123456789"), (2, 5, b"234"), (7, None, b"789"), (20, None, b"")]
)
def test_a_range_is_streamed(store: BlobStore, start, end, expected):
    store.put("digits", b"0123456789")

    async def read() -> tuple[Blob, bytes]:
        blob = await store.open("digits", start, end)
        return blob, await whole(blob)

    blob, content = asyncio.run(read())
    assert content == expected
    assert blob.info.size == 10
    assert (blob.start, blob.end - blob.start) == (start, len(expected))
    assert list(b"".join(store.chunks("digits", start, end))) == list(expected)


def test_a_download_is_one_call_of_the_store(store: BlobStore):
    store.put("long", b"x" * 2 * MIB)

    async def read() -> bytes:
        return await whole(await store.open("long"))

    assert object_calls(lambda: asyncio.run(read())) == {("get", "ok"): 1}


def test_facts_of_an_object_are_true(store: BlobStore):
    store.put("k", b"12345")

    info = store.head("k")

    assert (info.key, info.size) == ("k", 5)
    assert abs(datetime.now(UTC) - info.modified) < timedelta(minutes=1)
    assert asyncio.run(head_twice(store)) == info


async def head_twice(store: BlobStore):
    return await store.head_async("k")


def test_a_missing_object_is_named(store: BlobStore):
    with pytest.raises(BlobMissing, match="no object gone"):
        store.head("gone")
    with pytest.raises(BlobMissing):
        store.read("gone")
    with pytest.raises(BlobMissing):
        list(store.chunks("gone"))
    with pytest.raises(BlobMissing):
        asyncio.run(store.open("gone"))
    with pytest.raises(BlobMissing):
        store.open_file("gone")
    assert not store.exists("gone")


def test_deleting_is_repeatable(store: BlobStore):
    store.put("a/k", b"1")

    store.delete("a/k")
    store.delete("a/k")
    asyncio.run(delete_async(store))

    assert keys(store) == []


async def delete_async(store: BlobStore) -> None:
    await store.delete_async("a/k")


def test_listing_stays_below_its_prefix(store: BlobStore):
    for key in ("a/1", "a/b/2", "ab/3", "c"):
        store.put(key, b"x")

    assert keys(store) == ["a/1", "a/b/2", "ab/3", "c"]
    assert keys(store, "a") == ["a/1", "a/b/2"]


def test_more_objects_than_a_page_are_listed(store: BlobStore):
    for number in range(60):
        store.put(f"n/{number:03}", b"x")

    assert keys(store, "n") == [f"n/{number:03}" for number in range(60)]


def test_deleting_a_prefix_leaves_its_neighbours(store: BlobStore):
    for key in ("a/1", "a/b/2", "ab/3"):
        store.put(key, b"x")

    assert store.delete_prefix("a") == 2
    assert store.delete_prefix("a") == 0

    assert keys(store) == ["ab/3"]


@pytest.mark.parametrize("prefix", ["", "/"])
def test_the_whole_store_is_never_deleted(store: BlobStore, prefix):
    with pytest.raises(ValueError, match="whole store"):
        store.delete_prefix(prefix)


def test_a_stream_that_breaks_off_leaves_nothing(store: BlobStore):
    with pytest.raises(ConnectionError, match="client went away"):
        asyncio.run(store.put_stream("broken", pieces(*[b"x" * MIB] * 20, then=ConnectionError("client went away"))))

    assert keys(store) == []


def test_a_stream_that_breaks_off_leaves_the_old_object(store: BlobStore):
    store.put("k", b"old")

    with pytest.raises(KeyError):
        store.put_chunks("k", (b"x" * MIB if n < 20 else {}["no"] for n in range(30)))

    assert store.read("k") == b"old"


def test_a_stream_over_the_limit_leaves_nothing(store: BlobStore):
    with pytest.raises(BlobTooLarge):
        asyncio.run(store.put_stream("long", pieces(b"x" * 60, b"x" * 60), limit=100))
    with pytest.raises(BlobTooLarge):
        store.put_chunks("long", [b"x" * 60, b"x" * 60], limit=100)
    assert keys(store) == []

    assert store.put_chunks("exact", [b"x" * 60, b"x" * 40], limit=100) == 100


def test_a_cancelled_upload_ends_at_once_and_leaves_nothing(store: BlobStore):
    async def upload_and_cancel() -> None:
        stalled = asyncio.Event()

        async def silent_after_some() -> AsyncIterator[bytes]:
            for _ in range(20):
                yield b"x" * MIB
            stalled.set()
            await asyncio.Event().wait()

        upload = asyncio.create_task(store.put_stream("cancelled", silent_after_some()))
        await stalled.wait()
        upload.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(upload, 120)

    asyncio.run(upload_and_cancel())

    assert keys(store) == []


def test_an_object_is_invisible_until_it_is_whole(store: BlobStore):
    async def look_while_writing() -> list[bool]:
        seen = []

        async def watched() -> AsyncIterator[bytes]:
            for _ in range(20):
                seen.append(await asyncio.to_thread(store.exists, "k") or keys(store) != [])
                yield b"x" * MIB

        await store.put_stream("k", watched())
        return seen

    assert not any(asyncio.run(look_while_writing()))
    assert store.head("k").size == 20 * MIB


def test_many_uploads_run_side_by_side(store: BlobStore):
    async def upload_all() -> list[int]:
        return await asyncio.gather(*(store.put_stream(f"n/{n}", pieces(b"x" * n)) for n in range(1, 21)))

    assert asyncio.run(upload_all()) == list(range(1, 21))
    assert sorted(info.size for info in store.list("n")) == list(range(1, 21))


def test_an_object_serves_as_a_file_for_zip_and_tar(store: BlobStore):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("one.txt", "1" * 3_000_000)
        archive.writestr("two.txt", "2")
    store.put("a.zip", packed.getvalue())
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("empty"))
    store.put("a.tar.gz", packed.getvalue())

    with store.open_file("a.zip") as file, zipfile.ZipFile(file) as archive:
        assert archive.read("two.txt") == b"2"
        assert len(archive.read("one.txt")) == 3_000_000
    with store.open_file("a.tar.gz") as file, tarfile.open(fileobj=file, mode="r|gz") as archive:
        assert archive.getnames() == ["empty"]
