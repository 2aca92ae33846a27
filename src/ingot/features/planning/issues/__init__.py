"""Issues: reading, changing, closing by words, and their lists.

For other features: `find_issue` finds the issue of a path, `readable_issues` says who may read, `after_opening` is
called with new issues.
"""

from ingot.features.planning.issues.closing import closed_by, mentioned_in
from ingot.features.planning.issues.commands import close_issue
from ingot.features.planning.issues.entities import IssueBasic
from ingot.features.planning.issues.lookup import find_issue, may_delete_issue, may_update_issue
from ingot.features.planning.issues.opening import after_opening
from ingot.features.planning.issues.params import CreateIssue, ListOfIssue
from ingot.features.planning.issues.policy import FIND_ISSUE, closable_issues, readable_issues
from ingot.features.planning.issues.policy import may_admin as may_admin_issues
from ingot.features.planning.issues.present import label_details as issue_label_details
from ingot.features.planning.issues.present import presenter
from ingot.features.planning.issues.queries import with_project as issues_with_project
from ingot.features.planning.issues.rows import IssueRow
from ingot.features.planning.issues.tables import (
    issue_assignees,
    issue_labels,
    issue_mentions,
    issue_state_events,
    issues,
)

__all__ = [
    "FIND_ISSUE",
    "CreateIssue",
    "IssueBasic",
    "IssueRow",
    "ListOfIssue",
    "after_opening",
    "closable_issues",
    "close_issue",
    "closed_by",
    "find_issue",
    "issue_assignees",
    "issue_label_details",
    "issue_labels",
    "issue_mentions",
    "issue_state_events",
    "issues",
    "issues_with_project",
    "may_admin_issues",
    "may_delete_issue",
    "may_update_issue",
    "mentioned_in",
    "presenter",
    "readable_issues",
]  # fmt: skip
