"""What other features do when an issue has been opened."""

from collections.abc import Callable
from typing import Any

from ingot.access.call import Call
from ingot.features.planning.issues.params import CreateIssue

AfterOpening = Callable[[Call, Any, CreateIssue], None]
_hooks: list[AfterOpening] = []


def after_opening(hook: AfterOpening) -> AfterOpening:
    """Call this with every new issue's row and the parameters that opened it; after the commit."""
    _hooks.append(hook)
    return hook


def run_hooks(call: Call, row: Any, options: CreateIssue) -> None:
    """Call what was registered."""
    for hook in _hooks:
        hook(call, row, options)
