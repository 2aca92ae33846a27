"""How long others wait while a server is attacked: `/-/liveness`, asked again and again."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx

from tests.support import plain_http

PAUSE = 0.02  # between two questions, so that the probe itself is no load
ATTEMPTS = 3


@dataclass
class Probe:
    """Asks again and again whether the server is alive, and remembers every answer and how long it took."""

    url: str
    waits: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def ask(self, http: httpx.Client) -> None:
        begin = time.monotonic()
        try:
            status = http.get(f"{self.url}/-/liveness").status_code
        except httpx.HTTPError as error:
            self.faults.append(repr(error))
        else:
            self.faults += [] if status == 200 else [str(status)]
        self.waits.append(time.monotonic() - begin)

    @contextmanager
    def running(self) -> Iterator[None]:
        """At least once before the block, and until its end."""
        end = threading.Event()

        def run() -> None:
            while not end.wait(PAUSE):
                self.ask(http)

        with plain_http.client(timeout=300) as http:
            self.ask(http)
            thread = threading.Thread(target=run)
            thread.start()
            try:
                yield
            finally:
                end.set()
                thread.join()

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
        attempts.append((max(busy.waits) - idle.percentile(50), figures))
    return min(attempts)
