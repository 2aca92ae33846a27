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


def test_uploads_that_nobody_will_finish_are_ended(s3: S3Server):
    place = s3.bucket("unfinished")
    known = client(s3.endpoint)
    for key in ("ours/a b/ü+1", "ours/plain", "theirs/plain"):
        begun = known.create_multipart_upload(Bucket="unfinished", Key=key)
        known.upload_part(Bucket="unfinished", Key=key, UploadId=begun["UploadId"], PartNumber=1, Body=b"x" * 100)
    store = s3_store(replace(place, prefix="ours"))
    store.put("plain", b"there")

    if s3_server.KIND != "moto":  # there every upload began in 2010
        assert store.remove_abandoned() == 0
    assert store.remove_abandoned(older_than=timedelta(hours=-1)) == 2

    left = known.list_multipart_uploads(Bucket="unfinished")["Uploads"]
    assert [upload["Key"] for upload in left] == ["theirs/plain"]
    assert store.remove_abandoned(older_than=timedelta(hours=-1)) == 0
    assert store.read("plain") == b"there"


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
