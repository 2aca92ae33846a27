"""Issues, as far as closing patterns, milestones and archives need them."""

from ingot.features.issues.closing import closed_by, mentioned_in
from ingot.features.issues.commands import close_issue
from ingot.features.issues.tables import issue_assignees, issue_labels, issues

__all__ = ["close_issue", "closed_by", "issue_assignees", "issue_labels", "issues", "mentioned_in"]
