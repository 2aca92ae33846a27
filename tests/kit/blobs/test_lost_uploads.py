"""Stores that lose an upload, or the answer to it, between its parts and the object."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ingot.kit.blobs import BlobStore, StoreUnavailable, s3_store
from tests.s3_server import S3Server
from tests.support.between import Between, honest, way_to

PIECE = b"x" * 3_000_000
LONG = [PIECE] * 3  # two parts
JOINED = b"<CompleteMultipartUploadResult><ETag>&quot;made-up-2&quot;</ETag></CompleteMultipartUploadResult>"
NOT_THERE = b"<Error><Code>NoSuchUpload</Code></Error>"


def at_joining(rule: Callable[[Between, bytes], None]) -> Callable[[Between, bytes], None]:
    """The rule for the request that joins parts; all others are passed on."""

    def chosen(between: Between, body: bytes) -> None:
        joins = between.command == "POST" and "uploadId=" in between.path
        (rule if joins else honest)(between, body)

    return chosen


def lie(between: Between, body: bytes) -> None:
    """As versitygw after it was killed between its notes about the object and the object."""
    between.answer(200, JOINED)


def forget(between: Between, body: bytes) -> None:
    between.answer(404, NOT_THERE)


def break_off(between: Between, body: bytes) -> None:
    """Join the parts, but be gone before the answer; asked again, there is nothing left to join."""
    if between.asked.count("POST") == 2:  # the first one began the upload
        between.pass_on(body)
        between.close_connection = True
    else:
        between.answer(404, NOT_THERE)


@pytest.fixture
def between(s3: S3Server) -> Iterator[type[Between]]:
    with way_to(s3.endpoint) as created:
        yield created


@pytest.fixture
def store(s3: S3Server, between: type[Between]) -> BlobStore:
    return s3_store(replace(s3.bucket("lost"), endpoint=between.url))


async def stream() -> AsyncIterator[bytes]:
    for piece in LONG:
        yield piece


def ways(store: BlobStore, folder: Path) -> list[Callable[[], object]]:
    (folder / "file").write_bytes(b"".join(LONG))
    return [
        lambda: store.put_chunks("k", iter(LONG)),
        lambda: asyncio.run(store.put_stream("k", stream())),
        lambda: store.put_file("k", folder / "file"),
        lambda: store.put("k", b"".join(LONG)),
        lambda: store.put_copy("k", folder / "file", {}),
    ]


@pytest.mark.parametrize("joins", [lie, forget])
def test_what_the_store_says_it_has_and_has_not_is_not_stored(store, between, tmp_path, joins):
    store.put("k", b"older")
    between.rule = at_joining(joins)

    for way in ways(store, tmp_path):
        with pytest.raises(StoreUnavailable) as caught:
            way()
        assert (caught.value.status, caught.value.retry_after) == (503, 10)
        assert store.read("k") == b"older"
    store.delete("k")
    with pytest.raises(StoreUnavailable):
        store.put_chunks("k", iter(LONG))
    between.rule = honest
    for way in ways(store, tmp_path):
        way()
        assert store.read("k") == b"".join(LONG)


def test_an_object_that_is_there_although_the_answer_broke_off_is_stored(store, between, tmp_path):
    between.rule = at_joining(break_off)

    for way in ways(store, tmp_path):
        store.delete("k")
        between.asked.clear()
        way()
        assert store.read("k") == b"".join(LONG)


def test_what_fits_into_one_part_takes_one_request(store, between):
    store.put_chunks("k", [b"a", b"b"])
    asyncio.run(store.put_stream("k", _short()))

    assert between.asked == ["PUT", "PUT"]


async def _short() -> AsyncIterator[bytes]:
    yield b"a"
