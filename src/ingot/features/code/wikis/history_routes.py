"""What the pages of a wiki need beyond the described interface: versions, their differences, attached files."""

from contextlib import closing
from datetime import datetime

from ingot.access.call import Call
from ingot.features.code.repository import FileDiffEntity, file_diff, send_blob
from ingot.features.code.wikis.names import ATTACHMENTS
from ingot.features.code.wikis.params import WikiPagePath
from ingot.features.code.wikis.policy import READ_GROUP_WIKI
from ingot.features.code.wikis.reading import get_page
from ingot.features.code.wikis.wiki import Wiki, wiki_of
from ingot.features.people.avatars import picture_type
from ingot.features.spaces.projects import READ_WIKI
from ingot.gitstore import objects, revisions
from ingot.gitstore.diff import DiffLimits, diff
from ingot.gitstore.log import LogQuery, commits
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.kit.downloads import attachment
from ingot.kit.endpoint import Answer, Binary, Routes
from ingot.kit.entity import Entity, wire
from ingot.kit.errors import NotFound
from ingot.kit.params import Paging, Param, Params

PROJECT, GROUP = "/projects/{id}/wikis", "/groups/{id}/wikis"
MOST_VERSIONS = 500
project_routes = Routes("Project wikis", waits=True, hidden=True, guard=READ_WIKI)
group_routes = Routes("Group wikis", waits=True, hidden=True, guard=READ_GROUP_WIKI, tier="premium")


class ListVersions(WikiPagePath, Paging):
    """The versions of a page."""


class CompareVersions(WikiPagePath):
    """Two versions of a page."""

    version: str = Param("The commit of the newer version.", required=True)
    since: str | None = Param("The commit of the older version; else the one before the newer.")


class FilePath(Params):
    """An attached file."""

    path: str = Param("Path below `uploads`.", required=True)


class WikiVersion(Entity):
    """A commit that changed a page."""

    id: str
    short_id: str
    title: str
    author_name: str
    created_at: datetime


def _versions(call: Call[ListVersions]) -> Answer:
    wiki = wiki_of(call)
    page, head = get_page(wiki.repository, wiki.head, call.params.slug)
    query = LogQuery(include=[head], path=page.path, limit=MOST_VERSIONS)
    rows = [
        WikiVersion(one.id, one.short_id, one.title, one.author.name, wire(one.committer.when))
        for one in commits(wiki.repository, query)
    ]
    return call.page_of_list(rows, lambda _, part: list(part))


def _diff(call: Call[CompareVersions]) -> Answer:
    wiki, options = wiki_of(call), call.params
    new = _commit(wiki, options.version)
    page, _ = get_page(wiki.repository, new, options.slug)
    parents = objects.get_commit(wiki.repository, new).parent_ids
    old = _commit(wiki, options.since) if options.since else (parents[0] if parents else EMPTY_TREE_ID)
    return [file_diff(one) for one in diff(wiki.repository, old, new, limits=DiffLimits(), paths=(page.path,)).files]


def _commit(wiki: Wiki, text: str) -> str:
    sha = revisions.find(wiki.repository, text) if wiki.head is not None else None
    if sha is None:
        raise NotFound("Commit")
    return sha


def _file(call: Call[FilePath]) -> Answer:
    """A picture is shown, anything else is downloaded: nothing that somebody attached runs in a browser."""
    wiki = wiki_of(call)
    head = wiki.head
    entry = None if head is None else objects.find_entry(wiki.repository, head, f"{ATTACHMENTS}/{call.params.path}")
    if entry is None or entry.type != "blob" or not entry.mode.startswith("100"):
        raise NotFound("File")
    with closing(objects.stream_blob(wiki.repository, entry.id)) as chunks:
        picture = picture_type(next(chunks, b"")[:16])
    headers = {"Content-Disposition": attachment(entry.name, inline=picture is not None)}
    return send_blob(call, wiki.repository, entry.id, picture or "application/octet-stream", headers)


@project_routes.get(PROJECT + "/{slug}/-/versions", params=ListVersions, returns=list[WikiVersion])
def list_project_wiki_versions(call: Call[ListVersions]) -> Answer:
    """The commits that changed a page, newest first."""
    return _versions(call)


@group_routes.get(GROUP + "/{slug}/-/versions", params=ListVersions, returns=list[WikiVersion])
def list_group_wiki_versions(call: Call[ListVersions]) -> Answer:
    """The commits that changed a page, newest first."""
    return _versions(call)


@project_routes.get(PROJECT + "/{slug}/-/diff", params=CompareVersions, returns=list[FileDiffEntity])
def compare_project_wiki_versions(call: Call[CompareVersions]) -> Answer:
    """What changed in a page between two versions."""
    return _diff(call)


@group_routes.get(GROUP + "/{slug}/-/diff", params=CompareVersions, returns=list[FileDiffEntity])
def compare_group_wiki_versions(call: Call[CompareVersions]) -> Answer:
    """What changed in a page between two versions."""
    return _diff(call)


@project_routes.get(PROJECT + "/-/files/{path*}", params=FilePath, returns=Binary())
def get_project_wiki_file(call: Call[FilePath]) -> Answer:
    """An attached file."""
    return _file(call)


@group_routes.get(GROUP + "/-/files/{path*}", params=FilePath, returns=Binary())
def get_group_wiki_file(call: Call[FilePath]) -> Answer:
    """An attached file."""
    return _file(call)
