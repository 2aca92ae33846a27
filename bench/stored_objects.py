"""What storing and fetching one object costs the node, the database and the store, on PostgreSQL and a real store.

Processor time counts, whatever else the machine does. Each object is an upload of a project, of the size that the page
of capacity reckons with; artifacts and logs take the same way to the store.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import httpx

from bench._page import write_section
from bench._postgres import version_of
from bench.capacity import Day
from tests.scale import engines
from tests.scale.cluster import TOKEN, Cluster, running_cluster
from tests.support.processor_time import with_children

OBJECTS = int(os.environ.get("INGOT_BENCH_OBJECTS", "500"))
WARM = 20


def main() -> None:
    """Print the table and write it down."""
    store = engines.store()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_cluster(Path(folder), nodes=1, workers=0, store=store) as cluster,
        httpx.Client(base_url=f"{cluster.urls[0]}/api/v4", headers={"PRIVATE-TOKEN": TOKEN}, timeout=120) as client,
    ):
        rows = [f"| {name} | {cells} |" for name, cells in _measure(cluster, client).items()]
        version = version_of(cluster.postgres.url("postgres"))
    head = "| Object | node ms | database ms | store ms |\n|---|---:|---:|---:|"
    table = "\n".join([head, *rows])
    print(table)
    about = (
        f"Processor time of each part per object, over {OBJECTS} objects of {Day().object_bytes // 1000} kB one after"
        f" another, with PostgreSQL and {Path(store).name} as the store."
    )
    write_section("Stored objects", f"{about}\n\n{table}", postgres=version)


def _measure(cluster: Cluster, client: httpx.Client) -> dict[str, str]:
    created = client.post("/projects", json={"path": "objects"}).raise_for_status()
    place = f"/projects/{created.json()['id']}/uploads"
    addresses: list[str] = []

    def put() -> None:
        content = os.urandom(Day().object_bytes)
        answer = client.post(place, files={"file": ("object.bin", content)}).raise_for_status()
        addresses.append(place + answer.json()["url"].partition("/uploads")[2])

    def get() -> None:
        client.get(addresses[len(addresses) % OBJECTS], follow_redirects=True).raise_for_status()
        addresses.append(addresses.pop(0))

    return {"stored": _each(cluster, put), "fetched": _each(cluster, get)}


def _each(cluster: Cluster, step: Callable[[], None]) -> str:
    for _ in range(WARM):
        step()
    before = _work(cluster)
    for _ in range(OBJECTS):
        step()
    spent = (1000 * (late - early) / OBJECTS for late, early in zip(_work(cluster), before, strict=True))
    return " | ".join(f"{milliseconds:.2f}" for milliseconds in spent)


def _work(cluster: Cluster) -> tuple[float, float, float]:
    """Seconds of processor time of the node, the database and the store."""
    node, store = (with_children(process.popen.pid) for process in (cluster.nodes[0], cluster.s3))
    return node, cluster.postgres.processor_time(), store
