"""Opening, reading, changing and deleting merge requests."""

from html import escape
from typing import Any

from sqlalchemy import delete

from ingot.access.call import Call
from ingot.access.policy import READ_PROJECT
from ingot.events import MergeRequestChanged
from ingot.features.code.lfs_locks import has_locks_of_others
from ingot.features.planning.notes import forget
from ingot.features.planning.quick_actions import Command, split
from ingot.features.review.merge_requests import lookup, policy, queries, quick, states
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.commands.create import (
    create_merge_request,
)
from ingot.features.review.merge_requests.commands.locked_files import LOCKED, find_locked
from ingot.features.review.merge_requests.commands.merge import repair
from ingot.features.review.merge_requests.commands.requested import (
    requested_change,
    requested_request,
    require_branches,
    require_target,
)
from ingot.features.review.merge_requests.commands.update import update_merge_request
from ingot.features.review.merge_requests.entities import MergeRequest
from ingot.features.review.merge_requests.extensions import run_update_hooks
from ingot.features.review.merge_requests.params_single import (
    CreateMergeRequest,
    GetMergeRequest,
    OneMergeRequest,
    UpdateMergeRequest,
)
from ingot.features.review.merge_requests.rows import MergeRequestWithProject
from ingot.features.review.merge_requests.single import present_single
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.features.spaces.projects import to_html
from ingot.gitstore import objects
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden, RecordNotFound
from ingot.kit.events import announce

routes = Routes("Merge requests")


@routes.get(
    "/projects/{id}/merge_requests/{merge_request_iid}",
    guard=policy.FIND_MERGE_REQUEST,
    params=GetMergeRequest,
    returns=MergeRequest,
    waits=True,
    job_token=True,
    cached=True,
)
def get_merge_request(call: Call[GetMergeRequest]) -> Answer:
    """One merge request; its mergeability is checked, so it is never `checking`."""
    row = repair(call.services, call.conn, lookup.find_then_authorize(call))
    row = check.check_to_show(call.services, call.conn, row)
    more: dict[str, Any] = _locked(call, row)
    if call.params.render_html:
        more |= {"title_html": escape(row.title, quote=False), "description_html": to_html(row.description)}
    if call.params.include_rebase_in_progress:
        more["rebase_in_progress"] = row.rebase_in_progress
    if call.params.include_diverged_commits_count:
        more["diverged_commits_count"] = _diverged(call, row)
    return present_single(call, row, more, read=True)


def _locked(call: Call, row: MergeRequestWithProject) -> dict[str, Any]:
    """The status of a request that only locks keep from being merged; to know it takes a look at its changes."""
    if row.state != states.OPENED or row.merge_status != states.CAN_BE_MERGED:
        return {}
    owner = (row.project_id, row.author_id)
    if not call.remember("locks of others", owner, lambda: has_locks_of_others(call.conn, *owner)):
        return {}
    return {"detailed_merge_status": LOCKED} if find_locked(call.services, call.conn, row) is not None else {}


def _diverged(call: Call, row: MergeRequestWithProject) -> int:
    if not row.source_branch_exists or row.checked_target_sha is None or row.head_sha is None:
        return 0
    repository = check.target_repository(call.services, row)
    return objects.ahead_behind(repository, row.checked_target_sha, row.head_sha)[0]


@routes.post(
    "/projects/{id}/merge_requests",
    guard=READ_PROJECT,
    params=CreateMergeRequest,
    returns=MergeRequest,
    errors=(409, 422),
)
def open_merge_request(call: Call[CreateMergeRequest]) -> Answer:
    """Open a merge request from a branch of this project, into this project or the one it was forked from."""
    target = require_target(call)
    require_branches(call, target)
    description, actions = call.params.description, list[Command]()
    if description:
        description, actions = split(description, "MergeRequest")
    new = requested_request(call, target, description)
    with call.write() as tx:
        created = create_merge_request(tx, call.actor, call.project, target, new)
    check.check(call.services, call.conn, queries.get_by_id(call.conn, created))
    announce(call.services, MergeRequestChanged(created, target.id, "opened", call.actor.user_id))
    call.project = target
    if call.params.approval_rules_attributes:
        with call.write() as tx:
            row = queries.get_by_id(tx, created)
            run_update_hooks(call, tx, row, {"approval_rules_attributes": call.params.approval_rules_attributes})
    if actions:
        quick.run(call, queries.get_by_id(call.conn, created), actions)
    return present_single(call, queries.get_by_id(call.conn, created))


@routes.put(
    "/projects/{id}/merge_requests/{merge_request_iid}",
    guard=policy.FIND_MERGE_REQUEST,
    params=UpdateMergeRequest,
    returns=MergeRequest,
    errors=(409, 422),
)
def update_one_merge_request(call: Call[UpdateMergeRequest]) -> Answer:
    """Change a merge request: texts, people, labels, target, or close and reopen it."""
    row, given = lookup.find_for_update(call), call.params.given()
    actions: list[Command] = []
    if given.get("description"):
        given["description"], actions = split(given["description"], "MergeRequest")
    change = requested_change(call, row, given)
    with call.write() as tx:
        moved = update_merge_request(tx, call.actor, row, call.project, change)
        run_update_hooks(call, tx, row, change.given)
    fresh = check.check(call.services, call.conn, queries.get_by_id(call.conn, row.id))
    if moved is not None or fresh.updated_at != row.updated_at:
        what = moved or ("retargeted" if fresh.target_branch != row.target_branch else "updated")
        announce(call.services, MergeRequestChanged(row.id, row.project_id, what, call.actor.user_id))
    if actions:
        quick.run(call, fresh, actions)
    return present_single(call, queries.get_by_id(call.conn, row.id))


@routes.delete(
    "/projects/{id}/merge_requests/{merge_request_iid}", guard=policy.FIND_MERGE_REQUEST, params=OneMergeRequest
)
def delete_one_merge_request(call: Call[OneMergeRequest]) -> None:
    """Delete a merge request (owners of the project and administrators)."""
    row = lookup.find_visible(call)
    if not policy.may_delete(call.actor, call.project):
        raise Forbidden
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        forget(tx, "MergeRequest", [row.id])
        if tx.execute(delete(merge_requests).where(merge_requests.c.id == row.id)).rowcount == 0:
            raise RecordNotFound  # a concurrent request was faster
