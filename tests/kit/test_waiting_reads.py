"""Reads that wait for the same turn: the first makes the answer, the others are given it."""

import asyncio
import threading
from pathlib import Path

import httpx
import pytest
from sqlalchemy import update

from ingot.identity.tables import users
from ingot.kit.clock import now
from tests.support.databases import Databases
from tests.support.plain_http import PATIENCE
from tests.support.server import ROOT_TOKEN, RunningServer

MANY = 5


async def _ask_at_once(server: RunningServer) -> list[int]:
    """How many statements each of many equal reads runs after a write."""
    door, headers = httpx.ASGITransport(app=server.app), {"PRIVATE-TOKEN": ROOT_TOKEN}
    base = "http://localhost"
    async with httpx.AsyncClient(transport=door, base_url=base, headers=headers, timeout=PATIENCE) as client:
        # The first use of a token is written down.
        assert (await client.get("/api/v4/projects")).status_code == 200
        with server.services.db.write() as tx:
            tx.execute(update(users).values(updated_at=now()))
        # Somebody has the only turn for a moment, so that all of them wait.
        longer = threading.Event()
        before = asyncio.create_task(server.services.pools.run(longer.wait, wide=False))
        await asyncio.sleep(0)
        answers = await asyncio.gather(*(client.get("/api/v4/projects") for _ in range(MANY)))
        longer.set()
        await before
    return [int(answer.headers["X-Query-Count"]) for answer in answers]


def test_equal_reads_that_wait_for_one_turn_are_answered_by_the_first(databases: Databases, tmp_path: Path) -> None:
    url = databases.fresh(tmp_path)
    if not url.startswith("sqlite"):
        pytest.skip("other tests of the same PostgreSQL change the version")
    server = RunningServer(url, tmp_path, read_threads=1)

    counts = asyncio.run(_ask_at_once(server))

    assert len([count for count in counts if count > 0]) == 1
    server.services.pools.close()
    server.services.db.dispose()
