"""Requests per second and latency of everyday reads, on one process over the demo world."""

from __future__ import annotations

import http.client
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

TOKEN = "glpat-bench-token-0000001"
SECONDS = 3.0
CLIENTS = 4
PATHS = (
    "/version",
    "/user",
    "/users?per_page=20",
    "/projects?simple=true",
    "/projects",
    "/projects/smithy%2Fanvil",
    "/projects/smithy%2Fanvil/merge_requests?state=all",
    "/projects/smithy%2Fanvil/merge_requests/2",
    "/projects/smithy%2Fanvil/repository/commits",
)
SRC = Path(__file__).parent.parent / "src"


def _serve(folder: str) -> tuple[subprocess.Popen[str], str]:
    remaining = {name: value for name, value in os.environ.items() if not name.startswith("INGOT_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "ingot", "serve", "--demo", "--workers", "1", "--port", "0", "--data", folder],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**remaining, "PYTHONPATH": str(SRC), "INGOT_ROOT_TOKEN": TOKEN, "INGOT_LOG_LEVEL": "warning"},
    )  # fmt: skip
    assert process.stdout is not None
    return process, process.stdout.readline().split()[-1]


def _ask(address: str, path: str, until: float, taken: list[float]) -> None:
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port)
    while time.perf_counter() < until:
        began = time.perf_counter()
        connection.request("GET", f"/api/v4{path}", headers={"PRIVATE-TOKEN": TOKEN})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        taken.append(time.perf_counter() - began)
    connection.close()


def main() -> None:
    """Print a line per path."""
    with tempfile.TemporaryDirectory() as folder:
        process, address = _serve(folder)
        print(f"{'path':55} {'req/s':>7} {'p50 ms':>7} {'p95 ms':>7}")
        try:
            for path in PATHS:
                taken: list[float] = []
                _ask(address, path, time.perf_counter() + 0.3, [])
                until = time.perf_counter() + SECONDS
                threads = [threading.Thread(target=_ask, args=(address, path, until, taken)) for _ in range(CLIENTS)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                cuts = statistics.quantiles(taken, n=20)
                print(f"{path:55} {len(taken) / SECONDS:7.0f} {cuts[9] * 1000:7.1f} {cuts[18] * 1000:7.1f}")
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
