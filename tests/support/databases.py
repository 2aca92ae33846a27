"""Fresh databases in a moment: one is prepared per worker, the others are copies of it."""

import shutil
import uuid
from pathlib import Path
from typing import Protocol

from ingot import app
from ingot.kit import schema
from ingot.kit.db import Database
from tests.support.postgres import PostgresServer


class Databases(Protocol):
    """Makes prepared databases."""

    def fresh(self, folder: Path) -> str:
        """The URL of a new one."""

    def empty(self, folder: Path) -> str:
        """The URL of one without tables."""

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

    def close(self) -> None:
        """Nothing to stop."""


class PostgresDatabases:
    """Copies of one prepared database on a server of our own."""

    def __init__(self, folder: Path) -> None:
        self.server = PostgresServer()
        self.server.execute("CREATE DATABASE template_ingot")
        prepare(self.server.url("template_ingot"))

    def fresh(self, folder: Path) -> str:
        name = f"t_{uuid.uuid4().hex[:12]}"
        self.server.execute(f"CREATE DATABASE {name} TEMPLATE template_ingot")
        return self.server.url(name)

    def empty(self, folder: Path) -> str:
        name = f"t_{uuid.uuid4().hex[:12]}"
        self.server.execute(f"CREATE DATABASE {name}")
        return self.server.url(name)

    def close(self) -> None:
        self.server.close()
