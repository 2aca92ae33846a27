"""Issues: reading, changing, closing by words, and their lists.

For other features: `find_issue` finds the issue of a path, `readable_issues` says who may read, `after_opening` is told
of new issues.
"""

from ingot.features.issues.closing import closed_by, mentioned_in
from ingot.features.issues.commands import close_issue, recount_open
from ingot.features.issues.entities import IssueBasic
from ingot.features.issues.kind import ISSUE
from ingot.features.issues.lookup import find_issue
from ingot.features.issues.opening import after_opening
from ingot.features.issues.params import CreateIssue, ListOfIssue
from ingot.features.issues.policy import FIND_ISSUE, closable_issues, readable_issues
from ingot.features.issues.present import presenter
from ingot.features.issues.queries import with_project as issues_with_project
from ingot.features.issues.tables import issue_assignees, issue_labels, issue_mentions, issues

__all__ = [
    "FIND_ISSUE", "ISSUE", "CreateIssue", "IssueBasic", "ListOfIssue", "after_opening", "closable_issues",
    "close_issue", "closed_by", "find_issue", "issue_assignees", "issue_labels", "issue_mentions", "issues",
    "issues_with_project", "mentioned_in", "presenter", "readable_issues", "recount_open",
]  # fmt: skip
