"""Equal reads that wait for their turns at the same time: the first makes the answer, the others are given it."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
from sqlalchemy import update

from ingot.identity.tables import users
from ingot.kit.answer_cache import LARGEST
from ingot.kit.clock import now
from ingot.kit.loading import without_collection
from ingot.kit.services import Pools
from tests.support.databases import Databases, SqliteDatabases
from tests.support.plain_http import PATIENCE
from tests.support.raw_http import exchange, statuses
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.support.world import World

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


async def _ask_beside_work(server: RunningServer) -> int:
    """The statements of a short list that was asked for before, while somebody has the only turn; 0: it had to wait."""
    door, headers = httpx.ASGITransport(app=server.app), {"PRIVATE-TOKEN": ROOT_TOKEN}
    base, path, ends = "http://localhost", "/api/v4/projects?simple=true&starred=true", threading.Event()
    async with httpx.AsyncClient(transport=door, base_url=base, headers=headers, timeout=PATIENCE) as client:
        for _ in range(3):  # the first builds the statements
            assert (await client.get(path)).status_code == 200
            _write(server)
        holding = asyncio.create_task(server.services.pools.run(lambda: ends.wait(PATIENCE), wide=False))
        await asyncio.sleep(0)
        reading = asyncio.create_task(client.get(path))
        await _let_wait()
        is_answered = reading.done()
        assert not holding.done()
        ends.set()
        await holding
        return _statements(await reading) if is_answered else 0


def test_a_list_that_was_quick_is_made_again_without_a_turn(tmp_path: Path) -> None:
    databases = SqliteDatabases(tmp_path)  # on PostgreSQL every read waits for the server
    server = RunningServer(databases.fresh(tmp_path), tmp_path)
    server.services.pools.close()
    server.services.pools = Pools(1, 1, slow=0)

    with without_collection():  # which could make it seem slow
        # A busy machine can make it seem slow as well, for once.
        assert until(lambda: asyncio.run(_ask_beside_work(server))) > 0

    server.services.pools.close()
    server.services.db.dispose()
    databases.close()


async def _ask_for_what_grew(server: RunningServer) -> bool:
    """Whether a list that became long waits for its turn."""
    door, headers = httpx.ASGITransport(app=server.app), {"PRIVATE-TOKEN": ROOT_TOKEN}
    base, ends = "http://localhost", threading.Event()
    async with httpx.AsyncClient(transport=door, base_url=base, headers=headers, timeout=PATIENCE) as client:
        project = (await client.post("/api/v4/projects", json={"name": "grown"})).json()
        path = f"/api/v4/projects/{project['id']}/issues"
        for _ in range(3):
            assert (await client.post(path, json={"title": "Short"})).status_code == 201
            assert (await client.get(path)).status_code == 200
        long = await client.post(path, json={"title": "Long", "description": "x" * LARGEST})
        assert (long.status_code, len((await client.get(path)).content) > LARGEST) == (201, True)
        holding = asyncio.create_task(server.services.pools.run(lambda: ends.wait(PATIENCE), wide=False))
        await asyncio.sleep(0)
        reading = asyncio.create_task(client.get(path))
        await _let_wait()
        waits = not reading.done()
        ends.set()
        await holding
        assert (await reading).status_code == 200
    return waits


def test_a_list_that_became_long_waits_for_its_turn(tmp_path: Path) -> None:
    databases = SqliteDatabases(tmp_path)
    server = RunningServer(databases.fresh(tmp_path), tmp_path)
    server.services.pools.close()
    server.services.pools = Pools(1, 1, slow=0)

    assert asyncio.run(_ask_for_what_grew(server))

    server.services.pools.close()
    server.services.db.dispose()
    databases.close()


def test_a_read_sees_what_the_same_client_sent_before_it(server: RunningServer, world: World) -> None:
    owner = world.user()
    place = f"/api/v4/projects/{world.project(owner)['id']}/issues"
    head = f"Host: localhost\r\nPRIVATE-TOKEN: {owner.token}\r\n"
    body = '{"title":"first"}'
    write = (
        f"POST {place} HTTP/1.1\r\n{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    )
    read = f"GET {place} HTTP/1.1\r\n{head}"

    # In one go, and others ask for the same meanwhile.
    with ThreadPoolExecutor() as others:
        reads = [others.submit(exchange, server.url, f"{read}Connection: close\r\n\r\n".encode()) for _ in range(4)]
        answers = exchange(server.url, f"{write}{read}Connection: close\r\n\r\n".encode())

    assert statuses(answers) == [201, 200]
    assert b'"title":"first"' in answers.split(b"HTTP/1.1 200 OK")[1]
    assert [statuses(each.result()) for each in reads] == [[200]] * 4
