"""Bringing an archive to a server that runs as a process of its own."""

import time
from pathlib import Path
from typing import Any

import httpx

from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN

LIMIT = 300.0


def bring(server: ServerProcess, archive: Path, name: str) -> dict[str, Any]:
    """Upload an archive and wait until its import has ended; returns the record."""
    with archive.open("rb") as file:
        answer = httpx.post(
            f"{server.url}/api/v4/projects/import",
            headers={"PRIVATE-TOKEN": ROOT_TOKEN},
            data={"path": name},
            files={"file": ("archive.tar.gz", file, "application/gzip")},
            timeout=LIMIT,
        )
    assert answer.status_code == 201, answer.text
    end = time.monotonic() + LIMIT
    while True:
        record: dict[str, Any] = server.call("GET", f"/projects/{answer.json()['id']}/import")
        if record["import_status"] in ("finished", "failed"):
            return record
        assert time.monotonic() < end, record
        time.sleep(0.05)
