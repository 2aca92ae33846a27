"""An S3 server in a process of its own: moto's, or a real store that `INGOT_TEST_STORE` names (versitygw, minio)."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingot.kit.blobs import S3Place
from tests.support.ports import free_port

KEY_ID = "AKIATESTTESTTESTTEST"
SECRET = "test-secret-key"
TEST_SERVER = "moto"
PROGRAM = os.environ.get("INGOT_TEST_STORE") or TEST_SERVER
KIND = Path(PROGRAM).name
REAL_STORES = ("minio", "versitygw")


@dataclass(frozen=True)
class S3Server:
    endpoint: str
    process: subprocess.Popen[bytes]

    def bucket(self, name: str) -> S3Place:
        known = client(self.endpoint)
        if name not in [one["Name"] for one in known.list_buckets()["Buckets"]]:
            known.create_bucket(Bucket=name)
        return self.place(name)

    def place(self, name: str) -> S3Place:
        """The bucket of this name, which may be missing."""
        return S3Place(name, endpoint=self.endpoint, access_key_id=KEY_ID, secret_access_key=SECRET)

    def unfinished_uploads(self, bucket: str) -> int:
        return len(client(self.endpoint).list_multipart_uploads(Bucket=bucket).get("Uploads", []))


def client(endpoint: str) -> Any:
    """A client that nobody here wrote, with the keys of the store."""
    import boto3
    from botocore.config import Config

    return boto3.client(
        "s3", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id=KEY_ID, aws_secret_access_key=SECRET,
        config=Config(retries={"max_attempts": 1}, s3={"addressing_style": "path"}),
    )  # fmt: skip


def find_real_store() -> str | None:
    """A store that is installed here."""
    return next((place for name in REAL_STORES for place in [shutil.which(name)] if place), None)


def is_test_server(program: str) -> bool:
    """Whether the objects die with the process."""
    return program == TEST_SERVER


def command(port: int, folder: Path, program: str = PROGRAM) -> tuple[list[str], dict[str, str]]:
    """How to start the store, which keeps its objects in this folder; moto keeps them in memory."""
    if is_test_server(program):
        return [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], dict(os.environ)
    folder.mkdir(exist_ok=True)
    kind = Path(program).name
    if kind == "versitygw":
        sidecar = folder.with_name(f"attributes-of-{folder.name}")  # a file system need not know extended attributes
        versions = folder.with_name(f"versions-of-{folder.name}")
        for beside in (sidecar, versions):
            beside.mkdir(exist_ok=True)
        keys = ["--access", KEY_ID, "--secret", SECRET, "--port", f"127.0.0.1:{port}"]
        places = ["--sidecar", str(sidecar), "--versioning-dir", str(versions), str(folder)]
        return [program, *keys, "posix", *places], dict(os.environ)
    assert kind == "minio", f"{program} is no store that is known here"
    keys_of_minio = {"MINIO_ROOT_USER": KEY_ID, "MINIO_ROOT_PASSWORD": SECRET}
    return [program, "server", "--address", f"127.0.0.1:{port}", str(folder)], {**os.environ, **keys_of_minio}


@contextmanager
def running_s3(port: int | None = None, limit: float = 120, folder: Path | None = None) -> Iterator[S3Server]:
    """In the folder of an earlier one its objects are there again, except with moto."""
    port = port or free_port()
    kept = Path(tempfile.mkdtemp())
    words, environment = command(port, folder or kept / "objects")
    process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_it_listens(port, time.monotonic() + limit)
        yield S3Server(f"http://127.0.0.1:{port}", process)
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(kept, ignore_errors=True)


def wait_until_it_listens(port: int, deadline: float) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=30).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return
