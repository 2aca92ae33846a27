"""Each request with content says what its bytes must be; the store refuses others, and keeps the checksum."""

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ingot.kit.blobs import BlobStore, StoreUnavailable, s3_store
from tests import s3_server
from tests.s3_server import S3Server, client
from tests.support.between import Between, honest, way_to

SMALL = b"a picture"
LONG = [bytes([number]) * 3_000_000 for number in range(3)]  # two parts


def digest(content: bytes) -> str:
    return base64.b64encode(hashlib.sha256(content).digest()).decode()


@pytest.fixture
def between(s3: S3Server) -> Iterator[type[Between]]:
    with way_to(s3.endpoint) as created:
        yield created


@pytest.fixture
def store(s3: S3Server, between: type[Between]) -> BlobStore:
    return s3_store(replace(s3.bucket("checked"), endpoint=between.url))


def test_every_object_and_every_part_arrives_with_its_checksum(store: BlobStore, between: type[Between]):
    sent: list[tuple[str | None, str]] = []
    algorithms: list[str | None] = []

    def look(request: Between, body: bytes) -> None:
        if request.command == "PUT":
            sent.append((request.headers["x-amz-checksum-sha256"], digest(body)))
        elif request.command == "POST" and "uploads" in request.path:
            algorithms.append(request.headers["x-amz-checksum-algorithm"])
        honest(request, body)

    between.rule = look
    store.put("small", SMALL)
    store.put_chunks("long", iter(LONG))

    assert len(sent) == 3
    assert [told for told, _ in sent] == [true for _, true in sent]
    assert algorithms == ["SHA256"]
    assert store.read("long") == b"".join(LONG)


def test_a_store_that_refuses_checksums_gets_none(s3: S3Server, between: type[Between]):
    def refuse(request: Between, body: bytes) -> None:
        if any(name.lower().startswith("x-amz-checksum") for name in request.headers):
            request.answer(501, b"<Error><Code>NotImplemented</Code></Error>")
        else:
            honest(request, body)

    between.rule = refuse
    place = replace(s3.bucket("unchecked"), endpoint=between.url)

    for attempt in (lambda: s3_store(place).put("k", SMALL), lambda: s3_store(place).put_chunks("k", iter(LONG))):
        with pytest.raises(StoreUnavailable, check=lambda error: "set s3_checksums to false" in error.why):
            attempt()
    plain = s3_store(replace(place, checksums=False))
    plain.put("k", SMALL)
    plain.put_chunks("long", iter(LONG))

    assert (plain.read("k"), plain.read("long")) == (SMALL, b"".join(LONG))


@pytest.mark.skipif(s3_server.KIND == "moto", reason="the test server takes any bytes; run with INGOT_TEST_STORE")
@pytest.mark.parametrize("checksums", [True, False], ids=["checksums", "signature only"])
def test_bytes_that_change_on_their_way_are_refused(s3: S3Server, between: type[Between], checksums: bool):
    def spoil(request: Between, body: bytes) -> None:
        honest(request, b"?" + body[1:] if request.command == "PUT" else body)

    store = s3_store(replace(s3.bucket("spoilt"), endpoint=between.url, checksums=checksums))
    store.put("k", b"older")
    between.rule = spoil

    for attempt in (lambda: store.put("k", SMALL), lambda: store.put_chunks("k", iter(LONG))):
        with pytest.raises(StoreUnavailable) as caught:
            attempt()
        assert caught.value.why == "received different data than was sent"
        assert store.read("k") == b"older"


@pytest.mark.skipif(s3_server.KIND == "moto", reason="the test server computes others; run with INGOT_TEST_STORE")
def test_the_store_keeps_the_checksum(s3: S3Server, store: BlobStore):
    store.put("small", SMALL)
    store.put_chunks("long", iter(LONG))

    known = client(s3.endpoint)
    small, long = (known.head_object(Bucket="checked", Key=key, ChecksumMode="ENABLED") for key in ("small", "long"))

    assert small["ChecksumSHA256"] == digest(SMALL)
    # Of an object in parts it is the checksum of the parts' checksums.
    content, part = b"".join(LONG), 8 * 1024 * 1024
    parts = b"".join(hashlib.sha256(content[at : at + part]).digest() for at in (0, part))
    assert long["ChecksumSHA256"] == f"{digest(parts)}-2"
