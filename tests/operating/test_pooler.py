"""Ingot behind PgBouncer in transaction mode: every transaction may run in another session."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from ingot.doctor import machine
from ingot.kit.db import Database, take_turn
from tests.support.databases import Databases
from tests.support.ports import free_port
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(shutil.which("pgbouncer") is None, reason="pgbouncer is not installed"),
]

# Two sessions for everybody: what was left in one is met by another.
CONFIG = """
[databases]
ingot = {target}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 200
"""


@pytest.fixture(scope="module")
def pooled_url(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    direct = make_url(databases.fresh(tmp_path_factory.mktemp("pooler")))
    host = direct.host or direct.query["host"]
    target = f"host={host} port={direct.port or 5432} dbname={direct.database} user={direct.username}"
    port = free_port()
    # It refuses to run as root, and the folders of tests are for root alone.
    owner = Path(str(host)).stat().st_uid if str(host).startswith("/") else 65534
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "pgbouncer.ini")
        config.write_text(CONFIG.format(target=target, port=port))
        for place in (Path(folder), config):
            place.chmod(0o755)
        user = owner if os.geteuid() == 0 else None
        process = subprocess.Popen(["pgbouncer", str(config)], stdout=subprocess.DEVNULL, user=user)
        try:
            until(lambda: _listens(port) or process.poll() is not None)
            assert process.returncode is None
            yield f"postgresql://{direct.username}@127.0.0.1:{port}/ingot"
        finally:
            process.terminate()
            process.wait(60)


def _listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def test_reads_writes_and_background_work_go_through_a_pooler(pooled_url: str, tmp_path: Path) -> None:
    with RunningServer(pooled_url, tmp_path, database_pooler=True) as server:
        world = World(server)
        person = world.user()
        issues = f"/projects/{world.project(person)['id']}/issues"
        client = server.client(person.token)

        # More callers than sessions, each often enough for the driver to prepare its statements.
        def work(number: int) -> list[int]:
            title = {"title": f"Issue {number}"}
            written = client.post(issues, json=title).status_code
            anew = {"Cache-Control": "no-cache"}
            return [written, *(client.get(issues, headers=anew).status_code for _ in range(6))]

        with ThreadPoolExecutor(6) as threads:
            statuses = {status for each in threads.map(work, range(12)) for status in each}
        server.run_jobs()

        assert statuses == {200, 201}
        assert len(client.ok("GET", f"{issues}?per_page=100")) == 12
        findings = "".join(finding.sentence for finding in machine.examine(server.services, False))
        assert "no statement_timeout" in findings
        assert "no lock_timeout" in findings
        with psycopg.connect(pooled_url, autocommit=True, prepare_threshold=None) as session:
            assert session.execute("SELECT count(*) FROM pg_prepared_statements").fetchone() == (0,)
            assert session.execute("SELECT count(*) FROM pg_listening_channels()").fetchone() == (0,)
            locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
            assert session.execute(locks).fetchone() == (0,)


def test_turns_are_taken_and_given_back_through_a_pooler(pooled_url: str, tmp_path: Path) -> None:
    """Turns are locks of a transaction: one of a session would stay with whoever met that session next."""
    with RunningServer(pooled_url, tmp_path, database_pooler=True) as server:
        db = server.services.db
        inside: list[int] = []
        most: list[int] = []

        def work(number: int) -> None:
            with db.write() as tx:
                take_turn(tx, "a turn")
                inside.append(number)
                most.append(len(inside))
                tx.execute(text("SELECT pg_sleep(0.02)"))
                inside.remove(number)

        with ThreadPoolExecutor(6) as threads:
            list(threads.map(work, range(18)))

        assert most == [1] * 18

        # Through the whole door: pushes of several callers, each of which notes, moves and tells.
        world = World(server)
        project = world.project(initialize_with_readme=True)
        files = f"/projects/{project['id']}/repository/files"

        def commit(number: int) -> int:
            body = {"branch": "main", "content": "x", "commit_message": f"Add {number}"}
            return server.client().post(f"{files}/{number}.txt", json=body).status_code

        with ThreadPoolExecutor(4) as threads:
            assert set(threads.map(commit, range(12))) == {201}
        server.run_jobs()
        listed = server.client().ok("GET", f"/projects/{project['id']}/repository/tree?per_page=100")
        assert len(listed) == 13


def test_without_the_setting_the_pooler_refuses(pooled_url: str) -> None:
    database = Database(pooled_url)

    with pytest.raises(Exception, match="options"), database.read():
        pass
    database.dispose()
