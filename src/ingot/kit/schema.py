"""Bringing a database to this version's schema."""

from ingot.kit.db import Database, metadata


def prepare(db: Database) -> None:
    """Create what is missing."""
    with db.write() as tx:
        metadata.create_all(tx)
