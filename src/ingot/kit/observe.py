"""What operators see: one structured log line per request, and counters for `/-/metrics`."""

import logging
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Mapping
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from starlette.requests import Request

from ingot.kit import tallies
from ingot.kit.request_counts import BUCKETS, Counts, sum_of
from ingot.kit.times import Part, Times
from ingot.kit.tracing import current_traces

if TYPE_CHECKING:
    from ingot.kit.request_counts import Board

log = logging.getLogger("ingot.requests")

# How old the counts of other processes may be, and those of work outside of requests.
PUBLISH_SECONDS = 0.2
LOOK_SECONDS = 2.0


class Measures:
    """Counters of requests and of what they did: of this process, and of the others of its node."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts = Counts()
        self._changed = threading.Event()
        self._others: Callable[[], list[Counts]] = list
        self.started = time.time()

    def add(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count one request; without seconds where its client decides how long it takes."""
        with self._lock:
            self._counts.requests[method, route, status] += 1
            if seconds is not None:
                self._counts.seconds += seconds
                self._counts.buckets[bisect_left(BUCKETS, seconds)] += 1
        if not self._changed.is_set():
            self._changed.set()

    def share(self, board: "Board", number: int) -> None:
        """Publish the counts of this process, and show the sum of all processes; called once, after the fork."""
        # A replacement process continues the counts of its predecessor.
        self._counts = board.read(number) or Counts()
        tallies.begin_anew(self._counts.tallies)
        self._others = lambda: board.read_others(number)

        def publish() -> None:
            while True:
                has_answered = self._changed.wait(LOOK_SECONDS)
                self._changed.clear()
                done = tallies.totals()
                if has_answered or done != self._counts.tallies:
                    with self._lock:
                        self._counts.tallies = done
                        board.write(number, self._counts)
                time.sleep(PUBLISH_SECONDS)

        threading.Thread(target=publish, name="publish-measures", daemon=True).start()

    def own(self) -> Counts:
        """A copy of what this process counted."""
        with self._lock:
            return sum_of([self._counts])

    def lines(self) -> list[str]:
        """The counters in Prometheus' text form."""
        done = tallies.totals()
        with self._lock:
            self._counts.tallies = done
            counts = sum_of([self._counts, *self._others()])
        result = ["# TYPE ingot_http_requests_total counter"]
        for (method, route, status), count in sorted(counts.requests.items()):
            result.append(f'ingot_http_requests_total{{method="{method}",route="{route}",status="{status}"}} {count}')
        total = sum(counts.buckets)
        result.append("# TYPE ingot_http_request_duration_seconds histogram")
        result += [
            f'ingot_http_request_duration_seconds_bucket{{le="{bound}"}} {count}'
            for bound, count in zip(BUCKETS, accumulate(counts.buckets), strict=False)
        ]
        result.append(f'ingot_http_request_duration_seconds_bucket{{le="+Inf"}} {total}')
        result.append(f"ingot_http_request_duration_seconds_sum {counts.seconds:.6f}")
        result.append(f"ingot_http_request_duration_seconds_count {total}")
        result += tallies.lines(counts.tallies)
        result.append("# TYPE ingot_process_start_time_seconds gauge")
        result.append(f"ingot_process_start_time_seconds {self.started:.3f}")
        return result


measures = Measures()


class Summary(NamedTuple):
    """What is told about an answered request; without a route where no endpoint was found."""

    route: str | None = None
    user_id: int | None = None
    statements: int = 0
    waited: float = 0.0
    limit_headers: Mapping[str, str] = MappingProxyType({})
    times: Times | None = None
    path: str = ""  # in place of the request's own


def observe_request(
    request: Request, status: int, summary: Summary, request_id: str, seconds: float, slow: float = 0.0
) -> None:
    """Log and count one answered request. The query string is left out: it may carry a token.

    `slow` are the seconds from which on its parts are logged as well; 0 means never.
    """
    route = summary.route or "none"
    measures.add(request.method, route, status, seconds)
    trace_request(request, route, status, seconds, summary.times, request_id)
    if summary.times is not None and 0 < slow <= seconds:
        _log_slow(request, route, request_id, seconds, summary.times.longest())
    if not log.isEnabledFor(logging.INFO):
        return
    log.info(
        "request",
        extra={
            "request_id": request_id,
            "method": request.method,
            "path": summary.path or request.scope["path"],
            "route": route,
            "status": status,
            "ms": round(seconds * 1000, 2),
            "user_id": summary.user_id,
            "statements": summary.statements,
        },
    )


def trace_request(
    request: Request, route: str, status: int, seconds: float, times: Times | None, request_id: str = ""
) -> None:
    """Write the span of an answered request, where traces are on."""
    traces = current_traces()
    if traces is None:
        return
    facts: dict[str, str | int] = {
        "http.request.method": request.method,
        "http.route": route,
        "http.response.status_code": status,
    }
    if request_id:
        facts["ingot.request_id"] = request_id
    name = f"{request.method} {route}"
    traces.write("request", name, seconds, facts, times, headers=request.headers, failed=status >= 500)


def _log_slow(request: Request, route: str, request_id: str, seconds: float, parts: list[Part]) -> None:
    log.warning(
        "slow request",
        extra={
            "request_id": request_id,
            "method": request.method,
            "route": route,
            "ms": round(seconds * 1000, 2),
            "parts": parts,
        },
    )
