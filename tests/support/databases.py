"""Fresh databases in a moment: one is prepared per worker, the others are copies of it."""

import os
import shutil
import uuid
from pathlib import Path
from typing import Protocol

from ingot import app
from ingot.kit import schema
from ingot.kit.db import Database
from tests.support.postgres import OutsideServer, PostgresServer


class Databases(Protocol):
    """Makes prepared databases."""

    def fresh(self, folder: Path) -> str:
        """The URL of a new one."""

    def empty(self, folder: Path) -> str:
        """The URL of one without tables."""

    def processor_time(self) -> float:
        """Seconds of work of processes that are the database's own."""

    def close(self) -> None:
        """Clean up."""


def prepare(url: str) -> None:
    app.load_features()
    db = Database(url)
    schema.prepare(db)
    db.dispose()


class SqliteDatabases:
    """Copies of one prepared file."""

    def __init__(self, folder: Path) -> None:
        self.template = folder / "template.db"
        prepare(f"sqlite:///{self.template}")

    def fresh(self, folder: Path) -> str:
        target = folder / "ingot.db"
        shutil.copyfile(self.template, target)
        return f"sqlite:///{target}"

    def empty(self, folder: Path) -> str:
        return f"sqlite:///{folder / 'ingot.db'}"

    def processor_time(self) -> float:
        """It works in the process that asks."""
        return 0.0

    def close(self) -> None:
        """Nothing to stop."""


class PostgresDatabases:
    """Copies of one prepared database, on a server of our own or on the one that `INGOT_TEST_DATABASE_URL` names."""

    def __init__(self, folder: Path) -> None:
        outside = os.environ.get("INGOT_TEST_DATABASE_URL")
        self.server: PostgresServer | OutsideServer = OutsideServer(outside) if outside else PostgresServer()
        # Half the work of writing each page to the log, too, which versions before 15 cannot avoid by a word.
        self._how_copied = "" if outside else " STRATEGY file_copy"
        self._made: list[str] = []
        self._template = self._create()
        prepare(self.server.url(self._template))

    def fresh(self, folder: Path) -> str:
        return self.server.url(self._create(f" TEMPLATE {self._template}{self._how_copied}"))

    def empty(self, folder: Path, how: str = "") -> str:
        return self.server.url(self._create(how))

    def processor_time(self) -> float:
        return self.server.processor_time()

    def _create(self, how: str = "") -> str:
        name = f"ingot_test_{uuid.uuid4().hex[:12]}"
        self.server.execute(f"CREATE DATABASE {name}{how}")
        self._made.append(name)
        return name

    def close(self) -> None:
        if isinstance(self.server, OutsideServer):
            for name in self._made:
                self.server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self.server.close()
