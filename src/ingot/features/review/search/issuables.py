"""Issues and merge requests: words in title or description, or a number at the end of the query."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select

from ingot.access.call import Call
from ingot.features.planning.issuable_lists import columns_of, contains_all, terms_of
from ingot.features.planning.issues import issues, issues_with_project, readable_issues
from ingot.features.planning.issues import presenter as issue_presenter
from ingot.features.review.merge_requests import (
    MergeRequestBasic,
    MergeRequestWithProject,
    merge_requests,
    present_rows,
    readable_merge_requests,
    search_condition,
    with_project,
)
from ingot.features.review.search.params import Search
from ingot.features.review.search.places import in_place, level_of
from ingot.features.review.search.results import Result, by_creation
from ingot.kit.patterns import pattern

_ISSUE_NUMBER = pattern(r"#(\d{1,9})$")
_REQUEST_NUMBER = pattern(r"[#!](\d{1,9})$")


def find_issues(call: Call[Search]) -> Result:
    """Issues; confidential ones for those who may read them."""
    options = call.params
    rows = issues_with_project().where(*in_place(call), readable_issues(call.actor))
    if options.state in ("opened", "closed"):
        rows = rows.where(issues.c.state == options.state)
    if options.confidential is not None:
        rows = rows.where(issues.c.confidential.is_(options.confidential))
    number = _ISSUE_NUMBER.search(options.search)
    if number is not None:
        rows = rows.where(issues.c.iid == int(number[1]))
    elif terms := terms_of(options.search):
        rows = rows.where(contains_all(columns_of(issues, ""), terms))
    return Result(by_creation(call, rows, issues), issue_presenter(level_of(call)))


def find_merge_requests(call: Call[Search]) -> Result:
    """Merge requests."""
    rows = with_project().where(*in_place(call), readable_merge_requests(call.actor))
    if call.params.state != "all":
        rows = rows.where(merge_requests.c.state == call.params.state)
    return Result(by_creation(call, _matching(call, rows), merge_requests), _present_requests)


def _matching(call: Call[Search], rows: Select[Any]) -> Select[Any]:
    number = _REQUEST_NUMBER.search(call.params.search)
    if number is not None:
        return rows.where(merge_requests.c.iid == int(number[1]))
    matching = search_condition(call.conn, call.params.search, "", "created_at")
    return rows if matching is None else rows.where(matching)


def _present_requests(call: Call, rows: Sequence[MergeRequestWithProject]) -> list[MergeRequestBasic]:
    return present_rows(call, rows, scope=level_of(call))
