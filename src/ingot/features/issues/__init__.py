"""Issues: reading, changing, closing by words, and their lists.

For other features: `lookup` finds the issue of a path, `queries` the rows, `policy` says who may what.
"""

from ingot.features.issues.closing import closed_by, mentioned_in
from ingot.features.issues.commands import close_issue, recount_open
from ingot.features.issues.policy import closable_issues
from ingot.features.issues.tables import issue_assignees, issue_labels, issues

__all__ = [
    "closable_issues",
    "close_issue",
    "closed_by",
    "issue_assignees",
    "issue_labels",
    "issues",
    "mentioned_in",
    "recount_open",
]
