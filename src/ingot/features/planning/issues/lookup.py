"""Loading the issue of a path: unreadable issues are not found."""

from ingot.access.call import Call
from ingot.features.planning.issues import policy, queries
from ingot.features.planning.issues.params import UpdateIssue
from ingot.features.planning.issues.params_single import OneIssue
from ingot.features.planning.issues.rows import IssueWithAssignee
from ingot.kit.errors import Forbidden, RecordNotFound


def find_issue(call: Call[OneIssue]) -> IssueWithAssignee:
    """The issue of `issue_iid` in `call.project`."""
    row = queries.find_readable(call.conn, call.actor, call.project.id, call.params.issue_iid)
    if row is None:
        raise RecordNotFound
    return row


def find_for_update(call: Call[UpdateIssue]) -> IssueWithAssignee:
    """The issue, if the caller may change it; 403 otherwise."""
    row = find_issue(call)
    if not policy.may_update(call.actor, call.project, row, is_assignee=row.is_assignee):
        raise Forbidden
    return row


def may_delete_issue(call: Call, iid: int) -> bool:
    """The caller may delete this issue of `call.project`."""
    row = queries.find_readable(call.conn, call.actor, call.project.id, iid)
    return row is not None and policy.may_delete(call.actor, call.project, row)


def may_update_issue(call: Call, iid: int) -> bool:
    """The caller may change this issue of `call.project`."""
    row = queries.find_readable(call.conn, call.actor, call.project.id, iid)
    return row is not None and policy.may_update(call.actor, call.project, row, is_assignee=row.is_assignee)
