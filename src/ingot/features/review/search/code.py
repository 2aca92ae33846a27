"""Code and wikis: hits in files, those by path first."""

from collections.abc import Sequence
from itertools import groupby

from sqlalchemy import ColumnElement, exists

from ingot.access.call import Call
from ingot.access.levels import GUEST, REPORTER
from ingot.access.policy import READ_CODE
from ingot.access.tables import projects
from ingot.access.visibility import feature_readable, visible_projects
from ingot.features.code.code_search import (
    Hit,
    HitPage,
    find_in_commit,
    find_in_index,
    is_current,
    parse_query,
    read_beginnings,
    read_beginnings_from,
    with_beginnings,
)
from ingot.features.code.wikis import wikis
from ingot.features.review.search.checks import timed_out
from ingot.features.review.search.entities import BlobHit, blob_hit
from ingot.features.review.search.paging import new_page, page_of_hits
from ingot.features.review.search.params import Search
from ingot.features.review.search.places import few_projects, in_place, ref_of
from ingot.features.spaces.projects import READ_WIKI, repository_of
from ingot.gitstore import Repository, revisions
from ingot.gitstore.errors import CommandFailed, OutputTooLarge, TimedOut
from ingot.kit.pagination import Page


def search_blobs(call: Call[Search]) -> Page:
    """Files of default branches, by the index; of a project also those of another branch or tag."""
    if call.project_or_none is None:
        readable = (visible_projects(call.actor), feature_readable(call.actor, "repository", REPORTER))
        return _search_index(call, (*in_place(call), *readable))
    if not READ_CODE.allows(call.actor, call.project):
        return page_of_hits(call, new_page(call), _present_indexed)
    repository, branch = repository_of(call.services, call.project), call.project.default_branch or ""
    name = ref_of(call) or branch
    head = revisions.find(repository, name) if name and repository.exists() else None
    if head is not None and name == branch and is_current(call.conn, call.project.id, head):
        return _search_index(call, in_place(call))
    return _search_commit(call, repository, name, head)


def search_wiki(call: Call[Search]) -> Page:
    """Pages of a project's wiki, where it has one, or of all wikis of the place."""
    if call.project_or_none is None:
        return _search_wikis(call)
    repository = repository_of(call.services, call.project, "wiki")
    is_open = repository.exists() and READ_WIKI.allows(call.actor, call.project)
    name = (ref_of(call) or repository.default_branch()) if is_open else ""
    return _search_commit(call, repository, name, revisions.find(repository, name) if name else None)


def _search_index(call: Call[Search], conditions: Sequence[ColumnElement[bool]]) -> Page:
    hits = new_page(call)
    find_in_index(call.conn, parse_query(call.params.search), conditions, hits)
    return page_of_hits(call, hits, _present_indexed)


def _search_wikis(call: Call[Search]) -> Page:
    hits, repositories = new_page(call), dict[int, Repository]()
    for project in few_projects(call, "wiki", GUEST, exists().where(wikis.c.project_id == projects.c.id)):
        repository = repositories[project.id] = repository_of(call.services, project, "wiki")
        name = repository.default_branch() if repository.exists() and hits.missing else ""
        _find(call, repository, (project.id, name), revisions.find(repository, name) if name else None, hits)

    def present(_call: Call, part: Sequence[Hit]) -> list[BlobHit]:
        by_project = groupby(part, lambda hit: hit.project_id)
        return [one for number, hits in by_project for one in _from_repository(repositories[number], list(hits))]

    return page_of_hits(call, hits, present)


def _search_commit(call: Call[Search], repository: Repository, name: str, head: str | None) -> Page:
    hits = new_page(call)
    _find(call, repository, (call.project.id, name), head, hits)

    def present(_call: Call, part: Sequence[Hit]) -> list[BlobHit]:
        return _from_repository(repository, part)

    return page_of_hits(call, hits, present)


def _find(call: Call[Search], repository: Repository, place: tuple[int, str], head: str | None, hits: HitPage) -> None:
    if head is None:
        return
    try:
        find_in_commit(repository, place, head, parse_query(call.params.search), hits)
    except (TimedOut, OutputTooLarge) as error:
        raise timed_out() from error
    except CommandFailed:  # damaged, which must not hide what others have
        return


def _from_repository(repository: Repository, hits: Sequence[Hit]) -> list[BlobHit]:
    return [blob_hit(hit) for hit in with_beginnings(hits, lambda shas: read_beginnings_from(repository, shas))]


def _present_indexed(call: Call, hits: Sequence[Hit]) -> list[BlobHit]:
    return [blob_hit(hit) for hit in with_beginnings(hits, lambda shas: read_beginnings(call.conn, shas))]
