"""Issues and merge requests: words in title or description, or a number at the end of the query."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement

from ingot.access.call import Call
from ingot.features.planning.issuable_lists import columns_of, contains_all, form_of_words, terms_of
from ingot.features.planning.issues import issues, issues_with_project, readable_issues
from ingot.features.planning.issues import presenter as issue_presenter
from ingot.features.review.merge_requests import (
    MergeRequestBasic,
    MergeRequestWithProject,
    find_in_texts,
    found_in_texts,
    merge_requests,
    present_rows,
    readable_merge_requests,
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
    number, values = _ISSUE_NUMBER.search(options.search), dict[str, object]()
    if number is not None:
        rows = rows.where(issues.c.iid == int(number[1]))
    elif terms := terms_of(options.search):
        words, values = form_of_words(terms)
        rows = rows.where(contains_all(columns_of(issues, ""), words))
    return Result(by_creation(call, rows, issues), issue_presenter(level_of(call)), values)


def find_merge_requests(call: Call[Search]) -> Result:
    """Merge requests."""
    rows = with_project().where(*in_place(call), readable_merge_requests(call.actor))
    if call.params.state != "all":
        rows = rows.where(merge_requests.c.state == call.params.state)
    matching, values = _matching(call)
    return Result(by_creation(call, rows.where(*matching), merge_requests), _present_requests, values)


def _matching(call: Call[Search]) -> tuple[list[ColumnElement[bool]], dict[str, object]]:
    number = _REQUEST_NUMBER.search(call.params.search)
    if number is not None:
        return [merge_requests.c.iid == int(number[1])], {}
    found = find_in_texts(call.conn, call.params.search, "created_at")
    return ([], {}) if found is None else ([found_in_texts(found.form, "")], found.values)


def _present_requests(call: Call, rows: Sequence[MergeRequestWithProject]) -> list[MergeRequestBasic]:
    return present_rows(call, rows, scope=level_of(call))
