"""What projects do when something happens in them."""

from ingot.access.events import MergeRequestChanged, Pushed
from ingot.access.push_notes import current_note, tick_off
from ingot.features.projects.commands.activity import touch_activity
from ingot.features.projects.commands.refresh import queue_refresh, refresh_head
from ingot.kit.events import has_failed, listen
from ingot.kit.services import Services


@listen(Pushed, order=10)
def note_push(services: Services, event: Pushed) -> None:
    """A push changes what the project shows of its repository."""
    refresh_head(services, event.project_id, [change.branch for change in event.changes if change.branch])


# After all others, in one write: whoever finds the note ticked off need not look further.
@listen(Pushed, order=99)
def close_push(services: Services, event: Pushed) -> None:
    """A push is activity; it is done with when nobody failed to follow it."""
    note = current_note()
    with services.db.write() as tx:
        touch_activity(tx, event.project_id, event.user_id)
        queue_refresh(tx, event.project_id)
        if note is not None and not note.more_follows and not has_failed():
            tick_off(tx, note)


@listen(MergeRequestChanged, order=90)
def note_merge_request(services: Services, event: MergeRequestChanged) -> None:
    """Work on a merge request is activity of its project, and a contribution of whoever did it."""
    if event.what == "merged":
        return  # the push that it was is noted already
    with services.db.write() as tx:
        touch_activity(tx, event.project_id, event.user_id)
