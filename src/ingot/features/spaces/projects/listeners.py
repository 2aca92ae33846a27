"""Reactions of projects to events."""

from ingot.events import MergeRequestChanged, Pushed
from ingot.features.spaces.projects.commands.activity import touch_activity
from ingot.features.spaces.projects.commands.refresh import refresh_head
from ingot.kit.events import listen
from ingot.kit.services import Services


@listen(Pushed, order=10)
def note_push(services: Services, event: Pushed) -> None:
    """A push changes what the project shows of its repository."""
    refresh_head(services, event.project_id, [change.branch for change in event.changes if change.branch])


@listen(MergeRequestChanged, order=90)
def note_merge_request(services: Services, event: MergeRequestChanged) -> None:
    """Changes of a merge request count as activity of its project, and as a contribution of the user."""
    if event.what == "merged":
        return  # its push is recorded already
    with services.db.write() as tx:
        touch_activity(tx, event.project_id, event.user_id)
