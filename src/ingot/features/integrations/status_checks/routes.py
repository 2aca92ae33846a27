"""Endpoints of external status checks."""

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.integrations.status_checks import commands, queries
from ingot.features.integrations.status_checks.entities import (
    ExternalStatusCheck,
    StatusCheckResponse,
    StatusOfCheck,
    present_checks,
    present_statuses,
)
from ingot.features.integrations.status_checks.params import (
    CheckPath,
    CreateCheck,
    ListChecks,
    ListStatuses,
    RespondToCheck,
    RetryCheck,
    UpdateCheck,
)
from ingot.features.integrations.status_checks.policy import ADMIN_CHECKS, READ_CHECKS, RESPOND
from ingot.features.integrations.status_checks.rows import CheckRow
from ingot.features.integrations.status_checks.tables import external_status_checks
from ingot.features.review.merge_requests import (
    FIND_MERGE_REQUEST,
    MergeRequestRow,
    OneMergeRequest,
    find_visible,
    present_embedded,
    try_waiting,
)
from ingot.kit.changes import Change
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import MessageOnly
from ingot.kit.errors import Conflict, Failure, RecordNotFound
from ingot.kit.pagination import Keyset

routes = Routes("External status checks", tier="ultimate")
ALL = "/projects/{id}/external_status_checks"
ONE = ALL + "/{check_id}"
REQUEST = "/projects/{id}/merge_requests/{merge_request_iid}"


def _check(call: Call[CheckPath]) -> CheckRow:
    return queries.get(call.conn, call.project.id, call.params.check_id)


@routes.get(ALL, guard=READ_CHECKS, params=ListChecks, returns=list[ExternalStatusCheck])
def list_status_checks(call: Call[ListChecks]) -> Answer:
    """External status checks of a project."""
    return call.page(
        queries.listed(call.project.id), present_checks, keyset=Keyset(external_status_checks.c.id, descending=False)
    )


@routes.post(ALL, guard=ADMIN_CHECKS, params=CreateCheck, returns=ExternalStatusCheck, errors=(422,))
def create_status_check(call: Call[CreateCheck]) -> Answer:
    """Have a service told of merge requests; with `only_allow_merge_if_all_status_checks_passed` it must agree."""
    with call.write() as tx:
        row = commands.create(tx, call)
    return present_checks(call, [row])[0]


@routes.put(ONE, guard=ADMIN_CHECKS, params=UpdateCheck, returns=ExternalStatusCheck, errors=(422,))
def update_status_check(call: Call[UpdateCheck]) -> Answer:
    """Change a status check."""
    row = _check(call)
    with call.write() as tx:
        changed = commands.change(tx, call, row)
    return present_checks(call, [changed])[0]


@routes.delete(ONE, guard=ADMIN_CHECKS, params=CheckPath)
def delete_status_check(call: Call[CheckPath]) -> None:
    """Remove a status check."""
    row = _check(call)
    with call.write() as tx:
        call.delete_rows(tx, external_status_checks, external_status_checks.c.id == row.id)
        commands.report(tx, "delete", row)


def _applying(call: Call[OneMergeRequest], request: MergeRequestRow, check_id: int) -> CheckRow:
    """The check, if it is for the request."""
    for check in queries.checks_for(call.conn, [request]).get(request.id, []):
        if check.id == check_id:
            return check
    raise RecordNotFound


@routes.get(REQUEST + "/status_checks", guard=FIND_MERGE_REQUEST, params=ListStatuses, returns=list[StatusOfCheck])
def list_statuses_of_checks(call: Call[ListStatuses]) -> Answer:
    """What the status checks say about the head of a merge request."""
    request = find_visible(call)
    said = queries.statuses_of(call.conn, [request])
    ids = [check.id for check in queries.checks_for(call.conn, [request]).get(request.id, [])]
    query = select(external_status_checks).where(external_status_checks.c.id.in_(ids))
    shown = present_statuses({check_id: status for (_, check_id), status in said.items()})
    return call.page(query.order_by(external_status_checks.c.id), shown)


@routes.post(
    REQUEST + "/status_check_responses",
    guard=RESPOND,
    params=RespondToCheck,
    returns=StatusCheckResponse,
    errors=(409,),
)
def respond_to_status_check(call: Call[RespondToCheck]) -> Answer:
    """Say for a service what it thinks of the head of a merge request."""
    request = find_visible(call)
    check = _applying(call, request, call.params.external_status_check_id)
    if call.params.sha != request.head_sha:
        raise Conflict(f"SHA does not match HEAD of source branch: {request.head_sha}")
    with call.write() as tx:
        created = commands.respond(tx, request, check, call.params)
    if call.params.status == "passed":
        try_waiting(call.services, request.id)
    return StatusCheckResponse(
        id=created,
        merge_request=present_embedded(call, [request])[0],
        external_status_check=present_checks(call, [check])[0],
    )


@routes.post(
    REQUEST + "/status_checks/{external_status_check_id}/retry",
    guard=RESPOND,
    params=RetryCheck,
    returns=MessageOnly,
    status=202,
    errors=(422,),
)
def retry_status_check(call: Call[RetryCheck]) -> Answer:
    """Tell a service once more of a merge request that it failed."""
    request = find_visible(call)
    check = _applying(call, request, call.params.external_status_check_id)
    if queries.statuses_of(call.conn, [request]).get((request.id, check.id)) != "failed":
        raise Failure(422, "External status check must be failed")
    change = Change("merge_request", "test", request.id, project_id=call.project.id, user_id=call.actor.user_id)
    with call.write() as tx:
        commands.reset(tx, request, check)
        commands.tell(tx, [check], change)
    return MessageOnly(message="202 Accepted")
