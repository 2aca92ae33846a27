"""What other features do when an issue has been opened."""

from collections.abc import Callable

from ingot.access.call import Call
from ingot.features.planning.issues.params import CreateIssue
from ingot.features.planning.issues.rows import IssueWithProject

AfterOpening = Callable[[Call, IssueWithProject, CreateIssue], None]
_hooks: list[AfterOpening] = []


def after_opening(hook: AfterOpening) -> AfterOpening:
    """Call this with every new issue's row and the parameters that opened it; after the commit."""
    _hooks.append(hook)
    return hook


def run_hooks(call: Call, row: IssueWithProject, options: CreateIssue) -> None:
    """Call what was registered."""
    for hook in _hooks:
        hook(call, row, options)
