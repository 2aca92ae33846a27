"""Commits by a text in the message, or by their id."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ingot.access.call import Call
from ingot.access.levels import REPORTER
from ingot.access.policy import READ_CODE
from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.features.code.repository import CommitDetail, present_details
from ingot.features.review.search.checks import timed_out
from ingot.features.review.search.paging import most_hits, page_of_all
from ingot.features.review.search.params import Search
from ingot.features.review.search.places import few_projects, ref_of
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository, log, objects, revisions
from ingot.gitstore.errors import CommandFailed, OutputTooLarge, TimedOut
from ingot.gitstore.log import LogQuery
from ingot.kit.pagination import Page
from ingot.kit.patterns import HEX, consists_of

SHORTEST_ID, LONGEST_ID = 7, 40


class CommitHit(NamedTuple):
    """A commit, and where it is."""

    project: Project
    repository: Repository
    sha: str


def search_commits(call: Call[Search]) -> Page:
    """In each project newest first, the one with the id before the others; nothing where the code is closed."""
    phrase, hits = " ".join(call.params.search.split()), list[CommitHit]()
    for project in _places(call) if phrase else ():
        hits += _hits(call, project, phrase)
        if len(hits) >= most_hits(call):
            break
    return page_of_all(call, hits, _present)


def _places(call: Call[Search]) -> Iterable[Project]:
    if call.project_or_none is None:
        return few_projects(call, "repository", REPORTER, projects.c.empty_repo.is_(False))
    return [call.project] if READ_CODE.allows(call.actor, call.project) else []


def _hits(call: Call[Search], project: Project, phrase: str) -> list[CommitHit]:
    repository = repository_of(call.services, project)
    name = (ref_of(call) or project.default_branch or "") if repository.exists() else ""
    head = revisions.find(repository, name) if name else None
    if head is None:
        return []
    try:
        ids = _matching(repository, head, phrase, most_hits(call))
    except (TimedOut, OutputTooLarge) as error:
        raise timed_out() from error
    except CommandFailed:  # damaged, which must not hide what others have
        return []
    return [CommitHit(project, repository, sha) for sha in ids]


def _matching(repository: Repository, head: str, phrase: str, most: int) -> list[str]:
    named = _by_id(repository, head, phrase.lower())
    others = log.commit_ids(repository, LogQuery(include=[head], message=phrase, limit=most))
    return [*named, *(sha for sha in others if sha not in named)]


def _by_id(repository: Repository, head: str, phrase: str) -> list[str]:
    """The commit with the id, if it is part of the history that is searched."""
    if not (SHORTEST_ID <= len(phrase) <= LONGEST_ID and consists_of(phrase, HEX)):
        return []
    sha = revisions.find(repository, phrase)
    if sha is None or not sha.startswith(phrase) or not objects.is_ancestor(repository, sha, head):
        return []
    return [sha]


def _present(call: Call, hits: Sequence[CommitHit]) -> list[CommitDetail]:
    return present_details(call, [(hit.project, objects.get_commit(hit.repository, hit.sha)) for hit in hits])
