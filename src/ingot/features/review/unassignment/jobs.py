"""Background work: unassigns users from what they can no longer read."""

from ingot.features.review.unassignment.releasing import of_group, of_project, of_user, release
from ingot.kit.jobs import Run, job


@job("members.release")
def release_members(
    run: Run, user_id: int | None = None, project_id: int | None = None, group_id: int | None = None
) -> None:
    """Unassign users from open issues and merge requests that they can no longer read, in small transactions."""
    if user_id is not None:
        scope = of_user(user_id)
    else:
        scope = of_project(project_id) if project_id is not None else of_group(group_id or 0)
    released = 1
    while released:
        run.check()
        with run.db.write() as tx:
            released = release(tx, scope)
