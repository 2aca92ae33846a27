"""What operators set on a bucket, as docs/operating.md says, and what Ingot does where a store knows no such thing."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from botocore.exceptions import ClientError

from ingot.kit.blobs import s3_store
from tests import s3_server
from tests.s3_server import S3Server, client
from tests.support.between import Between, way_to

MANUAL = Path(__file__).parents[3] / "docs" / "operating.md"
REFUSING = {"versitygw": "NotImplemented", "minio": "InvalidArgument"}  # and the code of their answer


def rule_of_the_manual() -> dict[str, object]:
    """The JSON behind `--lifecycle-configuration`."""
    (line,) = [line for line in MANUAL.read_text().splitlines() if "--lifecycle-configuration" in line]
    rule: dict[str, object] = json.loads(line.split("'")[1])
    return rule


def test_the_lifecycle_rule_of_the_manual_is_taken_or_refused_as_it_says(s3: S3Server):
    s3.bucket("ruled")
    known, rule = client(s3.endpoint), rule_of_the_manual()

    def put() -> None:
        known.put_bucket_lifecycle_configuration(Bucket="ruled", LifecycleConfiguration=rule)

    if s3_server.KIND in REFUSING:
        with pytest.raises(ClientError) as caught:
            put()
        assert caught.value.response["Error"]["Code"] == REFUSING[s3_server.KIND]
    else:
        put()
        assert known.get_bucket_lifecycle_configuration(Bucket="ruled")["Rules"] == rule["Rules"]


FOLDERS = ("uploads/", "passing/")


def begin_upload(server: S3Server, bucket: str, key: str) -> None:
    known = client(server.endpoint)
    begun = known.create_multipart_upload(Bucket=bucket, Key=key)
    known.upload_part(Bucket=bucket, Key=key, UploadId=begun["UploadId"], PartNumber=1, Body=b"x" * 100)


@pytest.mark.parametrize(("bucket", "prefix"), [("unfinished", "ours"), ("unfinished-alone", None)])
def test_uploads_that_nobody_will_finish_are_ended(s3: S3Server, bucket: str, prefix: str | None):
    place, start = s3.bucket(bucket), f"{prefix}/" if prefix else ""
    foreign = [f"{start}plain", f"{start}theirs/uploads/plain", f"{start}uploads-of-others/plain", "theirs/plain"]
    for key in (f"{start}uploads/a b/ü+1", f"{start}passing/plain", *foreign):
        begin_upload(s3, bucket, key)
    store = s3_store(replace(place, prefix=prefix))
    store.put("uploads/plain", b"there")

    if s3_server.KIND != "moto":  # there every upload began in 2010
        assert store.remove_abandoned(FOLDERS) == 0
    assert store.remove_abandoned(FOLDERS, older_than=timedelta(hours=-1)) == 2

    left = client(s3.endpoint).list_multipart_uploads(Bucket=bucket)["Uploads"]
    assert sorted(upload["Key"] for upload in left) == sorted(foreign)
    assert store.remove_abandoned(FOLDERS, older_than=timedelta(hours=-1)) == 0
    assert store.read("uploads/plain") == b"there"


@pytest.mark.parametrize("markers", ["", "<NextKeyMarker>uploads/k</NextKeyMarker>"])
def test_a_store_that_lists_the_same_page_for_ever_is_not_asked_for_ever(s3: S3Server, markers: str):
    page = f"""<ListMultipartUploadsResult><IsTruncated>true</IsTruncated>{markers}<Upload>
        <Key>theirs/k</Key><UploadId>1</UploadId><Initiated>2020-01-01T00:00:00.000Z</Initiated></Upload>
        </ListMultipartUploadsResult>"""

    def repeat(request: Between, body: bytes) -> None:
        # Somebody who asks on and on gets no answer in the end, and this test fails instead of lasting for ever.
        request.answer(*((200, page.encode()) if len(request.asked) < 10 else (500, b"")))

    with way_to(s3.endpoint) as way:
        way.rule = repeat
        store = s3_store(replace(s3.bucket("endless"), endpoint=way.url))
        assert store.remove_abandoned(FOLDERS) == 0
        assert len(way.asked) <= 2


def test_a_bucket_with_versions_gives_back_what_was_deleted_or_replaced(s3: S3Server):
    store = s3_store(s3.bucket("versions"))
    known = client(s3.endpoint)
    known.put_bucket_versioning(Bucket="versions", VersioningConfiguration={"Status": "Enabled"})
    store.put("k", b"first")
    store.put_chunks("k", iter([b"x" * 3_000_000] * 3))
    store.delete("k")
    assert not store.exists("k")

    listed = known.list_object_versions(Bucket="versions", Prefix="k")
    (marker,) = listed["DeleteMarkers"]
    known.delete_object(Bucket="versions", Key="k", VersionId=marker["VersionId"])

    assert store.read("k") == b"x" * 9_000_000
    sizes = {version["Size"]: version["VersionId"] for version in listed["Versions"]}
    oldest = known.get_object(Bucket="versions", Key="k", VersionId=sizes[5])
    assert oldest["Body"].read() == b"first"
