"""A server for tests: the real application behind a real socket, in a thread of the test process."""

import threading
import time
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import uvicorn
from sqlalchemy import and_, or_, select

from ingot import app as composition
from ingot import settings as configuration
from ingot.cli.processes import server_config
from ingot.first_start import ensure_root
from ingot.kit.clock import now
from ingot.kit.jobs import JobWorker
from ingot.kit.jobs.tables import jobs
from tests.support.client import Client
from tests.support.waiting import LIMIT

ROOT_TOKEN = "glpat-root-token-of-tests1"


class RunningServer:
    """Starts on a free port; stops at the end of the block."""

    def __init__(self, database_url: str, data: Path, **settings: Any) -> None:
        # Runners of tests want their answer now, unless the test is about waiting; receivers may take their time.
        common = {"root_token": ROOT_TOKEN, "port": 0, "job_request_wait": 0, "query_count_header": True, "ssh": False}
        common |= {"webhook_timeout": 600}
        values = {**common, "database_url": database_url, "data": str(data), **settings}
        self.settings = configuration.make(values)
        self.services = composition.build_services(self.settings)
        self.app = composition.build(self.services)
        ensure_root(self.services)
        self._server = uvicorn.Server(
            server_config(
                self.app, self.settings, port=0, log_level="error", loop="asyncio", timeout_graceful_shutdown=None
            )
        )
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self.url = ""
        self._clients: list[Client] = []

    def __enter__(self) -> Self:
        self._thread.start()
        limit = time.monotonic() + LIMIT
        while not self._server.started:
            if time.monotonic() > limit or not self._thread.is_alive():
                raise RuntimeError("the test server did not start")
            time.sleep(0.005)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in self._clients:
            client.http.close()
        self._server.should_exit = True
        self._thread.join(timeout=120)
        self.services.pools.close()
        self.services.db.dispose()

    def client(self, token: str | None = ROOT_TOKEN) -> Client:
        """A client with this token; None is anonymous."""
        created = Client(self.url, self.services.router, token)
        self._clients.append(created)
        return created

    def run_jobs(self, limit: float = LIMIT) -> None:
        """Start a real worker, wait until no due job is left, and stop it."""
        worker = JobWorker(self.services.db, self.services, concurrency=2)
        worker.start()
        end = time.monotonic() + limit
        try:
            while self._has_due_jobs():
                if time.monotonic() > end:
                    raise RuntimeError("background work did not end in time")
                time.sleep(0.01)
        finally:
            worker.stop()

    def _has_due_jobs(self) -> bool:
        # A job that is queued while this asks is a moment later than this clock.
        soon = now() + timedelta(seconds=0.2)
        due = or_(jobs.c.state == "running", and_(jobs.c.state == "queued", jobs.c.run_after <= soon))
        with self.services.db.read() as conn:
            return conn.execute(select(jobs.c.id).where(due).limit(1)).first() is not None
