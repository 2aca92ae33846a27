"""The services of background work that may be taken over by another process."""

from msgspec.structs import replace

from ingot.kit.jobs import Run
from ingot.kit.services import Services


def fenced(run: Run) -> Services:
    """The services with writes that stop when the work was taken over."""
    services: Services = run.services
    return replace(services, db=run.db)
