"""Counting fetches per project and day."""

from ingot.kit.clock import today
from ingot.kit.services import Services


def count_fetch(services: Services, project_id: int) -> None:
    """One more clone or fetch today; written a few seconds later, so that the answer waits for no other writer."""
    services.fetches.add((project_id, today()))
