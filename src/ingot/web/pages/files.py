"""The project's home, its folders and its files."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.responses import RedirectResponse, Response

from ingot.access.levels import Feature
from ingot.access.policy import READ_CODE
from ingot.features.code.repository import can_be_sent
from ingot.features.spaces.projects import repository_of, starred_among
from ingot.gitstore import revisions
from ingot.gitstore.objects import find_entry, list_tree
from ingot.kit.content_links import is_opened
from ingot.kit.downloads import attachment
from ingot.kit.errors import NotFound
from ingot.web.caching import is_known, tag_of_file, with_tag
from ingot.web.call import PageCall, View
from ingot.web.file_views import first_bytes, has_hidden_signs, lfs_size, shown_lines, table_of
from ingot.web.filters import foreign
from ingot.web.folders import (
    MARKDOWN,
    as_text,
    crumbs_of,
    is_plain_text,
    link_target,
    ref_choices,
    shown_folder,
)
from ingot.web.foreign_pictures import shown_from
from ingot.web.frames import project_view
from ingot.web.givers import role_words
from ingot.web.guards import InProject, can_push
from ingot.web.markdown import markdown
from ingot.web.opening import open_committed
from ingot.web.pages.asking import may_ask
from ingot.web.pages.editing import LONGEST_EDITED
from ingot.web.raw_types import as_what_it_is
from ingot.web.read_files import changed_by, read_file
from ingot.web.registry import Pages
from ingot.web.revisions import branch_behind_tag, split
from ingot.web.sending import text
from ingot.web.shown_files import PICTURES
from ingot.web.texts import highlighted_lines

pages = Pages("project")
KINDS = ("tree", "commits", "network", "graphs", "find_file", "blob", "blame")
PLACES = ("tree", "blob", "blame", "commits")  # kinds whose addresses go on with a path
LISTS = {"/branches": "branches", "/tags": "tags"}  # what the picker leads to for names that it does not offer
CODE = InProject(READ_CODE)
TABLES = (".csv", ".tsv")
MEDIA = {
    ".pdf": "a PDF document",
    **dict.fromkeys((".mp3", ".ogg", ".wav", ".flac"), "an audio file"),
    **dict.fromkeys((".mp4", ".webm", ".mov", ".mkv"), "a video"),
}
MOST_FOUND = 300
PLAIN_LIMIT = 2 * 1024 * 1024
MOST_LINES, FIRST_LINES = 20_000, 2000


@pages.get("home")
def show_project(call: PageCall) -> View:
    """Files and README; without the right to read code, only the project's description."""
    ref = call.project.default_branch
    ref = ref and (branch_behind_tag(call, ref) or ref)  # a tag may have its name
    project = call.ask_without(("permissions", "shared_with_groups"), "/projects/:id", license=True)
    html = markdown(call, project["description"])
    if not READ_CODE.allows(call.actor, call.project):
        has_repository = call.project.feature("repository") is not Feature.DISABLED
        return project_view(
            call, "project_closed", "code", html=html, has_repository=has_repository,
            needed=role_words(call, READ_CODE), **_actions(call),
        )  # fmt: skip
    commit = call.ask_or_none("/projects/:id/repository/commits/:sha", sha=ref, stats=False) if ref else None
    if commit is None:
        return project_view(call, "project_empty", "code", can_push=can_push(call), html=html, **_actions(call))
    languages = call.ask_or_none("/projects/:id/languages") or {}
    data = shown_folder(call, ref, "", commit)
    return project_view(
        call, "project", "code", **data, languages=_bar(languages), badges=_badges(call), **_licence(project),
        html=html, project=project, **_actions(call),
    )  # fmt: skip


def _actions(call: PageCall) -> dict[str, bool]:
    """What the visitor may do with the project, whatever is in it."""
    return {
        "is_starred": bool(starred_among(call.conn, call.actor.user_id, [call.project.id])),
        "can_fork": call.may("POST", "/projects/:id/fork"), "can_ask": may_ask(call),
    }  # fmt: skip


