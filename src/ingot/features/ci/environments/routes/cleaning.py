"""Endpoints that clean up environments."""

from datetime import timedelta

from ingot.access.call import Call
from ingot.features.ci.environments.cleaning import schedule_deletion, stopped_review_apps
from ingot.features.ci.environments.entities import DeletedReviewApps, present_basic
from ingot.features.ci.environments.params import DeleteReviewApps, StopStale
from ingot.features.ci.environments.policy import CHANGE_ENVIRONMENTS
from ingot.features.ci.protected_environments import protected_from
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import MessageOnly
from ingot.kit.errors import BadRequest, ParamError
from ingot.kit.jobs import enqueue

routes = Routes("Environments", guard=CHANGE_ENVIRONMENTS, job_token=True)

_WEEK = timedelta(days=7)
_TEN_YEARS = timedelta(days=3652)
_MONTH = timedelta(days=30)
_MOST = 1000


@routes.post("/projects/{id}/environments/stop_stale", params=StopStale, returns=MessageOnly, status=200)
def stop_stale_environments(call: Call[StopStale]) -> Answer:
    """Stop all environments that were neither edited nor deployed to since a given time, in the background."""
    before = call.params.before
    if not now() - _TEN_YEARS <= before <= now() - _WEEK:
        raise BadRequest("Invalid Date")
    args = {"project_id": call.project.id, "before": before.isoformat(), "user_id": call.actor.id}
    with call.write() as tx:
        enqueue(tx, "environments.stop_stale", args=args)
    return MessageOnly(message="Successfully requested stop for all stale environments")


@routes.delete(
    "/projects/{id}/environments/review_apps", params=DeleteReviewApps, returns=DeletedReviewApps, status=200
)
def delete_review_apps(call: Call[DeleteReviewApps]) -> Answer:
    """Schedule stopped environments of the folder `review` for deletion in a week, or only list them."""
    options = call.params
    call.require_unmodified(call.project.updated_at)
    if not 1 <= options.limit <= _MOST:
        raise ParamError("limit does not have a valid value")
    result = stopped_review_apps(call.conn, call.project.id, options.before or now() - _MONTH, options.limit)
    protected = protected_from(call.conn, call.project.id, call.actor.user_id, result)
    due = [row for row in result if row not in protected]
    if not options.dry_run and due:
        with call.write() as tx:
            schedule_deletion(tx, [row.id for row in due])
    return DeletedReviewApps(scheduled_entries=present_basic(due), unprocessable_entries=present_basic(protected))
