"""PostgreSQL under a bench: a database for each size, on the best server that is at hand."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.support.ports import free_port
from tests.support.postgres import PostgresServer

DATABASES = ("SQLite", "PostgreSQL")
# Servers of Debian's packages have the extension `pg_trgm`, by which words are found; the one of the tests has not.
INSTALLED = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: int(place.parent.name))


def chosen() -> Iterable[str]:
    """Both, unless INGOT_BENCH_DB names one (`sqlite`, `postgres`)."""
    only = os.environ.get("INGOT_BENCH_DB", "")
    return [name for name in DATABASES if name.lower().startswith(only)]


@contextmanager
def databases(what: str, sizes: Iterable[int]) -> Iterator[dict[int, str]]:
    """A database for each size. With INGOT_BENCH_SERVER they stay on that server, and are used again the next time."""
    names = {number: f"bench_{what}_{number}" for number in sizes}
    with _server() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            for name in names.values():
                if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is None:
                    _create(connection, name)
        yield {number: _in_place(url, name) for number, name in names.items()}


@contextmanager
def empty_database(what: str) -> Iterator[str]:
    """A database that nobody has used."""
    with _server() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "bench_{what}"')
            _create(connection, f"bench_{what}")
        yield _in_place(url, f"bench_{what}")


def version_of(url: str) -> str:
    """The version of the server that has a database."""
    with psycopg.connect(url) as connection:
        return str(connection.info.parameter_status("server_version"))


def _create(connection: psycopg.Connection, name: str) -> None:
    connection.execute(f'CREATE DATABASE "{name}"')
    # Work of helping processes would not be counted.
    connection.execute(f'ALTER DATABASE "{name}" SET max_parallel_workers_per_gather = 0')


def _in_place(url: str, name: str) -> str:
    return f"{url.rpartition('/')[0]}/{name}"


@contextmanager
def _server() -> Iterator[str]:
    if running := os.environ.get("INGOT_BENCH_SERVER"):
        yield running
    elif INSTALLED:
        with _installed() as url:
            yield url
    else:
        print("No PostgreSQL is installed here. That of the tests has no pg_trgm: words are searched for in all texts.")
        own = PostgresServer()
        try:
            yield own.url("postgres")
        finally:
            own.close()


@contextmanager
def _installed() -> Iterator[str]:
    """The newest server that is installed, in a folder of its own; it will not run as root."""
    who = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    port = free_port()

    def run(program: str, *words: str) -> None:
        subprocess.run([*who, str(INSTALLED[-1] / program), *words], check=True, stdout=subprocess.DEVNULL, cwd="/")

    with tempfile.TemporaryDirectory(prefix="ingot-bench-pg-", ignore_cleanup_errors=True) as place:
        Path(place).chmod(0o777)
        data = f"{place}/data"
        run("initdb", "-D", data, "-U", "postgres", "--auth=trust", "--locale=C.UTF-8", "-E", "UTF8")
        options = f"-p {port} -k {place} -c shared_buffers=1GB -c max_wal_size=8GB"
        run("pg_ctl", "-D", data, "-w", "-o", options, "-l", f"{place}/log", "start")
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-D", data, "-w", "-m", "fast", "stop")