@pages.get("tree/{rest*}", guard=CODE)
def show_folder(call: PageCall) -> View | Response:
    """One folder at a revision."""
    ref, path = split(call, call.path["rest"])
    commit = call.ask("/projects/:id/repository/commits/:sha", sha=ref, stats=False)
    if path and _exists(call, ref, path, "blob"):
        return RedirectResponse(f"/{call.project.full_path}/-/blob/{quote(ref)}/{quote(path)}", 302)
    return project_view(call, "tree", "code", **shown_folder(call, ref, path, commit))


@pages.get("blob/{rest*}", guard=CODE)
def show_file(call: PageCall) -> View | Response:
    """One file: rendered, or with line numbers and colours."""
    ref, path = split(call, call.path["rest"])
    read = read_file(call, ref, path) if path else None
    if read is None:
        if call.ask_or_none("/projects/:id/repository/tree", path=path, ref=ref):
            return RedirectResponse(f"/{call.project.full_path}/-/tree/{quote(ref)}/{quote(path)}", 302)
        raise NotFound("File")
    file, content = read
    data = _content(call, content, ref, path, is_whole=len(content) == file["size"])
    commit, is_walking = changed_by(call, file["commit_id"], path)
    return project_view(
        call, "blob", "code", ref=ref, file_path=path, crumbs=crumbs_of(path), file=file,
        is_whole=len(content) == file["size"], twin=branch_behind_tag(call, ref), commit=commit, is_walking=is_walking,
        can_write=can_push(call), link=link_target(call, file["commit_id"], path, content), **ref_choices(call),
        **data,
    )  # fmt: skip


def _content(call: PageCall, content: bytes, ref: str, path: str, *, is_whole: bool) -> dict[str, object]:
    """What is shown of a file's content: a picture, rendered text, or lines with colours."""
    folder, _, name = path.rpartition("/")
    name = name.lower()
    data: dict[str, object] = {"lines": None, "rendered": None, "kind": "binary", "is_cut": False, "table": None}
    pointer = lfs_size(content)
    medium = MEDIA.get(f".{name.rpartition('.')[2]}", "") if pointer is None else ""
    text = as_text(content) if not medium else None
    data |= {"wants_source": (wants_source := call.values.get("plain") == "1"), "wraps": "wrap" in call.values}
    wants_source = wants_source or not is_whole
    data["can_render"] = is_whole and name.endswith((*MARKDOWN, *TABLES, ".svg"))
    has_object = pointer is not None and can_be_sent(call, content)
    data |= {"pointer": pointer, "has_object": has_object, "medium": medium}
    is_short = is_whole and len(content) <= LONGEST_EDITED
    data["can_edit"] = is_short and text is not None and pointer is None and is_plain_text(content)
    if name.endswith(PICTURES) and not wants_source and (pointer is None or has_object):
        data["kind"] = "picture"
    elif text is not None:
        count = text.count("\n") + (not text.endswith("\n") and bool(text))
        data |= {"kind": "text", "count": count if is_whole else None}
        if name.endswith(MARKDOWN) and not wants_source:
            data["rendered"] = markdown(call, text, ref=ref, folder=folder)
        elif name.endswith(TABLES) and not wants_source and (table := table_of(text[:PLAIN_LIMIT], name)):
            data["table"] = table
        else:
            is_cut = not is_whole or len(content) > PLAIN_LIMIT or count > MOST_LINES
            shown = "\n".join(text.split("\n", FIRST_LINES)[:FIRST_LINES])[:PLAIN_LIMIT] if is_cut else text
            data |= {"is_cut": is_cut, "is_odd": has_hidden_signs(shown)}
            data["lines"] = shown_lines(shown, highlighted_lines(shown, name, call.services.shared_cache))
    else:
        data["bytes"] = first_bytes(content)
    return data


