"""How many hits a search has, where a page tells that of several scopes: counted up to a limit, and not presented."""

from typing import cast

from sqlalchemy import func, select

from ingot.access.call import Call
from ingot.features.review.search.checks import check_switch
from ingot.features.review.search.paging import MOST_BEYOND
from ingot.features.review.search.params import Search, SearchEverywhere
from ingot.features.review.search.scopes import IN_GIT, SCOPES

MOST_COUNTED = 1_000
IN_REPOSITORIES = frozenset(IN_GIT)


def count_hits(asked: Call) -> tuple[int, bool] | None:
    """The number of hits, and whether there may be more; None where nobody counts.

    The endpoint has admitted the call. That the caller searches without pause is for the page to refuse.
    """
    call = cast("Call[Search]", asked)
    options = call.params
    if call.project_or_none is None and call.group_or_none is None and isinstance(options, SearchEverywhere):
        check_switch(call)
    if options.scope in IN_GIT:
        total = IN_GIT[options.scope](call).headers.get("X-Total")
        return None if total is None else (int(total), int(total) >= MOST_BEYOND)
    result = SCOPES[options.scope](call)
    hits = result.rows.order_by(None).limit(MOST_COUNTED + 1).subquery()
    number = int(call.conn.execute(select(func.count()).select_from(hits), result.values).scalar_one())
    return min(number, MOST_COUNTED), number > MOST_COUNTED
