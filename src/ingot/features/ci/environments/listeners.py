"""Stops environments when their branch or merge request is gone."""

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, select

from ingot.events import MergeRequestChanged, Pushed
from ingot.features.ci.deployments import deployments
from ingot.features.ci.environments import filters
from ingot.features.review.merge_requests import merge_requests
from ingot.features.spaces.projects import keeps_commits
from ingot.kit.events import listen
from ingot.kit.jobs import enqueue
from ingot.kit.services import Services

REGISTERED = (filters,)  # importing it registers the list filter


@listen(Pushed, order=88)
def stop_of_deleted_branches(services: Services, event: Pushed) -> None:
    """Stop the review apps of a deleted branch."""
    for change in event.changes:
        if change.is_deletion and change.branch is not None:
            _stop(services, event.project_id, change.branch, event.user_id)


@listen(MergeRequestChanged, order=88)
def stop_of_ended_requests(services: Services, event: MergeRequestChanged) -> None:
    """The same for a merged or closed request, whose pipelines have a ref of their own."""
    if event.what not in ("merged", "closed"):
        return
    with services.db.read() as conn:
        iid = conn.execute(_IID_OF, {"request_id": event.merge_request_id}).scalar_one_or_none()
    if iid is not None:
        _stop(services, event.project_id, f"refs/merge-requests/{iid}/head", event.user_id)


_IID_OF = select(merge_requests.c.iid).where(merge_requests.c.id == bindparam("request_id"))
_ANY_DEPLOYMENT = (
    select(deployments.c.id)
    .where(deployments.c.project_id == bindparam("in_project"), deployments.c.ref == bindparam("ref"))
    .limit(1)
)


def _stop(services: Services, project_id: int, ref: str, user_id: int | None) -> None:
    with services.db.read() as conn:
        place = {"in_project": project_id, "ref": ref[:255]}
        if user_id is None or conn.execute(_ANY_DEPLOYMENT, place).first() is None:
            return
    with services.db.write() as tx:
        args = {"project_id": project_id, "ref": ref[:255], "user_id": user_id}
        enqueue(tx, "environments.stop_of_ref", args=args)


@keeps_commits
def commits_of_deployments(conn: Connection, project_id: int) -> Iterable[str | None]:
    """Deployed commits must stay: they are shown, and people roll back to them."""
    return conn.execute(select(deployments.c.sha).where(deployments.c.project_id == project_id).distinct()).scalars()
