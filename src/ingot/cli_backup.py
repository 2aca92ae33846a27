"""`ingot backup` and `ingot restore`."""

import sys
from collections.abc import Callable
from pathlib import Path

import typer

from ingot import backup as backups
from ingot import settings as configuration
from ingot.settings import Settings

DATA = typer.Option(None, help="Data folder.")
DATABASE = typer.Option(None, help="Database URL.")


def backup(
    folder: Path = typer.Argument(help="New folder for the backup."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Back up the embedded form: database, repositories and objects of one moment. The server may go on serving."""
    made = _attempt(data, database_url, lambda settings: backups.take(settings, folder))
    sys.stdout.write(
        f"{folder}: {made.files} files with {_size(made.bytes)} and a database of {_size(made.database_bytes)}; "
        f"writers waited {made.writers_waited_seconds:.2f} s.\n"
    )


def restore(
    folder: Path = typer.Argument(help="Folder of a backup."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Restore a backup into an empty data folder. Start the server afterwards."""
    made = _attempt(data, database_url, lambda settings: backups.restore(settings, folder))
    sys.stdout.write(f"Restored the backup of {made.created_at} ({made.files} files, {_size(made.bytes)}).\n")


def _attempt(
    data: str | None, database_url: str | None, work: Callable[[Settings], backups.Manifest]
) -> backups.Manifest:
    try:
        return work(configuration.load({"data": data, "database_url": database_url}))
    except backups.BackupError as error:
        sentence = str(error)
    except OSError as error:
        sentence = f"{error.filename or 'The copy'}: {error.strerror}."
    sys.stderr.write(f"{sentence}\n")
    raise typer.Exit(1)


def _size(number: int) -> str:
    size = float(number)
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
