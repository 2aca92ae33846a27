"""How long others wait while a server is attacked: `/-/liveness`, or another address, asked again and again.

The questions come from a process of its own (`python -m tests.support.probing`): in the process that attacks, the probe
would wait for the attacker's own work.
"""

import http.client
import http.server
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

PAUSE = 0.02  # between two questions, so that the probe itself is no load
PATIENCE = 300.0
ATTEMPTS = 3


@dataclass
class Probe:
    """Asks again and again whether the server is alive, and remembers every answer and how long it took."""

    url: str
    path: str = "/-/liveness"
    token: str = ""
    waits: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @contextmanager
    def running(self) -> Iterator[None]:
        """At least once before the block, and until its end."""
        command = [sys.executable, "-m", "tests.support.probing", self.url, self.path, self.token]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdout.readline()  # after the first answer
            try:
                yield
            finally:
                process.stdin.close()
                self.waits, self.faults = json.loads(process.stdout.read())

    def percentile(self, percent: int) -> float:
        """So many of a hundred answers came within this time."""
        ordered = sorted(self.waits)
        return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)]

    def figures(self) -> str:
        """For people."""
        middle, late, worst = (self.percentile(percent) * 1000 for percent in (50, 95, 100))
        return f"{middle:.1f}/{late:.1f}/{worst:.1f} ms (median, 95 %, worst of {len(self.waits)})"


def typical_delay(
    url: str, attack: Callable[[], object], path: str = "/-/liveness", token: str = ""
) -> tuple[float, str]:
    """By how much an attack delays others at worst, and the figures; the middle one of some attempts.

    A server that nobody attacks is asked at the same time. What the machine is busy with delays both of them.
    """
    attempts = []
    with _other_server() as other:
        for _ in range(ATTEMPTS):
            attacked, spared = Probe(url, path, token), Probe(other)
            with attacked.running(), spared.running():
                attack()
            assert attacked.faults == []
            figures = f"{spared.figures()} spared, {attacked.figures()} attacked"
            attempts.append((max(attacked.waits) - max(spared.waits), figures))
    return sorted(attempts)[ATTEMPTS // 2]


@contextmanager
def _other_server() -> Iterator[str]:
    """The address of a small server in a process of its own."""
    command = [sys.executable, "-m", "tests.support.probing"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


class _Alive(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def _answer_until_closed() -> None:
    """Print the address, and answer until the standard input ends."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Alive) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdout.write(f"http://127.0.0.1:{server.server_port}\n")
        sys.stdout.flush()
        sys.stdin.read()
        server.shutdown()


def _ask_until_closed(url: str, path: str, token: str) -> None:
    """Print a line after the first answer, and all waits and faults when the standard input ends."""
    end = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), end.set()), daemon=True).start()
    place = urlsplit(url)
    assert place.hostname is not None
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=PATIENCE)
    waits: list[float] = []
    faults: list[str] = []
    while not waits or not end.wait(PAUSE):
        begin = time.monotonic()
        try:
            connection.request("GET", path, headers={"PRIVATE-TOKEN": token} if token else {})
            with connection.getresponse() as answer:
                answer.read()
                faults += [] if answer.status == 200 else [str(answer.status)]
        except (OSError, http.client.HTTPException) as error:
            faults.append(repr(error))
            connection.close()
        waits.append(time.monotonic() - begin)
        if len(waits) == 1:
            sys.stdout.write("asked\n")
            sys.stdout.flush()
    sys.stdout.write(json.dumps([waits, faults]))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _ask_until_closed(*sys.argv[1:])
    else:
        _answer_until_closed()
