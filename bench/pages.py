"""Pages beside the API calls that hold the same data: handler time, statements and compressed size.

A page may take twice the time of its calls. Also a changes page of 10,000 lines and a job with a log of 100 MB, which
are sent in pieces. `python -m bench pages` writes its section of docs/benchmarks.md.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
import re
import tempfile
import time
from dataclasses import dataclass
from statistics import median

import httpx

from bench._page import write_section
from bench._reads_world import ANVIL, fill, open_services
from ingot import app as composition
from ingot.features.ci.job_outputs import append_trace
from ingot.kit.services import Services
from ingot.seed.inside import Inside

TIMES = 15
FIRST_VIEW, LATER_VIEW = 60_000, 25_000  # bytes
PLACE = "/smithy/anvil"
# By page: the API calls that hold what it shows.
PAGES = {
    PLACE: (
        ANVIL, f"{ANVIL}/repository/tree", f"{ANVIL}/repository/branches", f"{ANVIL}/repository/commits/main",
        f"{ANVIL}/languages", f"{ANVIL}/repository/files/README.md?ref=main",
    ),
    f"{PLACE}/-/merge_requests": (
        f"{ANVIL}/merge_requests?state=opened&with_labels_details=true", ANVIL, "/todos",
        *(f"{ANVIL}/merge_requests?state={state}&per_page=1" for state in ("merged", "closed", "all")),
    ),
    f"{PLACE}/-/issues": (f"{ANVIL}/issues?state=opened&with_labels_details=true", ANVIL, "/todos"),
    f"{PLACE}/-/pipelines": (f"{ANVIL}/pipelines", ANVIL, "/todos"),
    f"{PLACE}/-/branches": (f"{ANVIL}/repository/branches?per_page=20&sort=updated_desc", ANVIL, "/todos"),
    f"{PLACE}/-/commits/main": (
        f"{ANVIL}/repository/commits?per_page=30", f"{ANVIL}/repository/branches?per_page=100",
        f"{ANVIL}/pipelines?per_page=100", ANVIL, "/todos",
    ),
    f"{PLACE}/-/merge_requests/2": (
        f"{ANVIL}/merge_requests/2", f"{ANVIL}/merge_requests/2/discussions", f"{ANVIL}/merge_requests/2/approvals",
        f"{ANVIL}/merge_requests/2/closes_issues", ANVIL, "/todos",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """What was measured of one page."""

    path: str
    page: float  # milliseconds
    calls: float
    size: int  # bytes of HTML, compressed
    first: int  # with all assets


def main() -> None:
    """Measure, print, and write the section."""
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        token = fill(folder)
        services = open_services(folder)
        try:
            text = asyncio.run(_measure(services, token))
        finally:
            services.pools.close()
            services.db.dispose()
    print(text)
    write_section("Pages", text)


async def _measure(services: Services, token: str) -> str:
    transport = httpx.ASGITransport(composition.build(services))
    headers = {"PRIVATE-TOKEN": token, "Cache-Control": "no-cache", "Accept-Encoding": "identity"}
    async with httpx.AsyncClient(transport=transport, base_url="http://bench", headers=headers, timeout=600) as http:
        lines = [await _line(http, path, calls) for path, calls in PAGES.items()]
        rows = [
            f"| `{line.path}` | {line.page:.1f} | {line.calls:.1f} | {line.page / line.calls:.1f} | {line.size:,} |"
            f" {line.first:,} |"
            for line in lines
        ]
        large = await asyncio.to_thread(_fill_large, services, token)
        longest = [await _long(http, name, path) for name, path in large.items()]
    return "\n".join([ABOUT, "", *TABLE, *rows, "", *LONG, *longest])


ABOUT = f"""\
Processor time from the request to the last byte inside one process, median of {TIMES}, of the page and of the API calls
that hold the same data, all made anew; the goal is a ratio of 2. Sizes are bytes after gzip: the HTML alone (goal
{LATER_VIEW:,}), and with style, scripts and icons, as on a first view (goal {FIRST_VIEW:,})."""
TABLE = ["| Page | ms | calls, ms | ratio | HTML | first view |", "|---|---:|---:|---:|---:|---:|"]
LONG = ["| Long page | processor ms | ms | HTML, gzip | tags |", "|---|---:|---:|---:|---:|"]


async def _line(http: httpx.AsyncClient, path: str, calls: tuple[str, ...]) -> Line:
    page, *others = await _medians(http, [path, *(f"/api/v4{call}" for call in calls)])
    html = (await http.get(path)).text
    assets = sorted(set(re.findall(r'(?:href|src)="(/assets/[^"#]+)', html)))
    sizes = [_compressed((await http.get(asset)).content) for asset in assets]
    size = _compressed(html.encode())
    return Line(path, page, sum(others), size, size + sum(sizes))


async def _medians(http: httpx.AsyncClient, paths: list[str]) -> list[float]:
    """Of each address; they take turns, so that a machine that becomes busy meanwhile slows down all of them."""
    for path in paths:
        (await http.get(path)).raise_for_status()
    times: list[list[float]] = [[] for _ in paths]
    for _ in range(TIMES):
        for path, spent in zip(paths, times, strict=True):
            start = time.process_time()
            await http.get(path)
            spent.append(time.process_time() - start)
    return [median(spent) * 1000 for spent in times]


async def _long(http: httpx.AsyncClient, name: str, path: str) -> str:
    start, busy = time.perf_counter(), time.process_time()
    answer = (await http.get(path)).raise_for_status()
    spent, busy = (time.perf_counter() - start) * 1000, (time.process_time() - busy) * 1000
    return f"| {name} | {busy:.0f} | {spent:.0f} | {_compressed(answer.content):,} | {answer.text.count('<'):,} |"


def _compressed(content: bytes) -> int:
    return len(gzip.compress(content, 6))


def _fill_large(services: Services, token: str) -> dict[str, str]:
    """A request that changes 10,000 lines in 50 files, and a log of 100 MB; the addresses of their pages."""
    ada = Inside(composition.build(services), token)
    lines = "".join(f"value_{place} = {place}\n" for place in range(200))
    actions = [{"action": "create", "file_path": f"many/{place}.py", "content": lines} for place in range(50)]
    ada.post(f"{ANVIL}/repository/commits", branch="many", start_branch="main", commit_message="Many", actions=actions)
    request = ada.post(f"{ANVIL}/merge_requests", source_branch="many", target_branch="main", title="Many")
    job = ada.get(f"{ANVIL}/jobs")[0]["id"]
    piece = b"".join(b"%07d striking the iron while it is hot, again and again and again\n" % n for n in range(16_000))
    with services.db.write() as tx:
        start = 0
        while start < 100_000_000:
            start = append_trace(tx, job, start, piece)
    return {
        "changes of 10,000 lines": f"{PLACE}/-/merge_requests/{request['iid']}/diffs",
        "the same again": f"{PLACE}/-/merge_requests/{request['iid']}/diffs",
        "job with a log of 100 MB": f"{PLACE}/-/jobs/{job}",
        "a line in the middle of it": f"{PLACE}/-/jobs/{job}/log?from=800000",
    }
