"""Addresses without `/-/`: a path may be that of a project or a group, or end in what was once the page of a project.

What the visitor may not see is taken for what is not there, so that no answer tells of it.
"""

from collections.abc import Iterator
from urllib.parse import quote, unquote

from starlette.responses import RedirectResponse, Response

from ingot.access.names import MAX_ANCESTORS, RESERVED_BELOW
from ingot.access.subjects import find_group, find_moved_group, find_moved_project, find_project
from ingot.web.call import PageCall

GIT = ".git"
# Pages of a project that once had no `/-/` in their address.
FORMER = frozenset(
    {
        "blob", "tree", "raw", "blame", "commit", "commits", "compare", "issues", "merge_requests", "pipelines",
        "builds", "jobs", "tags", "branches", "milestones", "labels", "environments", "releases", "snippets",
        "boards", "wikis",
    }
)  # fmt: skip


def find_elsewhere(call: PageCall) -> Response | None:
    """The redirect to what the visitor means; None where it is the page that was found, or nothing.

    Projects and groups may be called `labels` or `releases`, too: those that are there go before former addresses.
    """
    raw = _raw_path(call)
    if not call.is_read or call.endpoint.tag != "project" or "-" in raw.split("/"):
        return None
    conn, actor, place = call.conn, call.actor, call.path["id"]
    if find_project(conn, actor, place) is not None:
        return None
    whole = unquote(raw)
    if call.otherwise is not None and find_project(conn, actor, whole) is not None:
        call.endpoint, call.path = call.otherwise
        return None
    former = list(_former_places(raw))
    for project, address in former:
        if find_project(conn, actor, project) is not None:
            return _redirect(call, address, 301)
    group = find_group(conn, actor, whole)
    if group is not None:
        return _redirect(call, f"/groups/{group.full_path}", 302)
    if find_moved_project(conn, actor, place) is not None:
        return None  # its guard redirects
    for project, address in former:
        if find_moved_project(conn, actor, project) is not None:
            return _redirect(call, address, 301)
    if find_moved_group(conn, actor, whole) is not None:
        return _redirect(call, f"/groups/{whole}", 302)  # which tells where it is now
    return _redirect(call, former[0][1], 301) if former else None


def _raw_path(call: PageCall) -> str:
    """As it was asked for: names of branches and files may have signs that mean something in addresses."""
    scope = call.request.scope
    path: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    return "/".join(part for part in path.partition(b"?")[0].decode("latin-1").split("/") if part)


def _former_places(path: str) -> Iterator[tuple[str, str]]:
    """Projects that a former address may belong to, with the present address."""
    parts = path.split("/")
    # Each is looked up: no place is deeper, and none lies below a name that only pages have.
    for at in range(2, min(len(parts), MAX_ANCESTORS + 3)):
        if parts[at] in FORMER:
            project, word = "/".join(parts[:at]), "jobs" if parts[at] == "builds" else parts[at]
            yield unquote(project), "/" + "/".join([project, "-", word, *parts[at + 1 :]])
        if parts[at] in RESERVED_BELOW:
            break
    if path.endswith(GIT):
        # The address that git clones from, in a browser.
        yield unquote(path.removesuffix(GIT)), f"/{path.removesuffix(GIT)}"


def _redirect(call: PageCall, address: str, status: int) -> Response:
    query = f"?{call.request.url.query}" if call.request.url.query else ""
    return RedirectResponse(f"{address}{query}", status)
