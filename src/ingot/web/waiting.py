"""Parts of pages for which git may take long: shown once they are there, and said to come until then."""

from collections.abc import Callable
from typing import TypeVar

from ingot.gitstore.errors import NotYet
from ingot.gitstore.shared_work import briefly
from ingot.kit.networks import subscriber_of
from ingot.web.call import PageCall

T = TypeVar("T")


def if_ready(call: PageCall, work: Callable[[], T]) -> T | None:
    """What the work returns; None where git needs longer than a moment and goes on beside the page, for the next."""
    with briefly(subscriber_of(call.address or "")):
        try:
            return work()
        except NotYet:
            return None
