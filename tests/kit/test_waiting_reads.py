"""Equal reads that wait for their turns at the same time: the first makes the answer, the others are given it."""

import asyncio
import threading
from pathlib import Path

import httpx
from sqlalchemy import update

from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.services import Pools
from tests.support.databases import Databases
from tests.support.plain_http import PATIENCE
from tests.support.server import ROOT_TOKEN, RunningServer

MANY = 5
PATH = "/api/v4/projects"


def _write(server: RunningServer) -> None:
    with server.services.db.write() as tx:
        tx.execute(update(users).values(updated_at=now()))


async def _let_wait() -> None:
    """Until the newest task stands in line; nothing else happens on this loop."""
    for _ in range(100):
        await asyncio.sleep(0)


async def _ask(server: RunningServer) -> tuple[list[int], int]:
    """How many statements each of many equal reads runs, with writes between their turns; and one that comes later."""
    door, headers = httpx.ASGITransport(app=server.app), {"PRIVATE-TOKEN": ROOT_TOKEN}
    base, pools, begins = "http://localhost", server.services.pools, threading.Event()
    async with httpx.AsyncClient(transport=door, base_url=base, headers=headers, timeout=PATIENCE) as client:
        # The first use of a token is written down.
        assert (await client.get("/api/v4/user")).status_code == 200
        _write(server)
        # Somebody has the only turn until all of them wait.
        holding = asyncio.create_task(pools.run(lambda: begins.wait(PATIENCE), wide=False))
        await asyncio.sleep(0)
        reads, writes = [], []
        for _ in range(MANY):
            reads.append(asyncio.create_task(client.get(PATH)))
            await _let_wait()
            writes.append(asyncio.create_task(pools.run(lambda: _write(server), wide=False)))
            await _let_wait()
        begins.set()
        answers = await asyncio.gather(*reads)
        await asyncio.gather(*writes, holding)
        later = await client.get(PATH)
    return [_statements(answer) for answer in answers], _statements(later)


def _statements(answer: httpx.Response) -> int:
    assert answer.status_code == 200
    return int(answer.headers["X-Query-Count"])


def test_equal_reads_that_wait_are_answered_by_the_first_whatever_is_written(
    databases: Databases, tmp_path: Path
) -> None:
    server = RunningServer(databases.fresh(tmp_path), tmp_path)
    server.services.pools.close()
    # Without places for slow reads, so that the next does not begin before the first is over.
    server.services.pools = Pools(1, 1, slow=0)

    counts, later = asyncio.run(_ask(server))

    assert len([count for count in counts if count > 0]) == 1
    assert later > 0
    server.services.pools.close()
    server.services.db.dispose()
