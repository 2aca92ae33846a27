"""What events of an activity lead to: only to what is still there."""

from collections.abc import Iterable
from typing import Any

from ingot.features.review.events import gone_wiki_pages
from ingot.web.call import PageCall


# Any: events as the API gives them.
def unlink_gone_pages(call: PageCall, events: Iterable[Any]) -> None:
    """Take the addresses of wiki pages away that were deleted since."""
    written = [event for event in events if event.get("wiki_page")]
    gone = gone_wiki_pages(call.conn, {event["target_id"] for event in written})
    for event in written:
        if event["target_id"] in gone:
            event["wiki_page"]["slug"] = ""
