"""Hooks for other features: run when an issue was opened."""

from collections.abc import Callable

from ingot.access.call import Call
from ingot.features.planning.issues.params import CreateIssue
from ingot.features.planning.issues.rows import IssueWithProject

AfterOpening = Callable[[Call, IssueWithProject, CreateIssue], None]
_hooks: list[AfterOpening] = []


def after_opening(hook: AfterOpening) -> AfterOpening:
    """Register a hook: called after the commit with every new issue's row and the parameters that opened it."""
    _hooks.append(hook)
    return hook


def run_hooks(call: Call, row: IssueWithProject, options: CreateIssue) -> None:
    """Run the registered hooks."""
    for hook in _hooks:
        hook(call, row, options)
