"""Files with the commit of each line."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from ingot.gitstore.model import text
from ingot.kit.errors import NotFound
from ingot.web.answers import BlamedLines
from ingot.web.call import PageCall, Rows, View
from ingot.web.file_views import age_of, shown_lines
from ingot.web.folders import crumbs_of, ref_choices
from ingot.web.frames import project_view
from ingot.web.guards import InHistory
from ingot.web.read_files import read_file
from ingot.web.registry import Pages
from ingot.web.revisions import branch_behind_tag, split
from ingot.web.sending import page_number
from ingot.web.texts import highlighted_lines
from ingot.web.waiting import if_ready

pages = Pages("project")
BLAMED = 2000  # lines on a page


@pages.get("blame/{rest*}", guard=InHistory())
def show_blame(call: PageCall) -> View:
    """Who last changed which lines."""
    ref, path = split(call, call.path["rest"])
    page = page_number(call)
    read = read_file(call, ref, path) if path else None
    if read is None:
        raise NotFound("File")
    file, content = read
    problem = _problem(content, is_whole=len(content) == file["size"])
    ranges = [] if problem else if_ready(call, lambda: _blamed(call, ref, path, (page - 1) * BLAMED + 1))
    data = _blame_page(call, _unblamed(content, page) if ranges is None else ranges, path, page)
    return project_view(
        call, "blame", "code", ref=ref, file_path=path, crumbs=crumbs_of(path), page_number=page,
        is_waiting=ranges is None, problem=problem, twin=branch_behind_tag(call, ref), **ref_choices(call), **data,
    )  # fmt: skip


def _problem(content: bytes, *, is_whole: bool) -> str:
    """Why nobody is blamed for the lines of a file."""
    if not is_whole:
        return "This file is too large for blame."
    return "A binary file has no lines." if b"\0" in content else ""


def _unblamed(content: bytes, page: int) -> list[BlamedLines]:
    """The lines of a page, and one more, while git looks for their commits."""
    lines = content.removesuffix(b"\n").split(b"\n") if content else []
    shown = [text(line).rstrip("\r") for line in lines[(page - 1) * BLAMED : page * BLAMED + 1]]
    return [{"commit": None, "lines": shown}] if shown else []


def _blamed(call: PageCall, ref: str, path: str, first: int) -> list[BlamedLines]:
    """The lines of a page from this one on, and one more."""
    lines = {"start": str(first), "end": str(first + BLAMED)}
    address = "/projects/:id/repository/files/:file_path/blame"
    ranges: list[BlamedLines] = call.ask(address, file_path=path, ref=ref, range=lines)
    return ranges


def _blame_page(call: PageCall, ranges: Sequence[BlamedLines], path: str, page: int) -> dict[str, object]:
    first = (page - 1) * BLAMED + 1
    blocks = _blocks(call, ranges, path.rpartition("/")[2].lower(), first)
    has_more = bool(blocks) and blocks[-1]["first"] + len(blocks[-1]["lines"]) > first + BLAMED
    if has_more:
        blocks[-1]["lines"].pop()
    rows = Rows([], page, page + 1 if has_more else None, page - 1 or None, None)
    return {"blocks": [row for row in blocks if row["lines"]], "rows": rows}


def _blocks(call: PageCall, ranges: Sequence[BlamedLines], name: str, number: int) -> list[dict[str, Any]]:
    """Lines that one commit wrote, with their colours; the first of them has this number."""
    lines = [line for part in ranges for line in part["lines"]]
    whole = "\n".join(lines) + "\n"
    coloured = iter(shown_lines(whole, highlighted_lines(whole, name, call.services.shared_cache)))
    blocks = []
    for part in ranges:
        shown = [next(coloured, "") for _ in part["lines"]]
        commit = part["commit"]
        age = age_of(commit["committed_date"]) if commit else None
        blocks.append({"commit": commit, "age": age, "first": number, "lines": shown})
        number += len(shown)
    return blocks


@pages.get("blame_before/{rest*}", guard=InHistory())
def show_blame_before(call: PageCall) -> Response:
    """The lines as they were before a commit; the commit itself, where the file begins with it."""
    sha, path = split(call, call.path["rest"])
    commit = call.ask("/projects/:id/repository/commits/:sha", sha=sha, stats=False)
    root = f"/{call.project.full_path}/-"
    for parent in commit["parent_ids"][:1]:
        if call.ask_or_none("/projects/:id/repository/files/:file_path", file_path=path, ref=parent):
            return RedirectResponse(f"{root}/blame/{parent}/{quote(path)}", 302)
    return RedirectResponse(f"{root}/commit/{commit['id']}", 302)
