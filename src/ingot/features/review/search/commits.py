"""Commits of a project: by a text in the message, or by their id."""

from collections.abc import Sequence

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.features.code.repository import CommitDetail, present_details
from ingot.features.review.search.checks import refuse, timed_out
from ingot.features.review.search.paging import most_hits, page_of_ids
from ingot.features.review.search.params import Search
from ingot.features.review.search.places import ref_of
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository, log, objects, revisions
from ingot.gitstore.errors import OutputTooLarge, TimedOut
from ingot.gitstore.log import LogQuery
from ingot.kit.pagination import Page
from ingot.kit.patterns import HEX, consists_of

SHORTEST_ID, LONGEST_ID = 7, 40


def search_commits(call: Call[Search]) -> Page:
    """Newest first, the one with the id before the others; nothing for those who may not read the code."""
    if call.project_or_none is None:
        raise refuse("Scope supported only with advanced search")
    repository = repository_of(call.services, call.project)
    is_open = READ_CODE.allows(call.actor, call.project) and repository.exists()
    name = (ref_of(call) or call.project.default_branch or "") if is_open else ""
    head = revisions.find(repository, name) if name else None
    try:
        ids = _matching(call, repository, head) if head is not None else []
    except (TimedOut, OutputTooLarge) as error:
        raise timed_out() from error

    def present(call: Call, part: Sequence[str]) -> list[CommitDetail]:
        return present_details(call, [objects.get_commit(repository, sha) for sha in part])

    return page_of_ids(call, ids, present)


def _matching(call: Call[Search], repository: Repository, head: str) -> list[str]:
    phrase = " ".join(call.params.search.split())
    if not phrase:
        return []
    named = _by_id(repository, head, phrase.lower())
    others = log.commit_ids(repository, LogQuery(include=[head], message=phrase, limit=most_hits(call)))
    return [*named, *(sha for sha in others if sha not in named)]


def _by_id(repository: Repository, head: str, phrase: str) -> list[str]:
    """The commit with the id, if it is part of the history that is searched."""
    if not (SHORTEST_ID <= len(phrase) <= LONGEST_ID and consists_of(phrase, HEX)):
        return []
    sha = revisions.find(repository, phrase)
    if sha is None or not sha.startswith(phrase) or not objects.is_ancestor(repository, sha, head):
        return []
    return [sha]
