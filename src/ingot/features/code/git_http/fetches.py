"""Counting fetches per project and day."""

from ingot.features.spaces.projects import record_fetch
from ingot.kit.services import Services


def count_fetch(services: Services, project_id: int) -> None:
    """One more clone or fetch today."""
    with services.db.write() as tx:
        record_fetch(tx, project_id)
