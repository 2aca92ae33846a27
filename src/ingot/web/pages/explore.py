"""Home and explore."""

from urllib.parse import urlencode

import msgspec
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from ingot.access.policy import SIGNED_IN
from ingot.features.ci.pipelines import failed_pipelines
from ingot.features.spaces.appearance import current_look
from ingot.features.spaces.projects import starred_among
from ingot.instance.settings import application_setting
from ingot.web import assets
from ingot.web.call import PageCall, Rows, View
from ingot.web.frames import site_view
from ingot.web.registry import Pages
from ingot.web.request_facts import WAITS

pages = Pages("site")
# Commit by commit and file by file there are more pages than any crawler should walk.
HIDDEN = (
    "/*/-/archive/", "/*/-/blame/", "/*/-/commits/", "/*/-/compare", "/*/-/graphs/", "/*/-/network/", "/*/-/raw/",
    "/api/", "/users/", "/search",
)  # fmt: skip
# What waits for somebody, by the parameter that names them.
WAITING = {
    "reviews": ("/merge_requests", "reviewer_id"), "assigned": ("/merge_requests", "assignee_id"),
    "issues": ("/issues", "assignee_id"),
}  # fmt: skip
ORDERS = {
    "last_activity_at": "Last updated", "name": "Name", "star_count": "Most stars",
    "created_at": "Newest",
}  # fmt: skip
ROBOTS = "User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in HIDDEN)


@pages.get("home")
def show_home(call: PageCall) -> View | Response:
    """The dashboard; public projects for anonymous visitors, or where administrators send them."""
    if call.actor.is_anonymous:
        elsewhere = application_setting(call.conn, "home_page_url")
        is_here = not elsewhere or elsewhere.rstrip("/") == call.base_url.rstrip("/")
        return _all_projects(call) if is_here else RedirectResponse(elsewhere, 302)
    return site_view(
        call,
        "dashboard",
        **{name: _waiting(call, address, role) for name, (address, role) in WAITING.items()},
        failed=[msgspec.structs.asdict(row) for row in failed_pipelines(call.conn, call.actor)],
        todos=call.ask_rows("/todos", per_page="5"),
        projects=call.ask_rows("/projects", membership=True, order_by="last_activity_at", per_page="10"),
        base=call.base_url,
    )


def _waiting(call: PageCall, address: str, role: str) -> Rows:
    own = {role: call.actor.id, "state": "opened", "scope": "all", "with_labels_details": True, "per_page": "10"}
    if address == "/merge_requests":
        own["with_merge_status_recheck"] = True
    rows = call.ask_rows(address, **own)
    for row in rows.items:
        row["waits"] = WAITS.get(row.get("detailed_merge_status", ""), "")
    return rows


@pages.get("dashboard")
def dashboard(_: PageCall) -> Response:
    """The dashboard is the first page."""
    return RedirectResponse("/", 302)


@pages.get("explore")
def explore(_: PageCall) -> Response:
    """Explore begins with projects."""
    return RedirectResponse("/explore/projects", 302)


@pages.get("explore/projects")
def show_projects(call: PageCall) -> View:
    """Projects that the visitor may see, the latest change first."""
    return _all_projects(call)


@pages.get("explore/projects/topics")
def show_topics(call: PageCall) -> View:
    """All topics, the most used first."""
    search = _text(call, "search")
    return site_view(call, "topics", rows=call.ask_rows("/topics", search=search or None), search=search)


@pages.get("explore/projects/topics/{name}")
def show_topic(call: PageCall) -> View:
    """Projects with a topic."""
    return _projects(call, f"Topic: {call.path['name']}", topic=call.path["name"])


@pages.get("explore/groups")
def show_groups(call: PageCall) -> View:
    """Groups that the visitor may see."""
    search = _text(call, "search")
    rows = call.ask_rows("/groups", search=search or None, all_available=True)
    return site_view(call, "explore_groups", rows=rows, search=search, heading="Explore groups")


@pages.get("dashboard/projects", guard=SIGNED_IN)
def show_own_projects(call: PageCall) -> View:
    """Projects that the visitor is a member of."""
    return _projects(call, "Your projects", membership=True)


@pages.get("dashboard/projects/starred", guard=SIGNED_IN)
def show_starred_projects(call: PageCall) -> View:
    """Projects that the visitor has starred."""
    return _projects(call, "Starred projects", starred=True)


@pages.get("dashboard/groups", guard=SIGNED_IN)
def show_own_groups(call: PageCall) -> View:
    """Groups that the visitor is a member of."""
    search = _text(call, "search")
    rows = call.ask_rows("/groups", search=search or None, all_available=False, min_access_level="10")
    return site_view(call, "explore_groups", rows=rows, search=search, heading="Your groups")


@pages.get("projects/{number:int}")
def redirect_to_project(call: PageCall) -> Response:
    """A project by its number."""
    project = call.ask("/projects/:id", id=call.path["number"])
    return RedirectResponse(f"/{project['path_with_namespace']}", 302)


@pages.get("robots.txt")
def robots(_: PageCall) -> Response:
    """Paths that crawlers should not visit."""
    return PlainTextResponse(ROBOTS)


@pages.get("favicon.ico")
def favicon(call: PageCall) -> Response:
    """The icon, at the address that browsers request."""
    return RedirectResponse(current_look(call.services.db).favicon or assets.address("mark.svg"), 302)


def _all_projects(call: PageCall) -> View:
    return _projects(call, "Explore projects")


def _projects(call: PageCall, heading: str, **which: object) -> View:
    """A list of projects, which can be narrowed, sorted and starred."""
    search, order = _text(call, "search"), _text(call, "order")
    order = order if order in ORDERS else "last_activity_at"
    sort = "asc" if order == "name" else "desc"
    rows = call.ask_rows("/projects", search=search or None, order_by=order, sort=sort, **which)
    chosen = {"search": search, "order": order if order != "last_activity_at" else ""}
    return site_view(
        call, "explore_projects", rows=rows, search=search, heading=heading, order=order, orders=ORDERS,
        query=urlencode({name: value for name, value in chosen.items() if value}),
        starred_ids=starred_among(call.conn, call.actor.user_id, [row["id"] for row in rows.items]),
    )  # fmt: skip


def _text(call: PageCall, name: str) -> str:
    value = call.values.get(name, "")
    return value.strip() if isinstance(value, str) else ""
