"""An object in a bucket of somebody else, on a real S3-protocol server."""

import asyncio
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import obstore
import pytest
from obstore.store import S3Store

from ingot.kit.blobs import s3_store
from ingot.kit.outbound import (
    Outbound,
    Rules,
    S3Failed,
    S3Missing,
    S3Source,
    UrlRefused,
    download_blocking,
    find_s3_object,
)
from ingot.kit.outbound.sigv4 import presign
from tests.kit.outbound.servers import a_trap
from tests.s3_server import KEY_ID, SECRET, S3Server, running_s3
from tests.support.ports import free_port

LOCAL = Rules(allow_local=True)


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    with running_s3() as server:
        server.bucket("theirs")
        yield server


def source(endpoint: str | None, **changes: str) -> S3Source:
    facts = {"region": "us-east-1", "bucket": "theirs", "key": "exports/a b+ü%.tar.gz"}
    return S3Source(**{**facts, **changes}, access_key_id=KEY_ID, secret_access_key=SECRET, endpoint=endpoint)


def test_an_object_is_found_and_read(s3: S3Server):
    s3_store(s3.bucket("theirs")).put("exports/plain.tar.gz", b"archive" * 1000, content_type="application/gzip")

    result = asyncio.run(find_s3_object(Outbound(), source(s3.endpoint, key="exports/plain.tar.gz"), LOCAL))

    assert (result.size, result.content_type) == (7000, "application/gzip")
    file = io.BytesIO()
    assert download_blocking(Outbound(), result.url, LOCAL, file).status == 200
    assert file.getvalue() == b"archive" * 1000


@pytest.mark.parametrize("key", ["a b+ü.tar.gz", "deep/er/~x_(1)'.gz", "percent%2Fsign", "q?x=1&y#z"])
def test_any_key_is_found(s3: S3Server, key: str):
    s3_store(s3.bucket("theirs")).put(key, b"123")

    assert asyncio.run(find_s3_object(Outbound(), source(s3.endpoint, key=key), LOCAL)).size == 3


def test_an_empty_object_has_no_bytes(s3: S3Server):
    s3_store(s3.bucket("theirs")).put("empty", b"")

    assert asyncio.run(find_s3_object(Outbound(), source(s3.endpoint, key="empty"), LOCAL)).size == 0


def test_a_missing_object_is_missing(s3: S3Server):
    with pytest.raises(S3Missing):
        asyncio.run(find_s3_object(Outbound(), source(s3.endpoint, key="absent"), LOCAL))


def test_a_missing_bucket_fails_with_the_store_s_own_words(s3: S3Server):
    with pytest.raises(S3Failed, match="The specified bucket does not exist"):
        asyncio.run(find_s3_object(Outbound(), source(s3.endpoint, bucket="nobodys"), LOCAL))


def test_a_store_that_is_not_there_fails_without_telling_secrets():
    with pytest.raises(S3Failed) as caught:
        asyncio.run(find_s3_object(Outbound(), source(f"http://127.0.0.1:{free_port()}"), LOCAL))

    assert str(caught.value) == "the server could not be reached"


@pytest.mark.parametrize(
    ("name", "value"),
    [("region", "x.evil.example/#"), ("region", ""), ("bucket", "../b"), ("bucket", "a b c"), ("bucket", "ab")],
)
def test_names_that_could_change_the_address_are_refused(name: str, value: str):
    with pytest.raises(S3Failed, match="not valid"):
        asyncio.run(find_s3_object(Outbound(), source(None, **{name: value}), Rules()))


def test_an_endpoint_in_the_local_network_is_refused_without_a_connection():
    with a_trap() as trap:
        for host in ("127.0.0.1", "localhost", "[::1]", "2130706433", "169.254.169.254"):
            with pytest.raises(UrlRefused):
                asyncio.run(
                    find_s3_object(Outbound(), source(f"http://{host}:{trap.port}"), Rules(schemes=("http", "https")))
                )
        assert not trap.was_touched()


def test_the_public_service_is_the_default():
    assert (
        source(None, region="eu-west-1", key="k")
        .presigned(timedelta(hours=1))
        .startswith("https://s3.eu-west-1.amazonaws.com/theirs/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&")
    )


def test_credentials_do_not_show_in_representations():
    shown = repr(source("http://127.0.0.1:9"))

    assert SECRET not in shown
    assert KEY_ID not in shown


@pytest.mark.parametrize("key", ["k", "exports/a b+.tar.gz", "ü/~x"])
def test_signatures_equal_those_of_another_implementation(key: str):
    store = S3Store("bkt", region="eu-west-1", access_key_id=KEY_ID, secret_access_key=SECRET)
    theirs = obstore.sign(store, "GET", key, timedelta(hours=28))
    stamp = parse_qs(urlsplit(theirs).query)["X-Amz-Date"][0]

    ours = presign(
        "GET",
        theirs.partition("?")[0],
        region="eu-west-1",
        access_key_id=KEY_ID,
        secret_access_key=SECRET,
        lifetime=timedelta(hours=28),
        now=datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC),
    )

    assert ours == theirs
