"""Reactions of artifacts to events."""

from ingot.events import ProjectDeleted
from ingot.kit.events import listen
from ingot.kit.services import Services


@listen(ProjectDeleted)
def delete_artifacts(services: Services, event: ProjectDeleted) -> None:
    """The artifacts of a deleted project's jobs."""
    services.blobs.delete_prefix(f"artifacts/{event.project_id}")
