"""Snippets of people and of projects: lists, one snippet with its files, and the forms that write one."""

from dataclasses import dataclass

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import SIGNED_IN
from ingot.features.spaces.snippets import may_change_snippet
from ingot.kit.content_links import is_opened
from ingot.kit.endpoint import Guard
from ingot.web.answers import Snippet, SnippetFile
from ingot.web.call import PageCall, View
from ingot.web.downloads import Download
from ingot.web.filters import local
from ingot.web.frames import project_view, site_view
from ingot.web.guards import InProject
from ingot.web.markdown import markdown
from ingot.web.opening import PERSONAL, open_snippet
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, texts
from ingot.web.texts import highlighted_lines

site = Pages("site")
project = Pages("project")
MOST_FILES = 10
LONGEST_SHOWN = 512 * 1024
FIELDS = ("title", "description", "visibility", "file_name", "content")
LISTS = {"mine": "/snippets", "public": "/snippets/public"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where snippets are: their endpoints and the addresses of their pages."""

    pages: Pages
    address: str
    one: str
    prefix: str
    writers: Guard

    def root(self, call: PageCall) -> str:
        """The address of the list."""
        return f"/{call.project.full_path}/-/snippets" if self.one == "snippet_id" else "/-/snippets"

    def view(self, call: PageCall, template: str, status: int = 200, **data: object) -> View:
        """A page in the frame of its place."""
        data["snippets_root"] = self.root(call)
        if self.one == "snippet_id":
            return project_view(call, template, "snippets", status, **data)
        return site_view(call, template, status, **data)

    def where(self, call: PageCall) -> dict[str, object]:
        """The key of the snippet in the address."""
        return {self.one: call.path["number"]}


def declare_reading(place: Place) -> None:
    """Register the pages that show snippets of one place."""
    one = f"{place.address}/:{place.one}"
    pages, path = place.pages, place.prefix

    def list_snippets(call: PageCall) -> View:
        """Snippets, newest first."""
        part, address = "", place.address
        if place.one == "id":
            part = "public" if call.actor.is_anonymous or call.values.get("part") == "public" else "mine"
            address = LISTS[part]
        rows = call.ask_rows(address)
        return place.view(call, "snippets", rows=rows, part=part, can_create=call.may("POST", place.address))

    def show_snippet(call: PageCall) -> View:
        """One snippet with its files."""
        snippet: Snippet = call.ask(one, **place.where(call))
        files = [_shown(call, one, place, file) for file in snippet["files"][:MOST_FILES]]
        return place.view(
            call, "snippet", snippet=snippet, files=files, html=markdown(call, snippet["description"]),
            can_edit=call.may("PUT", one, **place.where(call)) and _may_change(call, snippet),
        )  # fmt: skip

    def show_raw(call: PageCall) -> Download | Response:
        """The bytes of the first file."""
        if call.services.settings.content_url:
            first = call.ask(one, **place.where(call))["files"][:1]
            if first and is_opened(call.services, call.request, first[0]["path"]):
                return RedirectResponse(local(first[0]["raw_url"]), 302)
        return call.download(f"{one}/raw", **place.where(call))

    def show_raw_file(call: PageCall) -> Download | Response:
        """The bytes of a file."""
        ref, _, name = call.path["rest"].partition("/")
        if is_opened(call.services, call.request, name):
            project_id = str(call.project.id) if place.one == "snippet_id" else PERSONAL
            return open_snippet(call, project_id, call.path["number"], call.path["rest"])
        return call.download(f"{one}/files/:ref/:file_path/raw", **place.where(call), ref=ref, file_path=name)

    pages.get(path)(list_snippets)
    pages.get(f"{path}/{{number:int}}")(show_snippet)
    pages.get(f"{path}/{{number:int}}/raw")(show_raw)
    pages.get(f"{path}/{{number:int}}/raw/{{rest*}}")(show_raw_file)


def declare_writing(place: Place) -> None:
    """Register the forms of one place."""
    one = f"{place.address}/:{place.one}"
    pages, path = place.pages, place.prefix

    def show_new_snippet(call: PageCall) -> View:
        """The form of a new snippet."""
        return place.view(call, "snippet_form", values={"visibility": "private"}, snippet=None, problem="")

    def create_snippet(call: PageCall) -> View | Response:
        """Write a snippet with one file."""
        values = texts(call, FIELDS)
        created: dict[str, object] = {}
        file = {"file_path": values["file_name"] or "snippetfile1.txt", "content": values["content"]}
        given = {name: values[name] for name in FIELDS[:3]}
        view = refused(
            lambda: created.update(call.ask(place.address, "POST", **given, files=[file])),
            lambda problem, status: place.view(
                call, "snippet_form", status, values=values, snippet=None, problem=problem
            ),
        )
        return view or done(call, f"{place.root(call)}/{created['id']}", "Snippet created.")

    def show_edit_snippet(call: PageCall) -> View:
        """The form of a snippet; the content can be changed where it has one file."""
        snippet = call.ask(one, **place.where(call))
        values = {name: snippet[name] or "" for name in FIELDS[:4]}
        if len(snippet["files"]) == 1:
            values["content"] = _content(call, one, place, snippet["files"][0]["path"])[0]
        return place.view(call, "snippet_form", values=values, snippet=snippet, problem="")

    def edit_snippet(call: PageCall) -> View | Response:
        """Save a snippet."""
        names = FIELDS if "content" in call.values else FIELDS[:3]
        values = texts(call, names)
        with_key = {**place.where(call), **values}
        view = refused(
            lambda: call.ask(one, "PUT", **with_key),
            lambda problem, status: place.view(
                call, "snippet_form", status, values=values, snippet=call.ask(one, **place.where(call)), problem=problem
            ),
        )
        return view or done(call, f"{place.root(call)}/{call.path['number']}", "Snippet saved.")

    def remove_snippet(call: PageCall) -> Response:
        """Delete a snippet."""
        call.ask(one, "DELETE", **place.where(call))
        return done(call, place.root(call), "Snippet deleted.")

    pages.get(f"{path}/new", guard=place.writers)(show_new_snippet)
    pages.post(path, guard=place.writers)(create_snippet)
    pages.get(f"{path}/{{number:int}}/edit", guard=place.writers)(show_edit_snippet)
    pages.post(f"{path}/{{number:int}}/edit", guard=place.writers)(edit_snippet)
    pages.post(f"{path}/{{number:int}}/remove", guard=place.writers)(remove_snippet)


def _shown(call: PageCall, one: str, place: Place, file: SnippetFile) -> dict[str, object]:
    text, is_cut = _content(call, one, place, file["path"])
    name = file["path"].rpartition("/")[2].lower()
    return {**file, "lines": highlighted_lines(text, name), "is_cut": is_cut}


def _content(call: PageCall, one: str, place: Place, path: str) -> tuple[str, bool]:
    """The text of a file, and whether there is more of it."""
    response = call.ask_response(f"{one}/files/:ref/:file_path/raw", **place.where(call), ref="main", file_path=path)
    content = bytes(response.body)
    return content[:LONGEST_SHOWN].decode(errors="replace"), len(content) > LONGEST_SHOWN


def _may_change(call: PageCall, snippet: Snippet) -> bool:
    author = snippet["author"]
    return may_change_snippet(call.actor, call.project_or_none, None if author is None else author["id"])


@site.get("dashboard/snippets")
def redirect_to_snippets(_: PageCall) -> Response:
    """The address that people know."""
    return RedirectResponse("/-/snippets", 302)


for _place in (
    Place(site, "/snippets", "id", "-/snippets", SIGNED_IN),
    Place(project, "/projects/:id/snippets", "snippet_id", "snippets", InProject(needs_user=True)),
):
    declare_reading(_place)
    declare_writing(_place)
