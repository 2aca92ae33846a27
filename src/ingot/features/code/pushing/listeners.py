"""The first and last listeners: set the default branch of an empty repository, and complete a push."""

from sqlalchemy import bindparam, select

from ingot.access.tables import projects
from ingot.events import Pushed, RepositoryFilled
from ingot.features.code.pushing.activity import pushed_refs, was_recorded
from ingot.features.code.pushing.first_branch import protect_first, settle
from ingot.features.code.pushing.notes import current_note, may_follow, remove_push_note
from ingot.features.people.event_log import record_push
from ingot.features.spaces.projects import queue_refresh, touch_activity
from ingot.kit.changes import Change, report_change
from ingot.kit.events import has_failed, listen
from ingot.kit.services import Services

_EMPTY = select(projects).where(projects.c.id == bindparam("project_id"), projects.c.empty_repo)


# Runs before the others: they see a project with its default branch.
@listen(Pushed, order=1)
def settle_first_branch(services: Services, event: Pushed) -> None:
    """Choose and protect the default branch of a repository that was empty until now."""
    with services.db.read() as conn:
        project = conn.execute(_EMPTY, {"project_id": event.project_id}).one_or_none()
    if project is not None:
        pushed = [change.branch for change in event.changes if change.branch is not None and not change.is_deletion]
        settle(services, project, pushed)


@listen(RepositoryFilled)
def protect_filled(services: Services, event: RepositoryFilled) -> None:
    """The default branch of a fork or an imported project is protected like any other."""
    with services.db.write() as tx:
        project = tx.execute(select(projects).where(projects.c.id == event.project_id)).one_or_none()
        if project is not None and project.default_branch and not project.empty_repo:
            protect_first(tx, project, project.default_branch)


# Runs after all others, in one write: a removed note means that everything is done.
@listen(Pushed, order=99)
def close_push(services: Services, event: Pushed) -> None:
    """Record the activity, and remove the note if no listener failed."""
    note = current_note()
    pushed = pushed_refs(services, event)
    with services.db.write() as tx:
        if may_follow(tx) and not was_recorded(tx, event, pushed):
            record_push(tx, event.project_id, event.user_id, pushed)
            details = {"refs": event.changes}
            change = Change("push", "push", event.project_id, event.project_id, user_id=event.user_id, details=details)
            report_change(tx, change)
        touch_activity(tx, event.project_id, event.user_id)
        queue_refresh(tx, event.project_id)
        if note is not None and not note.more_follows and not has_failed():
            remove_push_note(tx, note)
