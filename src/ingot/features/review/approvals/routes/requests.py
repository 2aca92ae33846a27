"""Approving merge requests, and their approval state."""

from sqlalchemy import select

from ingot.access.call import Call
from ingot.events import MergeRequestChanged
from ingot.features.review.approvals import commands
from ingot.features.review.approvals.entities import (
    ApprovalRules,
    Approvals,
    ApprovedBy,
    Approver,
    ApproverGroup,
    RuleLoads,
    everybody,
    names,
    rule_state,
)
from ingot.features.review.approvals.patches import patch_id_of
from ingot.features.review.approvals.policy import has_approve_right, may_approve
from ingot.features.review.approvals.state import ApprovalState, has_rules, needed_by_rule, states, without_licence
from ingot.features.review.approvals.tables import approvals
from ingot.features.review.merge_requests import (
    FIND_MERGE_REQUEST,
    MergeRequestRow,
    MergeRequestWithProject,
    OneMergeRequest,
    ShaMismatch,
    check,
    find_then_authorize,
    find_visible,
    get_by_id,
    is_developer,
    shown,
)
from ingot.identity import passwords
from ingot.identity.tables import users
from ingot.instance.password_attempts import require_attempt
from ingot.kit.endpoint import Answer, Reply, Routes
from ingot.kit.entity import ACCEPTED, MessageOnly, wire
from ingot.kit.errors import Forbidden, NotFound, Unauthorized
from ingot.kit.events import announce
from ingot.kit.params import Param
from ingot.kit.statements import is_remembering

routes = Routes("Approvals", guard=FIND_MERGE_REQUEST, waits=True)
PATH = "/projects/{id}/merge_requests/{merge_request_iid}"


class Approve(OneMergeRequest):
    """An approval."""

    sha: str | None = Param("Must equal the head of the source branch.")
    approval_password: str | None = Param("The caller's password, if approving requires it.")
    publish_review: bool | None = Param("Has no effect.")


def _state(call: Call, row: MergeRequestWithProject) -> ApprovalState:
    # Pages know already whether there are rules.
    ruled = not is_remembering() or has_rules(call.conn, [row])
    result = states(call.conn, [row], ruled=ruled)[row.id]
    return result if call.services.settings.has_tier("premium") else without_licence(result)


def _shown(call: Call, row: MergeRequestRow, state: ApprovalState) -> Approvals:
    loads = RuleLoads(call, everybody(state), (approval.user_id for approval in state.given))
    result = Approvals(
        approved=state.is_approved if state.rules else bool(state.given) or call.services.settings.has_tier("premium"),
        approved_by=[
            ApprovedBy(user=loads.users[approval.user_id], approved_at=wire(approval.created_at))
            for approval in state.given
            if approval.user_id in loads.users
        ],
        user_has_approved=call.actor.user_id in {approval.user_id for approval in state.given},
        user_can_approve=may_approve(call.actor, call.project, row, state),
    )
    if not call.services.settings.has_tier("premium"):
        result.approved = bool(state.given)
        return result
    given = {approval.user_id for approval in state.given}
    result.id, result.iid, result.project_id = row.id, row.iid, row.project_id
    result.title, result.description, result.state = row.title, row.description, row.state
    result.created_at, result.updated_at = wire(row.created_at), wire(row.updated_at)
    result.merge_status = shown(row.merge_status)
    result.approvals_required, result.approvals_left = state.approvals_required, state.approvals_left
    result.require_password_to_approve = state.settings["require_reauthentication_to_approve"].value
    waiting = [rule for rule in state.rules if not rule.is_approved]
    suggested = {user_id: None for rule in waiting for user_id in rule.eligible if user_id not in given}
    result.suggested_approvers = loads.people(suggested)
    result.approvers = [
        Approver(user=user) for user in loads.people(dict.fromkeys(u for r in state.rules for u in r.rule.user_ids))
    ]
    result.approver_groups = [ApproverGroup(group=group) for group in loads.groups.values()]
    result.approval_rules_left = names(waiting)
    result.has_approval_rules = bool(state.rules)
    result.merge_request_approvers_available = True
    result.multiple_approval_rules_available = True
    result.invalid_approvers_rules = names(rule for rule in state.rules if rule.is_invalid)
    return result


