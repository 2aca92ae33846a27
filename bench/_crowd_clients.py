"""Many clients on plain sockets in one loop: each asks, waits for the answer and asks again.

Every answer is timed by two clocks: by the wall, and without the time for which the host gave the processors of this
machine to others ("stolen", as Linux counts it, in hundredths of a second and averaged over the processors).
"""

from __future__ import annotations

import os
import select
import socket
import statistics
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

PATIENCE = 120.0
LENGTH = b"content-length: "
# In a request it stands for another number each time.
NUMBER = "##########"
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Crowd:
    """What clients of one kind saw: seconds of good answers by both clocks, and the number of others by status."""

    by_wall: list[float] = field(default_factory=list)
    without_stolen: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)

    def add(self, other: Crowd) -> None:
        """Count another kind in."""
        self.by_wall += other.by_wall
        self.without_stolen += other.without_stolen
        self.failures += other.failures


def percentile(times: list[float], number: int) -> float:
    """Milliseconds within which so many of a hundred were answered."""
    return statistics.quantiles(times, n=100)[number - 1] * 1000


class Machine:
    """The clocks of this machine."""

    def __init__(self) -> None:
        self._stat = Path("/proc/stat").open("rb", buffering=0)  # noqa: SIM115 - read again and again
        self._cores = os.cpu_count() or 1

    def now(self) -> tuple[float, float]:
        """Seconds by the wall, and without stolen time."""
        self._stat.seek(0)
        stolen = int(self._stat.read(200).split(b"\n", 1)[0].split()[8]) / TICKS / self._cores
        wall = time.perf_counter()
        return wall, wall - stolen

    def close(self) -> None:
        """Read no more."""
        self._stat.close()


def cpu_of(pids: list[int]) -> float:
    """Seconds of the processor that these processes have used."""
    return sum(map(_cpu_of_one, pids))


def _cpu_of_one(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def family_of(pid: int) -> list[int]:
    """A process and the processes that it started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in family_of(int(child)))]


_numbers = count()


class _Client:
    __slots__ = ("asked", "is_numbered", "kind", "received", "request", "socket")

    def __init__(self, kind: str, request: bytes, address: tuple[str, int]) -> None:
        self.kind, self.request, self.received = kind, request, b""
        self.is_numbered = NUMBER.encode() in request
        self.asked = (0.0, 0.0)
        self.socket = socket.create_connection(address, PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, now: tuple[float, float]) -> None:
        self.asked, self.received = now, b""
        request = self.request
        if self.is_numbered:
            request = request.replace(NUMBER.encode(), f"{next(_numbers):0{len(NUMBER)}}".encode())
        self.socket.sendall(request)

    def receive(self) -> str | None:
        """The status, once the whole answer is there; a short word where the connection ended."""
        try:
            data = self.socket.recv(1 << 18)
        except OSError as error:
            return type(error).__name__
        if not data:
            return "closed"
        self.received += data
        head = self.received.find(b"\r\n\r\n")
        if head < 0:
            return None
        start = self.received.index(LENGTH) + len(LENGTH)
        length = int(self.received[start : self.received.index(b"\r", start)])
        return self.received[9:12].decode() if len(self.received) >= head + 4 + length else None


def run(address: tuple[str, int], requests: list[tuple[str, bytes]], seconds: float) -> dict[str, Crowd]:
    """One client for each request, named by its kind; what each kind saw."""
    # Everybody is connected before the first is measured: opening hundreds of connections is another matter.
    clients = {one.socket.fileno(): one for one in (_Client(kind, text, address) for kind, text in requests)}
    seen: defaultdict[str, Crowd] = defaultdict(Crowd)
    machine, poll = Machine(), select.epoll()
    for number, client in clients.items():
        poll.register(number, select.EPOLLIN)
        client.ask(machine.now())
    until = time.perf_counter() + seconds
    while clients:
        ready = poll.poll(PATIENCE)
        if not ready:
            raise RuntimeError("nobody was answered")
        for number, _ in ready:
            client, now = clients[number], machine.now()
            if (status := client.receive()) is None:
                continue
            _note(seen[client.kind], status, client.asked, now)
            if now[0] < until and status.isdigit():
                client.ask(now)
            else:
                poll.unregister(number)
                clients.pop(number).socket.close()
    poll.close()
    machine.close()
    return dict(seen)


def _note(crowd: Crowd, status: str, asked: tuple[float, float], now: tuple[float, float]) -> None:
    if status.startswith("2"):
        crowd.by_wall.append(now[0] - asked[0])
        # The two clocks tick apart by a hundredth of a second.
        crowd.without_stolen.append(max(0.0, now[1] - asked[1]))
    else:
        crowd.failures[status] += 1
