"""Removing the archive of an ended import."""

from sqlalchemy import Connection

from ingot.kit.jobs import enqueue


def drop_archive(tx: Connection, key: str | None) -> None:
    """Remove it in the background."""
    if key is not None:
        enqueue(tx, "import_archive_removal", key=f"remove-{key}", args={"key": key})
