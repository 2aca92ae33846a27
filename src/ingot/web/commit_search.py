"""Commits by the words of their messages, which the API's list cannot find, with its other filters."""

import msgspec
from msgspec.structs import replace

from ingot.features.code.repository import ListCommits, present_commits
from ingot.features.review.search import limit_searches, timed_out
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository, log, revisions
from ingot.gitstore.errors import OutputTooLarge, TimedOut
from ingot.gitstore.log import LogQuery
from ingot.kit.errors import Unauthorized
from ingot.web.call import PageCall, Rows
from ingot.web.sending import page_number

A_PAGE = 30


def found_commits(call: PageCall, words: str, given: dict[str, object]) -> Rows:
    """A page of the commits that have the words, and whatever the parameters of the API's list ask besides.

    As in the API, who searches has signed in, and may not search without pause.
    """
    _require_searcher(call)
    repository = repository_of(call.services, call.project)
    page = page_number(call)
    query = replace(_query(repository, words, given), skip=(page - 1) * A_PAGE, limit=A_PAGE + 1)
    try:
        commits = log.commits(repository, query)
    except (TimedOut, OutputTooLarge) as error:
        raise timed_out() from error
    items = msgspec.to_builtins(present_commits(call, commits[:A_PAGE]))
    return Rows(items, page, page + 1 if len(commits) > A_PAGE else None, page - 1 or None, None)


def last_page(call: PageCall, words: str, given: dict[str, object]) -> int:
    """The number of the page with the oldest commits: counted only when somebody asks, because that takes time."""
    if words:
        _require_searcher(call)
    repository = repository_of(call.services, call.project)
    try:
        return max(1, -(-log.count(repository, _query(repository, words, given)) // A_PAGE))
    except (TimedOut, OutputTooLarge) as error:
        raise timed_out() from error


def _require_searcher(call: PageCall) -> None:
    if call.actor.is_anonymous:
        raise Unauthorized
    limit_searches(call)


def _query(repository: Repository, words: str, given: dict[str, object]) -> LogQuery:
    options = ListCommits.parse(given)
    include, exclude = revisions.find_range(repository, options.ref_name or "") or ([], [])
    return LogQuery(
        include=include, exclude=exclude, message=words or None, since=options.since, until=options.until,
        path=options.path, author=options.author,
    )  # fmt: skip