@pages.get("raw/{rest*}", guard=CODE)
def show_raw(call: PageCall) -> Response:
    """The bytes of a file, never run as a page of this server."""
    ref, path = split(call, call.path["rest"])
    lfs = call.values.get("lfs") == "true" or None
    if is_opened(call.services, call.request, path) and lfs is None and call.values.get("inline") != "false":
        return open_committed(call, str(call.project.id), ref, path)
    tag = tag_of_file(call, ref, path)
    if is_known(call, tag):
        response = Response(status_code=304)
    else:
        response = call.ask_response("/projects/:id/repository/files/:file_path/raw", file_path=path, ref=ref, lfs=lfs)
    with_tag(call, tag, response)
    name = path.rpartition("/")[2]
    if call.values.get("inline") == "false":
        response.headers["Content-Disposition"] = attachment(name)
        return response
    return as_what_it_is(call.request, name, response)


@pages.get("find_file/{rest*}", guard=CODE)
def find_file(call: PageCall) -> View | Response:
    """The paths of a revision that have all the words, wherever they are. The form leads to the only one."""
    ref, _ = split(call, call.path["rest"])
    search = text(call, "q")
    commit = call.ask("/projects/:id/repository/commits/:sha", sha=ref, stats=False)
    entries = list_tree(repository_of(call.services, call.project), commit["id"], recursive=True)
    words = search.lower().split()
    files = [entry.path for entry in entries if entry.type == "blob"]
    paths = [path for path in files if all(word in path.lower() for word in words)]
    if search and len(paths) == 1 and "open" in call.values:
        return RedirectResponse(f"/{call.project.full_path}/-/blob/{quote(ref)}/{quote(paths[0])}", 302)
    return project_view(
        call, "find_file", "code", ref=ref, paths=paths[:MOST_FOUND], count=len(paths), search=search,
        **ref_choices(call),
    )  # fmt: skip


@pages.get("switch_ref", guard=CODE)
def switch_ref(call: PageCall) -> Response:
    """Redirect from the branch picker."""
    ref = str(call.values.get("ref", "")) or str(call.project.default_branch)
    kind = str(call.values.get("kind", ""))
    if ref in LISTS:
        return RedirectResponse(f"/{call.project.full_path}/-/{LISTS[ref]}", 302)
    path = text(call, "path").strip("/")
    if path and kind in PLACES and _exists(call, ref, path, kind):
        ref = f"{ref}/{quote(path)}"
    elif kind in ("blob", "blame") or kind not in KINDS:
        kind = "tree"
    return RedirectResponse(f"/{call.project.full_path}/-/{kind}/{ref}", 302)


def _exists(call: PageCall, ref: str, path: str, kind: str) -> bool:
    """The revision has a folder, or a file, of this path; a history may have ended."""
    if kind == "commits":
        return True
    if kind == "tree":
        return bool(call.ask_or_none("/projects/:id/repository/tree", path=path, ref=ref, per_page="1"))
    repository = repository_of(call.services, call.project)
    sha = revisions.find(repository, ref)
    entry = find_entry(repository, sha, path) if sha else None
    return entry is not None and entry.type == "blob"


def _badges(call: PageCall) -> list[Any]:
    rows = call.ask_or_none("/projects/:id/badges", per_page="20") or []
    return [{**row, "picture": shown_from(call, foreign(row["rendered_image_url"]))} for row in rows]


def _licence(project: Mapping[str, object]) -> dict[str, object]:
    url = project.get("license_url")
    return {"licence": project.get("license"), "licence_url": urlsplit(url).path if isinstance(url, str) else ""}


def _bar(languages: dict[str, float]) -> list[dict[str, object]]:
    """Parts of the languages bar with their positions."""
    result, start = [], 0.0
    for number, (name, share) in enumerate(sorted(languages.items(), key=lambda part: -part[1])[:8]):
        result.append({"name": name, "share": share, "x": round(start, 2), "class": f"hue{number % 8}"})
        start += share
    return result
