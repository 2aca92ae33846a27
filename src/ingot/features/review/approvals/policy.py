"""Who may approve a merge request."""

from ingot.access.levels import DEVELOPER
from ingot.access.subjects import Project
from ingot.features.review.approvals.state import ApprovalState
from ingot.features.review.merge_requests import MergeRequestRow
from ingot.kit.actor import Actor


def has_approve_right(actor: Actor, project: Project, state: ApprovalState) -> bool:
    """Developers, users of a rule, and custom roles that may."""
    if actor.is_anonymous or project.archived:
        return False
    if actor.is_admin or project.level >= DEVELOPER or actor.user_id in state.eligible:
        return True
    return project.permits("admin_merge_request")


def may_approve(actor: Actor, project: Project, row: MergeRequestRow, state: ApprovalState) -> bool:
    """Has the right, has not approved yet, and is not excluded as author or committer."""
    if not has_approve_right(actor, project, state) or row.state == "merged" or actor.user_id in state.barred:
        return False
    return actor.user_id not in {approval.user_id for approval in state.given}
