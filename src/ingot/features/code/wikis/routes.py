"""Endpoints of wikis: the same six for projects and groups."""

from sqlalchemy import Connection

from ingot.access.call import Call
from ingot.features.code.wikis import commands, history_routes
from ingot.features.code.wikis.entities import Attachment, AttachmentLink, WikiPageShown, present
from ingot.features.code.wikis.params import (
    CreateWikiPage,
    GetWikiPage,
    ListWikiPages,
    NewAttachment,
    UpdateWikiPage,
    WikiPagePath,
)
from ingot.features.code.wikis.policy import READ_GROUP_WIKI, WRITE_GROUP_WIKI, WRITE_WIKI
from ingot.features.code.wikis.reading import WikiPage, get_page, list_pages, read_page, read_pages
from ingot.features.code.wikis.wiki import Wiki, wiki_of
from ingot.features.spaces.projects import READ_WIKI
from ingot.gitstore import revisions
from ingot.instance import application_setting
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import TooLarge
from ingot.kit.upload_names import markdown_link

MEGABYTE = 1024 * 1024
PROJECT, GROUP = "/projects/{id}/wikis", "/groups/{id}/wikis"
ONE = "/{slug}"
project_routes = Routes("Project wikis", waits=True)
group_routes = Routes("Group wikis", waits=True, tier="premium")
ROUTES = [project_routes, group_routes, history_routes.project_routes, history_routes.group_routes]


def largest_attachment(conn: Connection) -> int:
    """The largest file to attach, in bytes; 0 means any."""
    return int(application_setting(conn, "max_attachment_size") or 0) * MEGABYTE


def _list(call: Call[ListWikiPages]) -> list[WikiPageShown]:
    wiki = wiki_of(call)
    head = wiki.head
    pages = [] if head is None else list_pages(wiki.repository, head)
    return present(call, wiki, read_pages(wiki.repository, pages) if call.params.with_content else pages)


def _get(call: Call[GetWikiPage]) -> WikiPageShown:
    wiki, options = wiki_of(call), call.params
    page = _find(wiki, options.slug, options.version)
    return present(call, wiki, [read_page(wiki.repository, page)], as_html=options.render_html)[0]


def _find(wiki: Wiki, slug: str, version: str | None = None) -> WikiPage:
    head = wiki.head
    if head is not None and version:
        head = revisions.find(wiki.repository, version)
    return get_page(wiki.repository, head, slug)[0]


def _show(call: Call, wiki: Wiki, slug: str) -> WikiPageShown:
    return present(call, wiki, [read_page(wiki.repository, _find(wiki, slug))])[0]


def _create(call: Call[CreateWikiPage]) -> WikiPageShown:
    wiki = wiki_of(call)
    return _show(call, wiki, commands.create_page(call, wiki))


def _update(call: Call[UpdateWikiPage]) -> WikiPageShown:
    wiki = wiki_of(call)
    return _show(call, wiki, commands.update_page(call, wiki))


def _delete(call: Call[WikiPagePath]) -> None:
    commands.delete_page(call, wiki_of(call), call.params.slug)


def _attach(call: Call[NewAttachment]) -> Attachment:
    limit = largest_attachment(call.conn)
    if limit and call.params.file.size > limit:
        raise TooLarge
    name, path, branch = commands.attach_file(call, wiki_of(call), call.params.file, call.params.branch)
    return Attachment(name, path, branch, AttachmentLink(path, markdown_link(name, path)))


@project_routes.get(PROJECT, guard=READ_WIKI, params=ListWikiPages, returns=list[WikiPageShown], errors=(413,))
def list_project_wiki_pages(call: Call[ListWikiPages]) -> Answer:
    """All pages of a project's wiki, by slug."""
    return _list(call)


@group_routes.get(GROUP, guard=READ_GROUP_WIKI, params=ListWikiPages, returns=list[WikiPageShown], errors=(413,))
def list_group_wiki_pages(call: Call[ListWikiPages]) -> Answer:
    """All pages of a group's wiki, by slug."""
    return _list(call)


@project_routes.post(
    PROJECT + "/attachments",
    guard=WRITE_WIKI,
    params=NewAttachment,
    returns=Attachment,
    file_limit=largest_attachment,
    errors=(413,),
)
def attach_project_wiki_file(call: Call[NewAttachment]) -> Answer:
    """Attach a file to a project's wiki, to link to in its pages (Developers)."""
    return _attach(call)


@group_routes.post(
    GROUP + "/attachments",
    guard=WRITE_GROUP_WIKI,
    params=NewAttachment,
    returns=Attachment,
    file_limit=largest_attachment,
    errors=(413,),
)
def attach_group_wiki_file(call: Call[NewAttachment]) -> Answer:
    """Attach a file to a group's wiki, to link to in its pages (Developers)."""
    return _attach(call)


@project_routes.get(PROJECT + ONE, guard=READ_WIKI, params=GetWikiPage, returns=WikiPageShown, errors=(413,))
def get_project_wiki_page(call: Call[GetWikiPage]) -> Answer:
    """One page of a project's wiki."""
    return _get(call)


@group_routes.get(GROUP + ONE, guard=READ_GROUP_WIKI, params=GetWikiPage, returns=WikiPageShown, errors=(413,))
def get_group_wiki_page(call: Call[GetWikiPage]) -> Answer:
    """One page of a group's wiki."""
    return _get(call)


@project_routes.post(PROJECT, guard=WRITE_WIKI, params=CreateWikiPage, returns=WikiPageShown)
def create_project_wiki_page(call: Call[CreateWikiPage]) -> Answer:
    """Add a page to a project's wiki (Developers)."""
    return _create(call)


@group_routes.post(GROUP, guard=WRITE_GROUP_WIKI, params=CreateWikiPage, returns=WikiPageShown)
def create_group_wiki_page(call: Call[CreateWikiPage]) -> Answer:
    """Add a page to a group's wiki (Developers)."""
    return _create(call)


@project_routes.put(PROJECT + ONE, guard=WRITE_WIKI, params=UpdateWikiPage, returns=WikiPageShown)
def update_project_wiki_page(call: Call[UpdateWikiPage]) -> Answer:
    """Change or rename a page of a project's wiki (Developers). Without `format` it becomes Markdown."""
    return _update(call)


@group_routes.put(GROUP + ONE, guard=WRITE_GROUP_WIKI, params=UpdateWikiPage, returns=WikiPageShown)
def update_group_wiki_page(call: Call[UpdateWikiPage]) -> Answer:
    """Change or rename a page of a group's wiki (Developers). Without `format` it becomes Markdown."""
    return _update(call)


@project_routes.delete(PROJECT + ONE, guard=WRITE_WIKI, params=WikiPagePath)
def delete_project_wiki_page(call: Call[WikiPagePath]) -> None:
    """Delete a page of a project's wiki (Developers)."""
    _delete(call)


@group_routes.delete(GROUP + ONE, guard=WRITE_GROUP_WIKI, params=WikiPagePath)
def delete_group_wiki_page(call: Call[WikiPagePath]) -> None:
    """Delete a page of a group's wiki (Developers)."""
    _delete(call)
