from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from ingot.kit.blobs import BlobStore, local_store, s3_store
from tests.s3_server import S3Server, running_s3


@pytest.fixture(scope="session")
def s3() -> Iterator[S3Server]:
    with running_s3() as server:
        yield server


@pytest.fixture(params=["local", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> BlobStore:
    if request.param == "local":
        return local_store(tmp_path / "objects")
    server: S3Server = request.getfixturevalue("s3")
    return s3_store(server.bucket(f"b{uuid4().hex}"))
