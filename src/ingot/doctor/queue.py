"""Whether background work is being done."""

from collections.abc import Iterator

from ingot.doctor.finding import Finding
from ingot.kit.jobs import measure
from ingot.kit.services import Services

STALE_SECONDS = 300.0


def examine(services: Services, repair: bool) -> Iterator[Finding]:  # noqa: ARG001 - starting workers is not ours to do
    """Jobs that should have begun long ago."""
    with services.db.read() as conn:
        figures = measure(conn)
    if figures.oldest_due_seconds > STALE_SECONDS:
        minutes = figures.oldest_due_seconds / 60
        waiting = f"The oldest background job has been waiting for {minutes:.0f} minutes."
        if figures.workers:
            workers = "1 worker is running" if figures.workers == 1 else f"{figures.workers} workers are running"
            yield Finding(f"{waiting} {workers}, which is not enough. Start another one.", command="ingot worker")
        else:
            yield Finding(f"{waiting} No worker is running. Start one.", command="ingot worker")