@routes.get(f"{PATH}/approvals", params=OneMergeRequest, returns=Approvals)
def get_merge_request_approvals(call: Call[OneMergeRequest]) -> Answer:
    """Approvals of a merge request, and how many are missing."""
    row = check(call.services, call.conn, find_then_authorize(call))
    return _shown(call, row, _state(call, row))


@routes.get(f"{PATH}/approval_state", params=OneMergeRequest, returns=ApprovalRules, tier="premium")
def get_merge_request_approval_state(call: Call[OneMergeRequest]) -> Answer:
    """The rules that apply, and the approvals of each."""
    return approval_rule_states(call, find_then_authorize(call))


def approval_rule_states(call: Call, row: MergeRequestWithProject) -> ApprovalRules:
    """The rules that apply to a request, with who has approved."""
    state = _state(call, row)
    loads = RuleLoads(call, everybody(state), (approval.user_id for approval in state.given))
    sources = needed_by_rule(call.conn, row.project_id)
    return ApprovalRules(
        approval_rules_overwritten=state.overwritten,
        rules=[rule_state(rule, loads, sources) for rule in state.rules],
    )


@routes.post(f"{PATH}/approve", params=Approve, returns=Approvals, errors=(409,))
def approve_merge_request(call: Call[Approve]) -> Answer:
    """Approve a merge request, optionally only at this head."""
    row = check(call.services, call.conn, find_then_authorize(call))
    state = _state(call, row)
    if not has_approve_right(call.actor, call.project, state):
        raise Forbidden
    if call.params.sha and call.params.sha != row.head_sha:
        raise ShaMismatch(row.head_sha)
    if not may_approve(call.actor, call.project, row, state) or not _is_password_right(call, state):
        raise Unauthorized
    patch = patch_id_of(call.services, row)
    with call.write() as tx:
        moved = commands.approve(tx, row, call.actor.id, patch)
    if moved is not None:
        raise ShaMismatch(moved)
    announce(call.services, MergeRequestChanged(row.id, row.project_id, "approved", call.actor.user_id))
    fresh = get_by_id(call.conn, row.id)
    return _shown(call, fresh, _state(call, fresh))


def _is_password_right(call: Call[Approve], state: ApprovalState) -> bool:
    """Check the caller's password, if approving requires it."""
    if not state.settings["require_reauthentication_to_approve"].value:
        return True
    require_attempt(call.services.db, call.actor.id)
    stored = call.conn.execute(select(users.c.password_hash).where(users.c.id == call.actor.id)).scalar_one_or_none()
    return passwords.matches(call.params.approval_password or "", stored)


@routes.post(f"{PATH}/unapprove", params=OneMergeRequest, returns=Approvals)
def unapprove_merge_request(call: Call[OneMergeRequest]) -> Answer:
    """Unapprove a merge request."""
    row = find_then_authorize(call)
    state = _state(call, row)
    has_approved = call.actor.user_id in {approval.user_id for approval in state.given}
    if not has_approve_right(call.actor, call.project, state) and not has_approved:
        raise Forbidden
    if not has_approved or row.state == "merged":
        raise NotFound
    with call.write() as tx:
        commands.remove_approvals(tx, row.id, [call.actor.id])
        commands.report_withdrawal(tx, row, call.actor.id, was_approved=state.is_approved)
    announce(call.services, MergeRequestChanged(row.id, row.project_id, "unapproved", call.actor.user_id))
    return _shown(call, row, _state(call, row))


@routes.put(f"{PATH}/reset_approvals", params=OneMergeRequest, status=202, returns=MessageOnly)
def reset_merge_request_approvals(call: Call[OneMergeRequest]) -> Answer:
    """Remove all approvals (bots of project and group tokens only)."""
    row = find_visible(call)
    kind = call.conn.execute(select(users.c.kind).where(users.c.id == call.actor.id)).scalar_one_or_none()
    if kind != "project_bot" or row.state == "merged" or not is_developer(call.actor, call.project):
        raise Unauthorized
    with call.write() as tx:
        everyone = tx.execute(select(approvals.c.user_id).where(approvals.c.merge_request_id == row.id)).scalars()
        commands.remove_approvals(tx, row.id, list(everyone))
    return Reply(ACCEPTED, status=202)
