"""How long others wait while a server is attacked: `/-/liveness`, asked again and again.

The questions come from a process of its own (`python -m tests.support.probing`): in the process that attacks, the probe
would wait for the attacker's own work.
"""

import http.client
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
    waits: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @contextmanager
    def running(self) -> Iterator[None]:
        """At least once before the block, and until its end."""
        command = [sys.executable, "-m", "tests.support.probing", self.url]
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


def least_delay(url: str, attack: Callable[[], object]) -> tuple[float, str]:
    """By how much an attack delays others at worst, and the figures.

    What the load of the machine does comes and goes; what the attack does comes each time: the best attempt counts.
    """
    attempts = []
    for _ in range(ATTEMPTS):
        idle, busy = Probe(url), Probe(url)
        with idle.running():
            time.sleep(1)
        with busy.running():
            attack()
        assert busy.faults == []
        figures = f"{idle.figures()} idle, {busy.figures()} attacked"
        attempts.append((max(busy.waits) - idle.percentile(95), figures))
    return min(attempts)


def _ask_until_closed(url: str) -> None:
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
            connection.request("GET", "/-/liveness")
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
    _ask_until_closed(sys.argv[1])
