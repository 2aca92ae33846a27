"""Commits by the words of their messages, which the API's list cannot find, with its other filters."""

import msgspec

from ingot.features.code.repository import ListCommits, present_commits
from ingot.features.review.search import limit_searches, timed_out
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import log, revisions
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
    if call.actor.is_anonymous:
        raise Unauthorized
    limit_searches(call)
    options = ListCommits.parse(given)
    repository = repository_of(call.services, call.project)
    page = page_number(call)
    include, exclude = revisions.find_range(repository, options.ref_name or "") or ([], [])
    query = LogQuery(
        include=include, exclude=exclude, message=words, since=options.since, until=options.until, path=options.path,
        author=options.author, skip=(page - 1) * A_PAGE, limit=A_PAGE + 1,
    )  # fmt: skip
    try:
        commits = log.commits(repository, query)
    except (TimedOut, OutputTooLarge) as error:
        raise timed_out() from error
    items = msgspec.to_builtins(present_commits(call, commits[:A_PAGE]))
    return Rows(items, page, page + 1 if len(commits) > A_PAGE else None, page - 1 or None, None)
