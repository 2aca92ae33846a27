"""Which pushes a hook wants, by the name of the branch."""

from ingot.features.integrations.web_hooks.errors import InvalidBranchFilter
from ingot.features.integrations.web_hooks.rows import WebHookRow
from ingot.gitstore.names import is_valid_branch
from ingot.kit.regexps import RegexpError, compile_regexp, regexp_error
from ingot.kit.wildcards import matches_wildcard

LONGEST = 4000


def require_filter(text: str | None, strategy: str) -> None:
    """422 for a filter that cannot match anything."""
    if not text or strategy == "all_branches":
        return
    is_valid = regexp_error(text) is None if strategy == "regex" else is_valid_branch(text.replace("*", "x"))
    if len(text) > LONGEST or not is_valid:
        raise InvalidBranchFilter


def wants_branch(row: WebHookRow, branch: str) -> bool:
    """Whether a push to this branch is sent; a broken expression matches nothing."""
    text = row.push_events_branch_filter
    if not text or row.branch_filter_strategy == "all_branches":
        return True
    if row.branch_filter_strategy == "wildcard":
        return matches_wildcard(branch, text)
    try:
        return compile_regexp(text).search(branch) is not None
    except RegexpError:
        return False
