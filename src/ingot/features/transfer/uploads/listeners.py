"""Reactions of uploads to events."""

from ingot.events import GroupDeleted, ProjectDeleted
from ingot.features.transfer.uploads.owners import Owner
from ingot.kit.events import listen
from ingot.kit.services import Services


@listen(ProjectDeleted)
def delete_files_of_project(services: Services, event: ProjectDeleted) -> None:
    """The files of a deleted project."""
    services.blobs.delete_prefix(Owner("project", event.project_id).prefix)


@listen(GroupDeleted)
def delete_files_of_group(services: Services, event: GroupDeleted) -> None:
    """The files of a deleted group."""
    services.blobs.delete_prefix(Owner("group", event.group_id).prefix)
