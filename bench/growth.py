"""The same load on 1, 2 and 4 API nodes with as many workers, behind HAProxy: what grows, and what ends first.

Nodes, workers, PostgreSQL, the store, HAProxy and the clients share this machine, so that more nodes than it has
processors add nothing. Processor time tells what a request costs each part, whatever else the machine does.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg

from bench._clients import ONE_MORE, Client, Crowd, Question
from bench._page import write_section
from tests.scale.cluster import TOKEN, Cluster, running_cluster
from tests.support import plain_http
from tests.support.ports import free_port
from tests.support.processor_time import with_children
from tests.support.waiting import until

SIZES = (1, 2, 4)
READERS, WRITERS = 30, 10
INTERVAL = 0.02
SECONDS = float(os.environ.get("INGOT_BENCH_SECONDS", "20"))
PROXY = """
global
    maxconn 2000
defaults
    mode http
    timeout connect 5s
    timeout client 120s
    timeout server 120s
frontend people
    bind 127.0.0.1:{port}
    default_backend nodes
backend nodes
    balance leastconn
    option httpchk GET /-/readiness
{servers}
"""
HEADERS = {"PRIVATE-TOKEN": TOKEN}


def main() -> None:
    """Print the table and write it down."""
    if shutil.which("haproxy") is None:
        print("HAProxy is not installed, so that growth cannot be measured here.")
        return
    rows = [_measure(size) for size in SIZES]
    head = (
        "| Nodes and workers | requests / s | p50 ms | p99 ms | errors | node ms / request | database ms / request"
        " | database busy | waits for locks ms / request |\n|---:|---:|---:|---:|---|---:|---:|---:|---:|"
    )
    table = "\n".join([head, *rows])
    print(table)
    about = (
        f"{READERS} readers (a person, a project, its issues, files and commits) and {WRITERS} writers of issues, each"
        " of a project of their own, through HAProxy, with PostgreSQL and the test suite's store, all on this machine."
        " The milliseconds of nodes and database per request are processor time. *Database busy* is how many sessions"
        " worked at once on average; *waits for locks* is the time for which sessions waited for the lock of another,"
        f" of all sessions together, as a look every {INTERVAL * 1000:.0f} ms counts them."
    )
    write_section("Growth", f"{about}\n\n{table}\n\n{_judgement()}")


def _judgement() -> str:
    return (
        "Measured once; the load in the first line tells how busy the machine was, also with other work. That the next"
        f" bound is the processor is a reading of these figures, not shown by them: this machine has {os.cpu_count()},"
        " which clients, nodes, database, store and other work share, so that nodes beyond that number may answer no"
        " more and make each request dearer. On machines of their own nodes would be added first, as long as a request"
        " costs them more processor time than the database; see [Capacity](capacity.md)."
    )


def _measure(size: int) -> str:
    with (
        tempfile.TemporaryDirectory() as folder,
        running_cluster(Path(folder), nodes=size, workers=size) as cluster,
        _proxy(cluster, Path(folder)) as address,
    ):
        # Writers of one project number its issues one after another, and would mostly measure that.
        projects = [_project(address, f"grown-{number}") for number in range(WRITERS)]
        before, active, begun = _work(cluster), _active(cluster), time.monotonic()
        crowd, waits = asyncio.run(_load(cluster, address, projects))
        seconds = time.monotonic() - begun
        nodes, database = (late - early for late, early in zip(_work(cluster), before, strict=True))
        busy = (_active(cluster) - active) / seconds
    number = len(crowd.times)
    wrong = ", ".join(f"{text}: {count}" for text, count in crowd.failures.items()) or "none"
    return (
        f"| {size} | {number / seconds:.0f} | {crowd.percentile(50):.0f} | {crowd.percentile(99):.0f} | {wrong}"
        f" | {1000 * nodes / number:.1f} | {1000 * database / number:.1f} | {busy:.2f} | {1000 * waits / number:.2f} |"
    )


def _project(address: str, path: str) -> int:
    body = {"path": path, "initialize_with_readme": True}
    created = plain_http.post(f"{address}/api/v4/projects", headers=HEADERS, json=body)
    created.raise_for_status()
    return int(created.json()["id"])


@contextmanager
def _proxy(cluster: Cluster, folder: Path) -> Iterator[str]:
    port = free_port()
    servers = [
        f"    server node{number} {url.removeprefix('http://')} check" for number, url in enumerate(cluster.urls)
    ]
    described = folder / "haproxy.cfg"
    described.write_text(PROXY.format(port=port, servers="\n".join(servers)))
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen(["haproxy", "-db", "-f", str(described)], stderr=subprocess.DEVNULL) as process:
        try:
            until(lambda: _answers(address))
            yield address
        finally:
            process.terminate()


def _answers(address: str) -> bool:
    try:
        return plain_http.get(f"{address}/-/readiness").status_code == 200
    except httpx.TransportError:
        return False


def _work(cluster: Cluster) -> tuple[float, float]:
    """Seconds of processor time of all nodes, and of the database."""
    nodes = sum(with_children(process.popen.pid) for process in cluster.nodes)
    return nodes, cluster.postgres.processor_time()


def _active(cluster: Cluster) -> float:
    """Seconds that sessions have worked."""
    with psycopg.connect(cluster.database_url) as connection:
        row = connection.execute(
            "SELECT active_time FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()
    return float(row[0]) / 1000 if row else 0.0


async def _load(cluster: Cluster, address: str, projects: list[int]) -> tuple[Crowd, float]:
    crowd = Crowd()
    host, places = address.removeprefix("http://"), [f"/api/v4/projects/{number}" for number in projects]
    rests = ["", "/issues", "/repository/tree", "/repository/commits"]
    paths = ["/api/v4/user", *(f"{place}{rest}" for place in places for rest in rests)]
    questions = [Question("GET", paths[one % len(paths)], token=TOKEN) for one in range(READERS)]
    questions += [Question("POST", f"{place}/issues", ONE_MORE, token=TOKEN) for place in places]
    clients = [await Client.open(host, question, crowd) for question in questions]
    end = time.perf_counter() + SECONDS
    asked = (client.ask_until(end) for client in clients)
    *_, waits = await asyncio.gather(*asked, asyncio.to_thread(_waits, cluster, end))
    return crowd, waits


def _waits(cluster: Cluster, end: float) -> float:
    """The seconds for which sessions waited for the lock of another, all of them together."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    result, before = 0.0, time.perf_counter()
    with psycopg.connect(cluster.database_url, autocommit=True) as connection:
        while (moment := time.perf_counter()) < end:
            row = connection.execute(query).fetchone()
            result += (int(row[0]) if row else 0) * (moment - before)
            before = moment
            time.sleep(INTERVAL)
    return result
