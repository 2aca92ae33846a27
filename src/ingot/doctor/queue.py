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
        who = f"{figures.workers} workers are" if figures.workers else "no worker is"
        minutes = figures.oldest_due_seconds / 60
        yield Finding(f"The oldest job has been waiting for {minutes:.0f} minutes; {who} running.")
