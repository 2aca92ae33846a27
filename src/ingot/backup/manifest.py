"""The manifest of a backup; a folder is a complete backup once it has this file."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from ingot.backup.errors import BackupError

FORMAT = 1
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Manifest:
    """What a backup holds."""

    format: int
    version: str
    created_at: str
    storages: list[str]
    files: int
    bytes: int
    database_bytes: int
    writers_waited_seconds: float
    database: str = "sqlite"

    def write(self, folder: Path) -> None:
        """The last file of a backup."""
        (folder / MANIFEST).write_text(json.dumps(asdict(self), indent=2) + "\n")


def read_manifest(source: Path) -> Manifest:
    """What a folder holds; raises where it is no complete backup."""
    try:
        result = json.loads((source / MANIFEST).read_text())
    except FileNotFoundError:
        raise BackupError(
            f"{source} is not a complete backup: it has no {MANIFEST}. Specify the folder that `ingot backup` created."
        ) from None
    except ValueError:
        raise BackupError(f"{source / MANIFEST} cannot be read.") from None
    if result.get("format") != FORMAT:
        raise BackupError(
            f"This version can read backup format {FORMAT}, but this backup has format {result.get('format')}."
        )
    return Manifest(**result)
