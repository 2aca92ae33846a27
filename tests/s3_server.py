"""A real S3-protocol server in a process of its own."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ingot.kit.blobs import S3Place
from tests.support import plain_http
from tests.support.ports import free_port

KEY_ID = "AKIATESTTESTTESTTEST"
SECRET = "test-secret-key"


@dataclass(frozen=True)
class S3Server:
    endpoint: str
    process: subprocess.Popen[bytes]

    def bucket(self, name: str) -> S3Place:
        plain_http.put(f"{self.endpoint}/{name}").raise_for_status()
        return S3Place(name, endpoint=self.endpoint, access_key_id=KEY_ID, secret_access_key=SECRET)

    def unfinished_uploads(self, bucket: str) -> int:
        return plain_http.get(f"{self.endpoint}/{bucket}?uploads").text.count("<UploadId>")


@contextmanager
def running_s3(port: int | None = None, limit: float = 120) -> Iterator[S3Server]:
    port = port or free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until_it_listens(port, time.monotonic() + limit)
        yield S3Server(f"http://127.0.0.1:{port}", process)
    finally:
        process.kill()
        process.wait()


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
