"""Jobs become pending: waiting runners are notified at once."""

from collections.abc import Callable

Notice = Callable[[], None]

_notices: list[Notice] = []


def on_job_queued(notice: Notice) -> Notice:
    """Register what this process does once it has queued a job; called after the commit, from any thread."""
    _notices.append(notice)
    return notice


def notify_job_queued() -> None:
    """A job was queued by this process."""
    for notice in _notices:
        notice()
