"""Snippets of people and of projects: lists, one snippet with its files, and the forms that write one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import SIGNED_IN
from ingot.features.spaces.snippets import may_change_snippet
from ingot.instance.settings import application_setting
from ingot.kit.content_links import is_opened
from ingot.kit.endpoint import Guard
from ingot.kit.errors import Forbidden
from ingot.web.answers import Snippet, SnippetFile
from ingot.web.call import PageCall, View
from ingot.web.downloads import Download
from ingot.web.filters import local
from ingot.web.frames import project_view, site_view
from ingot.web.guards import InProject
from ingot.web.markdown import markdown
from ingot.web.opening import PERSONAL, open_snippet
from ingot.web.reactions import reactions_to
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, texts
from ingot.web.snippet_files import MOST_FILES, FormFile, changes_of, new_files, suffix_of, typed_files, with_empty
from ingot.web.texts import highlighted_files
from ingot.web.threads import add_tools

site = Pages("site")
project = Pages("project")
LONGEST_SHOWN = 512 * 1024
FIELDS = ("title", "description", "visibility")
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

    @property
    def has_comments(self) -> bool:
        """Only snippets of projects have them in the API."""
        return self.one == "snippet_id"

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
        files = _shown(call, one, place, snippet["files"][:MOST_FILES])
        return place.view(
            call, "snippet", snippet=snippet, files=files, html=markdown(call, snippet["description"]),
            can_edit=call.may("PUT", one, **place.where(call)) and _may_change(call, snippet),
            **(_talk(call, place, one) if place.has_comments else {}),
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
        call.require("POST", place.address)
        return form(call, {"visibility": application_setting(call.conn, "default_snippet_visibility")}, [])

    def create_snippet(call: PageCall) -> View | Response:
        """Write a snippet."""
        values, files = texts(call, FIELDS), typed_files(call)
        created: dict[str, object] = {}
        view = refused(
            lambda: created.update(call.ask(place.address, "POST", **values, files=new_files(files))),
            lambda problem, status: form(call, values, files, status=status, problem=problem),
        )
        return view or done(call, f"{place.root(call)}/{created['id']}", "Snippet created.")

    def show_edit_snippet(call: PageCall) -> View:
        """The form of a snippet; files that are too long for it stay as they are."""
        snippet: Snippet = call.ask(one, **place.where(call))
        if not _may_change(call, snippet):
            raise Forbidden
        files = []
        for number, (path, (content, is_cut)) in enumerate(contents_of(call, snippet).items(), 1):
            own = FormFile(suffix_of(number), path, "" if is_cut else content, previous=path, is_long=is_cut)
            files.append(own)
        values = {"title": snippet["title"], "description": snippet["description"] or ""}
        return form(call, {**values, "visibility": snippet["visibility"]}, files, snippet=snippet)

    def edit_snippet(call: PageCall) -> View | Response:
        """Save a snippet."""
        values, files = texts(call, FIELDS), typed_files(call)
        snippet: Snippet = call.ask(one, **place.where(call))
        whole = {path: content for path, (content, is_cut) in contents_of(call, snippet).items() if not is_cut}
        changes = changes_of(files, whole)
        given = {**place.where(call), **values, **({"files": changes} if changes else {})}
        view = refused(
            lambda: call.ask(one, "PUT", **given),
            lambda problem, status: form(call, values, files, status=status, snippet=snippet, problem=problem),
        )
        return view or done(call, f"{place.root(call)}/{call.path['number']}", "Snippet saved.")

    def contents_of(call: PageCall, snippet: Snippet) -> dict[str, tuple[str, bool]]:
        return {file["path"]: _content(call, one, place, file["path"]) for file in snippet["files"][:MOST_FILES]}

    def form(
        call: PageCall, values: dict[str, str], files: list[FormFile], *, status: int = 200, **more: object
    ) -> View:
        shown = {"snippet": None, "problem": "", **more}
        return place.view(call, "snippet_form", status, values=values, files=with_empty(files), **shown)

    def remove_snippet(call: PageCall) -> Response:
        """Delete a snippet."""
        call.ask(one, "DELETE", **place.where(call))
        return done(call, place.root(call), "Snippet deleted.")

    def comment(call: PageCall) -> Response:
        """Comment on a snippet of a project."""
        note = call.ask(f"{one}/notes", "POST", **place.where(call), body=texts(call, ("body",))["body"])
        return done(call, f"{place.root(call)}/{call.path['number']}#note_{note['id']}", "Comment added.")

    pages.get(f"{path}/new", guard=place.writers)(show_new_snippet)
    pages.post(path, guard=place.writers)(create_snippet)
    pages.get(f"{path}/{{number:int}}/edit", guard=place.writers)(show_edit_snippet)
    pages.post(f"{path}/{{number:int}}/edit", guard=place.writers)(edit_snippet)
    pages.post(f"{path}/{{number:int}}/remove", guard=place.writers)(remove_snippet)
    if place.has_comments:
        pages.post(f"{path}/{{number:int}}/comment", guard=place.writers)(comment)


def _shown(call: PageCall, one: str, place: Place, files: Sequence[SnippetFile]) -> list[dict[str, object]]:
    """The files with their lines."""
    contents = [_content(call, one, place, file["path"]) for file in files]
    names = [file["path"].rpartition("/")[2].lower() for file in files]
    named = [(text, name) for (text, _), name in zip(contents, names, strict=True)]
    coloured = highlighted_files(named, call.services.shared_cache)
    return [
        {**file, "lines": lines, "is_cut": is_cut}
        for file, (_, is_cut), lines in zip(files, contents, coloured, strict=True)
    ]


def _content(call: PageCall, one: str, place: Place, path: str) -> tuple[str, bool]:
    """The text of a file, and whether there is more of it."""
    response = call.ask_response(f"{one}/files/:ref/:file_path/raw", **place.where(call), ref="main", file_path=path)
    content = bytes(response.body)
    return content[:LONGEST_SHOWN].decode(errors="replace"), len(content) > LONGEST_SHOWN


def _talk(call: PageCall, place: Place, one: str) -> dict[str, Any]:
    """The comments of a snippet, and the reactions to it."""
    asked = {**place.where(call), "sort": "asc", "per_page": "100", "activity_filter": "only_comments"}
    rows = call.ask_rows_or_none(f"{one}/notes", **asked)
    for row in rows.items if rows else []:
        row["html"] = markdown(call, row["body"])
    add_tools(call, rows.items if rows else [])
    number = int(call.path["number"])
    return {
        "notes": rows, "can_comment": call.may("POST", f"{one}/notes", **place.where(call)),
        "reactions": reactions_to(call, "Snippet", [number]).get(number, []),
    }  # fmt: skip


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
