"""Pages of hits that are in memory."""

from collections.abc import Sequence

from ingot.access.call import Call
from ingot.kit.page_pieces import Present
from ingot.kit.pagination import Page, offset_headers, page_of, per_page_of

MOST_HITS = 100  # beyond the page that is asked for
LAST_PAGE = 1_000


def most_hits(call: Call) -> int:
    """How many hits are worth finding for the page."""
    return (min(page_of(call), LAST_PAGE) - 1) * per_page_of(call) + MOST_HITS


def page_of_hits(call: Call, hits: Sequence[object], present: Present) -> Page:
    """The page; totals are for projects only."""
    page, per_page = page_of(call), per_page_of(call)
    start = (page - 1) * per_page
    part = hits[start : start + per_page]
    total = len(hits) if call.project_or_none is not None else None
    has_more = len(hits) > start + per_page
    return Page(
        present(call, part) if part else [],
        offset_headers(call, page, per_page, total, has_more=has_more, empty=not part),
    )
