"""Wrong credentials for a bucket: what the store says is told, without the credentials."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gitlab
import pytest
from gitlab.exceptions import GitlabImportError

from tests.features.transfer.project_imports.making import archive
from tests.features.transfer.project_imports.strict_s3 import (
    BUCKET,
    KEY,
    KEY_ID,
    MESSAGES,
    REGION,
    SECRET,
    StrictS3,
    strict_s3,
)
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def store() -> Iterator[StrictS3]:
    with strict_s3() as running:
        running.content = archive({"description": "from the vault"})
        yield running


@pytest.fixture(scope="module")
def local(databases: Databases, tmp_path_factory: pytest.TempPathFactory, store: StrictS3) -> Iterator[World]:
    data: Path = tmp_path_factory.mktemp("strict")
    with RunningServer(
        databases.fresh(data), data, outbound_allow_local=True, s3_import_endpoint=store.endpoint, worker=False
    ) as running:
        yield World(running)


@pytest.fixture(scope="module")
def owner(local: World) -> Person:
    return local.user()


def request_body(local: World, **more: Any) -> dict[str, Any]:
    return {
        "path": local.name("vault"), "region": REGION, "bucket_name": BUCKET, "file_key": KEY, "access_key_id": KEY_ID,
        "secret_access_key": SECRET, **more,
    }  # fmt: skip


def test_the_right_credentials_open_the_bucket(local: World, owner: Person) -> None:
    created = owner.client.post("/projects/remote-import-s3", json=request_body(local))

    assert created.status_code == 201, created.text
    local.run_jobs()
    done = owner.client.ok("GET", f"/projects/{created.json()['id']}/import")
    assert (done["import_status"], done["description"]) == ("finished", "from the vault")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"access_key_id": "AKIANOBODYSNOBODYS00"}, "InvalidAccessKeyId"),
        ({"secret_access_key": "a-wrong-secret"}, "SignatureDoesNotMatch"),
        ({"region": "us-east-1"}, "AuthorizationHeaderMalformed"),
        ({"file_key": "not/mine.tar.gz"}, "AccessDenied"),
    ],
)
def test_what_the_store_says_is_told(local: World, owner: Person, fields: dict[str, str], code: str) -> None:
    sent = request_body(local, **fields)

    refused = owner.client.post("/projects/remote-import-s3", json=sent)

    message = f"Failed to open '{sent['file_key']}' in '{BUCKET}': {MESSAGES[code]}"
    assert (refused.status_code, refused.json()) == (400, {"message": message})
    assert owner.client.get(f"/projects/{owner.username}%2F{sent['path']}").status_code == 404
    for secret in (sent["secret_access_key"], sent["access_key_id"], "X-Amz-Signature"):
        assert secret not in refused.text


def test_python_gitlab_tells_it_too(local: World, owner: Person) -> None:
    with (
        gitlab.Gitlab(local.server.url, private_token=owner.token) as client,
        pytest.raises(GitlabImportError, match="does not exist in our records"),
    ):
        client.projects.remote_import_s3(local.name("v"), REGION, BUCKET, KEY, "AKIANOBODYSNOBODYS00", SECRET)
