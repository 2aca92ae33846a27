"""A PostgreSQL server with a standby that follows it, to be stopped and promoted."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.support.postgres import PostgresServer
from tests.support.waiting import until


class Replicated:
    """The server with the database `ingot`, and its standby."""

    def __init__(self, primary: PostgresServer, folder: Path) -> None:
        self.primary = primary
        self._data = folder / "data"
        self._sockets = folder
        self.url = primary.url("ingot")
        self._place = self.url.rpartition("host=")[2]
        self.standby_url = f"postgresql://postgres:@/ingot?host={folder}"
        # Whichever of the two takes writes.
        self.any_url = f"postgresql://postgres:@/ingot?host={self._place},{folder}&target_session_attrs=read-write"
        self.primary.run(
            "pg_basebackup", "-h", self._place, "-U", "postgres", "-D", str(self._data), "-R", "-c", "fast"
        )
        self.start()

    def start(self) -> None:
        """Start the standby and wait until it follows."""
        words = f"-h '' -k {self._sockets}"
        self.primary.run("pg_ctl", "-w", "-D", str(self._data), "-o", words, "-l", f"{self._sockets}/log", "start")
        until(lambda: self.ask(self.url, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") == 1)

    def stop(self) -> None:
        self.primary.run("pg_ctl", "-w", "-D", str(self._data), "-m", "immediate", "stop")

    def promote(self) -> None:
        self.primary.run("pg_ctl", "-w", "-D", str(self._data), "promote")

    def wait_for_commits(self) -> None:
        """From now on the primary acknowledges what the standby has, too."""
        self.primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.execute("SELECT pg_reload_conf()")
        until(lambda: self.ask(self.url, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1)

    def wait_for_replay(self) -> None:
        """The standby has everything that was written until now."""
        position = self.ask(self.url, "SELECT pg_current_wal_flush_lsn()::text")
        until(lambda: self.ask(self.standby_url, f"SELECT pg_last_wal_replay_lsn() >= '{position}'::pg_lsn") is True)

    def ask(self, url: str, question: str) -> object:
        with psycopg.connect(url, autocommit=True) as session:
            row = session.execute(question).fetchone()
            assert row is not None
            return row[0]


@contextmanager
def replicated() -> Iterator[Replicated]:
    primary = PostgresServer()
    folder = Path(tempfile.mkdtemp(prefix="ingot-pg-"))
    folder.chmod(0o777)
    primary.execute("CREATE DATABASE ingot")
    pair = Replicated(primary, folder)
    try:
        yield pair
    finally:
        pair.stop()
        primary.close()
        shutil.rmtree(folder, ignore_errors=True)
