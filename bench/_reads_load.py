"""A real server under a few clients: how many reads it answers in a second."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

CLIENTS = 4
SECONDS = float(os.environ.get("INGOT_BENCH_SECONDS", "2"))


def rates(folder: str, database_url: str, token: str, reads: dict[str, str]) -> dict[str, float]:
    """Requests per second of each read, on one process over the data folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("INGOT_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "ingot", "serve", "--port", "0", "--workers", "1", "--data", folder],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**environment, "INGOT_LOG_LEVEL": "warning", "INGOT_DATABASE_URL": database_url},
    )  # fmt: skip
    try:
        if process.stdout is None:
            raise RuntimeError("the server has no output")
        address = process.stdout.readline().split()[-1]
        return {name: _rate(address, token, path) for name, path in reads.items()}
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def _rate(address: str, token: str, path: str) -> float:
    _ask(address, token, path, time.perf_counter() + 0.3, [])
    taken: list[int] = []
    until = time.perf_counter() + SECONDS
    threads = [threading.Thread(target=_ask, args=(address, token, path, until, taken)) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(taken) / SECONDS


def _ask(address: str, token: str, path: str, until: float, taken: list[int]) -> None:
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port)
    while time.perf_counter() < until:
        connection.request("GET", f"/api/v4{path}", headers={"PRIVATE-TOKEN": token})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        taken.append(1)
    connection.close()
