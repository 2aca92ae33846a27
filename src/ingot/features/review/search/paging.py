"""Pages of hits in files and commits."""

from collections.abc import Sequence

from ingot.access.call import Call
from ingot.features.code.code_search import Hit, HitPage
from ingot.kit.page_pieces import Present, R
from ingot.kit.pagination import Page, offset_headers, page_of, per_page_of, present_rows

MOST_BEYOND = 100  # after the beginning of the page that is asked for
LAST_BEGINNING = 10_000  # pages that begin later are empty


def most_hits(call: Call) -> int:
    """How many hits are worth finding for the page."""
    return min(_start(call), LAST_BEGINNING) + MOST_BEYOND


def new_page(call: Call) -> HitPage:
    """For the hits of the page that is asked for."""
    return HitPage(_start(call), per_page_of(call), most_hits(call))


def page_of_hits(call: Call, hits: HitPage, present: Present[Call, Hit]) -> Page:
    """The page; totals are for projects only."""
    return _page(call, hits.shown, hits.number, present)


def page_of_all(call: Call, hits: Sequence[R], present: Present[Call, R]) -> Page:
    """The page of all hits."""
    start = _start(call)
    return _page(call, hits[start : start + per_page_of(call)], len(hits), present)


def _page(call: Call, shown: Sequence[R], number: int, present: Present[Call, R]) -> Page:
    page, per_page = page_of(call), per_page_of(call)
    total = number if call.project_or_none is not None else None
    has_more = number > page * per_page
    items = present_rows(call, shown, present) if shown else []
    return Page(items, offset_headers(call, page, per_page, total, has_more=has_more, empty=not shown))


def _start(call: Call) -> int:
    return (page_of(call) - 1) * per_page_of(call)
