"""The scale-out form as processes of this machine: PostgreSQL, an S3 server, API nodes and workers."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import httpx

from tests import s3_server
from tests.support import plain_http
from tests.support.forked_program import ForkedProgram, load_ahead, run_program
from tests.support.ports import free_port
from tests.support.postgres import PostgresServer

ROOT = Path(__file__).parents[2]
TOKEN = "glpat-scale-test-root-tok"
BUCKET = "ingot"
# What each process does first: know the countable kind of work, and show where it hangs when it is aborted.
PRELUDE = "import faulthandler, tests.scale.worker\nfaulthandler.enable()"
PATIENCE = 400.0  # on a machine that is busy with much else


class Process:
    """A process that can be killed and started again with the same words."""

    def __init__(self, words: list[str], environment: dict[str, str], log: Path) -> None:
        self._words, self._environment, self._log = words, environment, log
        self.start()

    def start(self) -> None:
        self.popen: subprocess.Popen[bytes] | ForkedProgram = self._begin()

    def _begin(self) -> subprocess.Popen[bytes] | ForkedProgram:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                self._words, env=self._environment, cwd=ROOT, stdout=log, stderr=log, start_new_session=True
            )

    def start_with(self, **environment: str) -> None:
        """Start again in another environment."""
        self._environment = {**self._environment, **environment}
        self.start()

    def kill(self) -> None:
        """As a power cut would: the process and everything it started."""
        popen = self.popen  # whoever supervises it may start the next one at once
        for kill in (os.killpg, os.kill):  # one that was forked a moment ago may not lead its group yet
            with suppress(ProcessLookupError):
                kill(popen.pid, signal.SIGKILL)
        popen.wait()

    def ask_to_end(self) -> None:
        if self.popen.poll() is None:
            self.popen.terminate()

    def stop(self) -> int:
        """Ask it to end; returns its exit status."""
        self.ask_to_end()
        return self.wait_for_end()

    def wait_for_end(self) -> int:
        """Its exit status; one that does not end is killed."""
        try:
            return self.popen.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            # Its log then shows what it was doing.
            self.popen.send_signal(signal.SIGABRT)
            self.popen.wait(30)
            self.kill()
            return -1

    @property
    def output(self) -> str:
        return self._log.read_text(errors="replace")


class ForkedProcess(Process):
    """`ingot` with these words, forked off a process that has loaded it, which saves most of the work of a start."""

    def _begin(self) -> ForkedProgram:
        return ForkedProgram(
            *self._words,
            environment=self._environment,
            folder=ROOT,
            output=self._log,
            errors=self._log,
            prelude=PRELUDE,
        )


class Cluster:
    """Started by `running_cluster`."""

    def __init__(
        self, folder: Path, *, takeover: float, settings: dict[str, str] | None, store: str, forked: bool
    ) -> None:
        self.folder, self.store, self._is_forked = folder, store, forked
        # Each of these loads much, and does so while the database is made.
        self.s3_port = free_port()
        self.s3 = Process(*s3_server.command(self.s3_port, folder / "objects", store), folder / "s3.log")
        self.s3_url = f"http://127.0.0.1:{self.s3_port}"
        if forked:
            load_ahead()
        self.postgres = PostgresServer()
        # As operators are told: connections for all processes of all nodes, which only a restart gives.
        self.postgres.execute("ALTER SYSTEM SET max_connections = 400")
        # As it comes, for work of an hour needs it; the tests' own servers go without.
        self.postgres.execute("ALTER SYSTEM RESET autovacuum")
        self.postgres.stop()
        self.postgres.start()
        self.postgres.execute("CREATE DATABASE ingot")
        self.database_url = self.postgres.url("ingot")
        self.environment = {
            **os.environ,
            "PYTHONPATH": f"src{os.pathsep}.",
            "INGOT_DATABASE_URL": self.database_url,
            "INGOT_DATA": str(folder / "data"),
            "INGOT_OBJECT_STORE": f"s3://{BUCKET}/objects",
            "INGOT_S3_ENDPOINT": self.s3_url,
            "INGOT_S3_ACCESS_KEY_ID": s3_server.KEY_ID,
            "INGOT_S3_SECRET_ACCESS_KEY": s3_server.SECRET,
            "INGOT_SECRET_KEY": "00" * 32,
            "INGOT_ROOT_TOKEN": TOKEN,
            "INGOT_WORKER_TAKEOVER": str(takeover),
            # A node that is killed or paused is one process.
            "INGOT_WORKERS": "1",
            **(settings or {}),
        }
        self.nodes: list[Process] = []
        self.urls: list[str] = []
        self.ssh_ports: list[int] = []
        self.workers: list[Process] = []

    def make_bucket(self) -> None:
        """The engines are there, but empty."""
        s3_server.wait_until_it_listens(self.s3_port, time.monotonic() + PATIENCE)
        with closing(s3_server.client(self.s3_url)) as client:
            client.create_bucket(Bucket=BUCKET)

    def start(self, nodes: int, workers: int, mounts: list[Path] | None = None) -> None:
        """Start nodes and workers, and wait until nodes are ready; they start together, as after a power cut.

        With mounts of one file system the repositories are there: each node and each worker uses another mount.
        """
        places = [{"INGOT_REPOSITORY_STORAGES": f"default={mount}/repositories"} for mount in mounts or []] or [{}]
        self.environment |= places[0]
        for number in range(nodes):
            port = free_port()
            self.ssh_ports.append(free_port())
            environment = {"INGOT_SSH_PORT": str(self.ssh_ports[number])} | self.environment
            environment |= places[number % len(places)]
            words = ["serve", "--no-worker", "--port", str(port)]
            self.nodes.append(self._process(words, environment, f"node-{number}"))
            self.urls.append(f"http://127.0.0.1:{port}")
        # A worker does not make the tables.
        self.wait_ready(0)
        for number in range(workers):
            environment = self.environment | places[number % len(places)]
            self.workers.append(self._process(["worker"], environment, f"worker-{number}"))
        for number in range(nodes):
            self.wait_ready(number)

    def _process(self, words: list[str], environment: dict[str, str], name: str) -> Process:
        log = self.folder / f"{name}.log"
        if self._is_forked:
            return ForkedProcess(words, environment, log)
        return Process(
            [sys.executable, "-c", f"{PRELUDE}\nfrom ingot.__main__ import main\nmain()", *words], environment, log
        )

    def wait_ready(self, number: int, limit: float = PATIENCE) -> None:
        _wait(lambda: plain_http.get(f"{self.urls[number]}/-/readiness").status_code == 200, limit)

    @property
    def offers_ssh(self) -> bool:
        """Whether the nodes of this cluster answer SSH; those of most tests do not."""
        return self.environment["INGOT_SSH"] == "on"

    def answers_ssh(self, number: int) -> bool:
        """Whether a node takes commands over SSH, which it does a moment after it is ready."""
        try:
            with socket.create_connection(("127.0.0.1", self.ssh_ports[number]), timeout=30) as connection:
                return connection.recv(4) == b"SSH-"
        except OSError:
            return False

    @property
    def repositories(self) -> Path:
        """The folder with all repositories, as the first node sees it."""
        storages = self.environment.get("INGOT_REPOSITORY_STORAGES", "")
        return Path(storages.partition("=")[2] or f"{self.environment['INGOT_DATA']}/repositories")

    def ingot(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The command line, with the settings of the nodes and PostgreSQL's own programs at hand."""
        path = f"{self.postgres.programs}{os.pathsep}{os.environ['PATH']}"
        environment = {**self.environment, "PATH": path}
        if self._is_forked:
            return run_program(*words, environment=environment, folder=ROOT)
        command = [sys.executable, "-m", "ingot", *words]
        return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)

    def doctor(self) -> list[str]:
        """What `ingot doctor` finds."""
        done = self.ingot("doctor", "--json")
        if not done.stdout.startswith("["):
            return [done.stderr[-2000:]]
        return [f"{check['check']}: {one['text']}" for check in json.loads(done.stdout) for one in check["findings"]]

    def close(self) -> list[int]:
        """Stop everything; returns the exit statuses of nodes and workers."""
        for process in (*self.nodes, *self.workers):
            process.ask_to_end()
        statuses = [process.wait_for_end() for process in (*self.nodes, *self.workers)]
        self.s3.kill()
        self.postgres.close()
        return statuses


@contextmanager
def running_cluster(
    folder: Path,
    *,
    nodes: int = 2,
    workers: int = 2,
    takeover: float = 30.0,
    settings: dict[str, str] | None = None,
    before_start: Callable[[Cluster], None] | None = None,
    mounts: list[Path] | None = None,
    store: str = s3_server.PROGRAM,
    forked: bool = False,
) -> Iterator[Cluster]:
    """With `forked`, nodes and workers start in a tenth of the time; they are of this version then."""
    cluster = Cluster(folder, takeover=takeover, settings=settings, store=store, forked=forked)
    try:
        cluster.make_bucket()
        if before_start is not None:
            before_start(cluster)
        cluster.start(nodes, workers, mounts)
        yield cluster
    finally:
        cluster.close()


def _wait(condition: "object", limit: float = PATIENCE) -> None:
    deadline = time.monotonic() + limit
    while True:
        try:
            if condition():  # type: ignore[operator]
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < deadline, "it did not become ready in time"
        time.sleep(0.05)
