"""`ingot backup` and `ingot restore`."""

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ingot.cli.options import DATA, DATABASE
from ingot.cli.ready import load_settings, require_instance
from ingot.cli.refusals import Refusal
from ingot.settings import Settings

if TYPE_CHECKING:
    from ingot.backup import Manifest


def backup(
    folder: Path = typer.Argument(help="Folder to create for the backup."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Back up database, repositories and objects. Servers may go on serving; PostgreSQL needs `pg_dump`."""
    from ingot import backup as backups

    def take(settings: Settings) -> "Manifest":
        require_instance(settings)
        return backups.take(settings, folder)

    # Asked to end, it clears away what it has begun, as after an interrupt from the keyboard.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    created = _attempt(data, database_url, take)
    sys.stdout.write(
        f"{folder}: {created.files} files with {_size(created.bytes)}, "
        f"and a database of {_size(created.database_bytes)}; "
        f"writers waited {created.writers_waited_seconds:.2f} s.\n"
    )


def restore(
    folder: Path = typer.Argument(help="Folder of the backup."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Restore a backup into an empty data folder, or an empty database, bucket and storages. Then start the server."""
    from ingot import backup as backups

    created = _attempt(data, database_url, lambda settings: backups.restore(settings, folder))
    sys.stdout.write(f"Restored the backup of {created.created_at} ({created.files} files, {_size(created.bytes)}).\n")


def _attempt(data: str | None, database_url: str | None, work: "Callable[[Settings], Manifest]") -> "Manifest":
    from ingot.backup import BackupError

    settings = load_settings(data=data, database_url=database_url)
    try:
        return work(settings)
    except BackupError as error:
        raise Refusal(str(error)) from error
    except OSError as error:
        raise Refusal(
            f"{error.filename or 'The copy'} cannot be written: {error.strerror}. Specify another folder."
        ) from error


def _size(number: int) -> str:
    size = float(number)
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
