"""Servers and workers take memory from the C library's first two arenas only, however many threads they have."""

import platform
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ingot.kit.memory import ARENAS
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN
from tests.support.waiting import until

# glibc reserves so much for each arena but the first, and opens of it what is needed.
RESERVED = 64 * 1024 * 1024
BUSY = """
import sys, threading
from ingot.kit.memory import hold_little
if sys.argv[1] == "little":
    hold_little()
together = threading.Barrier(13)
def work():
    kept = [bytes(2000) for _ in range(100)]
    together.wait()
    together.wait()
for _ in range(12):
    threading.Thread(target=work, daemon=True).start()
together.wait()
print(open("/proc/self/maps").read(), end="")
"""

pytestmark = pytest.mark.skipif("glibc" not in platform.libc_ver(), reason="the C library has no arenas")


def further_arenas(maps: str) -> int:
    """How many arenas a process has besides the first."""
    return len(list(_reserved(maps)))


def _reserved(maps: str) -> Iterator[int]:
    opened = (0, 0)
    for line in maps.splitlines():
        addresses, rights, _, _, file = line.split()[:5]
        start, end = (int(part, 16) for part in addresses.split("-"))
        is_rest = file == "0" and rights == "---p" and start == opened[1]
        if is_rest and opened[0] % RESERVED == 0 and end - opened[0] == RESERVED:
            yield opened[0]
        opened = (start, end) if rights == "rw-p" else (0, 0)


def busy(how: str) -> int:
    words = [sys.executable, "-c", BUSY, how]
    return further_arenas(subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout)


def test_many_threads_share_the_arenas() -> None:
    assert busy("as it comes") >= ARENAS
    assert busy("little") == ARENAS - 1


def test_a_server_with_busy_threads_has_few_arenas(databases: Databases, tmp_path: Path) -> None:
    with ServerProcess(databases.fresh(tmp_path), tmp_path / "data") as server:

        def ask(number: int) -> int:
            path = ("/projects", "/users", "/runners/all")[number % 3]
            headers = {"PRIVATE-TOKEN": ROOT_TOKEN}
            return plain_http.get(f"{server.url}/api/v4{path}?per_page={number + 1}", headers=headers).status_code

        with ThreadPoolExecutor(12) as pool:
            assert set(pool.map(ask, range(60))) == {200}
        assert threads(server.pid) > 2 * ARENAS
        assert further_arenas(Path(f"/proc/{server.pid}/maps").read_text()) < ARENAS


def test_a_worker_has_few_arenas(databases: Databases, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "ingot", "worker", "--data", str(tmp_path / "data")]
    words += ["--database-url", databases.fresh(tmp_path)]
    with (
        ServerProcess(words[-1], tmp_path / "data", INGOT_WORKER="false"),
        subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as worker,
    ):
        assert worker.stdout is not None
        assert worker.stdout.readline() == "Ingot worker is running.\n"
        until(lambda: threads(worker.pid) > 2 * ARENAS)
        assert further_arenas(Path(f"/proc/{worker.pid}/maps").read_text()) < ARENAS
        worker.terminate()


def threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))
