"""Wikis of projects and groups: pages with their sidebar, versions, and the forms that write them."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from ingot.kit.content_links import is_opened
from ingot.kit.endpoint import Guard
from ingot.kit.errors import NotFound
from ingot.web.answers import WikiPage
from ingot.web.call import PageCall, View
from ingot.web.commenting import may_attach_to_wiki
from ingot.web.downloads import Download
from ingot.web.frames import group_view, project_view
from ingot.web.guards import InGroup, InProject
from ingot.web.markdown import markdown
from ingot.web.opening import ATTACHED, open_attached
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text, texts
from ingot.web.shown_files import Showing, present_diffs
from ingot.web.texts import plain

project = Pages("project")
group = Pages("group")
HOME, SIDEBAR = "home", "_sidebar"
FORMATS = ("markdown", "rdoc", "asciidoc", "org")
FIELDS = ("title", "content", "format")
CHANGED = "Someone saved this page after you opened it. Your text is below. Saving again replaces their version."
MOST_LISTED = 1000
MOST_BESIDE = 50


@dataclass(frozen=True, slots=True)
class Place:
    """Where a wiki is: its endpoints and the frame of its pages."""

    pages: Pages
    address: str
    frame: Callable[..., View]
    writers: Guard

    @property
    def one(self) -> str:
        """The endpoint of a page."""
        return f"{self.address}/:slug"

    def root(self, call: PageCall) -> str:
        """The address of the wiki."""
        if call.project_or_none is not None:
            return f"/{call.project.full_path}/-/wikis"
        return f"/groups/{call.group.full_path}/-/wikis"

    def owner(self, call: PageCall) -> str:
        """Whose wiki it is, as links to attached files name it."""
        return f"group-{call.group.id}" if call.project_or_none is None else f"project-{call.project.id}"

    def url(self, call: PageCall, slug: str) -> str:
        """The address of a page."""
        return f"{self.root(call)}/{quote(slug)}"

    def view(self, call: PageCall, template: str, status: int = 200, **data: object) -> View:
        """A page in the frame of its place."""
        data["can_write"] = call.may("POST", self.address)
        return self.frame(call, template, "wikis", status, wiki_root=self.root(call), **data)


def declare_reading(place: Place) -> None:
    """Register the pages that show a wiki."""

    def redirect_home(call: PageCall) -> Response:
        """The wiki begins with the page `home`."""
        return RedirectResponse(place.url(call, HOME), 302)

    def list_pages(call: PageCall) -> View:
        """All pages, or those with some words in their names."""
        search = text(call, "search")
        words = search.lower().replace("-", " ").split()
        pages = [page for page in call.ask(place.address) if all(word in _name(page) for word in words)]
        left = max(len(pages) - MOST_LISTED, 0)
        return place.view(call, "wiki_pages", pages=pages[:MOST_LISTED], more=left, search=search)

    def show(call: PageCall) -> View | Download | Response:
        """A page, one of its versions, its history or a change, or an attached file."""
        rest = call.path["rest"]
        folder, _, name = rest.rpartition("/")
        if rest.startswith("uploads/"):
            path = rest.removeprefix("uploads/")
            if is_opened(call.services, call.request, path):
                return open_attached(call, place.owner(call), ATTACHED, path)
            return call.download(f"{place.address}/-/files/:path", path=path)
        if folder and name in VIEWS:
            return VIEWS[name](call, place, folder)
        return _show_page(call, place, rest)

    place.pages.get("wikis")(redirect_home)
    place.pages.get("wikis/pages")(list_pages)
    place.pages.get("wikis/{rest*}")(show)


def _name(page: WikiPage) -> str:
    """As the list shows it, in small letters."""
    return page["slug"].lower().replace("-", " ")


def _show_page(call: PageCall, place: Place, slug: str) -> View | Response:
    version = text(call, "version_id")
    page: WikiPage | None = call.ask_or_none(place.one, slug=slug, version=version or None)
    pages = call.ask(place.address)
    if page is None:
        if slug != HOME and not version and not call.actor.is_anonymous and call.may("POST", place.address):
            return RedirectResponse(
                f"{place.root(call)}/new?title={quote(slug)}", 302
            )  # a link may come before its page
        if slug != HOME or version:
            raise NotFound("Wiki Page")
        return place.view(call, "wiki_empty", pages=pages)
    beside = [one for one in pages if one["slug"] != SIDEBAR]
    sidebar = call.ask(place.one, slug=SIDEBAR) if len(beside) < len(pages) else None
    return place.view(
        call, "wiki_page", page=page, version=version, html=_html(call, place, page),
        sidebar=_html(call, place, sidebar) if sidebar is not None else "",
        beside=beside[:MOST_BESIDE], here=place.url(call, page["slug"]),
    )  # fmt: skip


def _html(call: PageCall, place: Place, page: WikiPage) -> Markup:
    """Markdown is rendered, other markup is shown as it is."""
    if page["format"] != "markdown":
        return plain(page["content"])
    content = page["content"]
    if page["front_matter"]:
        content = content.split("\n---\n", 1)[-1]
    return markdown(call, content, base=place.root(call))


def _show_history(call: PageCall, place: Place, slug: str) -> View:
    rows = call.ask_rows(f"{place.one}/-/versions", slug=slug)
    return place.view(call, "wiki_history", slug=slug, rows=rows, here=place.url(call, slug))


def _show_diff(call: PageCall, place: Place, slug: str) -> View:
    version, since = text(call, "version_id"), text(call, "since")
    diffs = call.ask(f"{place.one}/-/diff", slug=slug, version=version, since=since or None)
    files, cut = present_diffs(diffs, Showing(), shared=call.services.shared_cache)
    return place.view(
        call, "wiki_diff", slug=slug, files=files, cut=cut, version=version, since=since, here=place.url(call, slug)
    )


def _show_edit(call: PageCall, place: Place, slug: str) -> View:
    page: WikiPage = call.ask(place.one, slug=slug)
    call.require("PUT", place.one, slug=slug)
    values = {"title": page["title"], "content": page["content"], "format": page["format"]}
    return _form(call, place, {**values, "seen": _newest(call, place, slug)}, slug)


def _newest(call: PageCall, place: Place, slug: str) -> str:
    """The commit that last changed a page."""
    versions = call.ask_or_none(f"{place.one}/-/versions", slug=slug, per_page="1") or []
    return str(versions[0]["id"]) if versions else ""


def _changed_meanwhile(call: PageCall, place: Place, values: dict[str, str], slug: str) -> View | None:
    """The form again, with what was typed, if somebody saved the page after it was opened."""
    seen, newest = text(call, "seen"), _newest(call, place, slug)
    if not seen or not newest or seen == newest:
        return None
    since = f"{place.url(call, slug)}/diff?version_id={newest}&since={seen}"
    return _form(call, place, {**values, "seen": newest, "since": since}, slug, CHANGED, 409)


def _form(
    call: PageCall, place: Place, values: dict[str, str], slug: str, problem: str = "", status: int = 200
) -> View:
    return place.view(
        call, "wiki_form", status, values=values, slug=slug, problem=problem, formats=FORMATS,
        here=place.url(call, slug) if slug else "", can_attach=may_attach_to_wiki(call),
    )  # fmt: skip


VIEWS = {"history": _show_history, "diff": _show_diff, "edit": _show_edit}


def declare_writing(place: Place) -> None:
    """Register the forms of a wiki."""

    def show_new_page(call: PageCall) -> View:
        """The form of a new page."""
        call.require("POST", place.address)
        return _form(call, place, {"title": text(call, "title"), "format": "markdown"}, "")

    def create_page(call: PageCall) -> View | Response:
        """Write a page."""
        values = texts(call, FIELDS)
        created: dict[str, str] = {}
        view = refused(
            lambda: created.update(call.ask(place.address, "POST", **values)),
            lambda problem, status: _form(call, place, values, "", problem, status),
        )
        return view or done(call, place.url(call, created["slug"]), "Page created.")

    def change_page(call: PageCall) -> View | Response:
        """Save a page, or delete it."""
        slug, _, verb = call.path["rest"].rpartition("/")
        if verb == "remove":
            call.ask(place.one, "DELETE", slug=slug)
            return done(call, f"{place.root(call)}/pages", "Page deleted.")
        if verb != "edit":
            raise NotFound
        values = texts(call, FIELDS)
        conflict = _changed_meanwhile(call, place, values, slug)
        if conflict is not None:
            return conflict
        changed: dict[str, str] = {}
        view = refused(
            lambda: changed.update(call.ask(place.one, "PUT", slug=slug, **values)),
            lambda problem, status: _form(call, place, values, slug, problem, status),
        )
        return view or done(call, place.url(call, changed["slug"]), "Page saved.")

    place.pages.get("wikis/new", guard=place.writers)(show_new_page)
    place.pages.post("wikis", guard=place.writers)(create_page)
    place.pages.post("wikis/{rest*}", guard=place.writers)(change_page)


for _place in (
    Place(project, "/projects/:id/wikis", project_view, InProject(needs_user=True)),
    Place(group, "/groups/:id/wikis", group_view, InGroup(needs_user=True)),
):
    declare_reading(_place)
    declare_writing(_place)
