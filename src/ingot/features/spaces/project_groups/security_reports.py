"""Which projects have security reports: CI features register the condition here."""

from collections.abc import Callable

from sqlalchemy import ColumnElement, false

Condition = Callable[[], ColumnElement[bool]]
_sources: list[Condition] = []


def security_report_source(condition: Condition) -> Condition:
    """Register the condition on `projects`."""
    _sources[:] = [condition]
    return condition


def has_security_reports() -> ColumnElement[bool]:
    """Condition on `projects`: a job left a security report."""
    return _sources[0]() if _sources else false()
