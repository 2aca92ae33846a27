"""The initial state of a test server: stored in memory and beside the data folder, and restored on demand."""

import shutil
import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingot.kit.clock import now
from ingot.kit.services import Services

# Tables of searches are kept up to date by triggers; workers live on.
TABLES = """
    SELECT name FROM pragma_table_list
    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name != 'background_workers'
"""
COLUMNS = "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0"
MOMENT = "%Y-%m-%d %H:%M:%S.%f"  # as the embedded database has it
# A job that runs meanwhile is cancelled: its row stays, so that its number is not used again while it ends.
CANCEL = "UPDATE background_jobs SET state = 'cancelled', token = token + 1, key = id, subject = NULL, ended_at = ?"


@dataclass(frozen=True, slots=True)
class FreshTable:
    """The rows that a table had, and the statements that bring them back."""

    empty: str
    fill: str
    rows: list[Any]


class FreshState:
    """Copies of rows, repositories and objects. `restore` takes one transaction, and two renames for each folder."""

    def __init__(self, services: Services) -> None:
        self._services = services
        settings = services.settings
        self._folders = [*settings.storage_roots.values(), settings.objects_folder]
        self._shelf = settings.data_folder / "fresh"
        shutil.rmtree(self._shelf, ignore_errors=True)
        self._shelf.mkdir(parents=True)
        with services.db.alone() as live:
            self._tables = [_read(live, "sqlite_sequence"), *(_read(live, name) for (name,) in live.execute(TABLES))]
            for number, folder in enumerate(self._folders):
                folder.mkdir(parents=True, exist_ok=True)
                shutil.copytree(folder, self._original(number), symlinks=True)
        self._turn = threading.Lock()
        self._tidying: threading.Thread | None = None
        self._prepare([])

    def restore(self) -> None:
        """Restore the initial state."""
        with self._turn:
            if self._tidying is not None:
                self._tidying.join()
            with self._services.db.alone() as live:
                self._restore_rows(live)
                old = [self._replace(number, folder) for number, folder in enumerate(self._folders)]
            for forget in self._services.memories:
                forget()
            # In the background: delete the replaced files, and create the next copies.
            self._tidying = threading.Thread(target=self._prepare, args=(old,), name="tidying", daemon=True)
            self._tidying.start()

    def _restore_rows(self, live: sqlite3.Connection) -> None:
        live.execute("PRAGMA foreign_keys = OFF")
        try:
            live.execute("BEGIN IMMEDIATE")
            running = live.execute("SELECT * FROM background_jobs WHERE state = 'running'").fetchall()
            for table in self._tables:
                live.execute(table.empty)
                if table.rows:
                    live.executemany(table.fill, table.rows)
            if running:
                marks = ", ".join("?" * len(running[0]))
                live.executemany(f"INSERT OR REPLACE INTO background_jobs VALUES ({marks})", running)  # noqa: S608
                live.execute(f"{CANCEL} WHERE state = 'running'", (now().strftime(MOMENT),))
            live.execute("COMMIT")
        except BaseException:
            live.execute("ROLLBACK")
            raise
        finally:
            live.execute("PRAGMA foreign_keys = ON")

    def _replace(self, number: int, folder: Path) -> Path:
        old = self._shelf / f"old-{number}"
        folder.rename(old)
        self._ready(number).rename(folder)
        return old

    def _prepare(self, old: list[Path]) -> None:
        for folder in old:
            shutil.rmtree(folder, ignore_errors=True)
        for number in range(len(self._folders)):
            shutil.copytree(self._original(number), self._ready(number), symlinks=True)

    def _original(self, number: int) -> Path:
        return self._shelf / f"original-{number}"

    def _ready(self, number: int) -> Path:
        return self._shelf / f"ready-{number}"


def _read(live: sqlite3.Connection, name: str) -> FreshTable:
    """Names come from the schema, which is our own."""
    columns = ", ".join(f'"{column}"' for (column,) in live.execute(COLUMNS, (name,)))
    rows = live.execute(f'SELECT {columns} FROM "{name}"').fetchall()  # noqa: S608
    marks = ", ".join("?" * len(rows[0])) if rows else ""
    return FreshTable(f'DELETE FROM "{name}"', f'INSERT INTO "{name}" ({columns}) VALUES ({marks})', rows)  # noqa: S608
