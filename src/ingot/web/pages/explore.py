"""Home, explore, search and user pages."""

from starlette.responses import PlainTextResponse, RedirectResponse, Response

from ingot.access.policy import SIGNED_IN
from ingot.access.subjects import find_group
from ingot.kit.errors import NotFound
from ingot.web import assets
from ingot.web.answers import Event
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.markdown import markdown
from ingot.web.registry import Pages

pages = Pages("site")
SCOPES: dict[str, tuple[str, dict[str, object]]] = {
    "projects": ("/projects", {"simple": False}),
    "groups": ("/groups", {"all_available": True}),
    "users": ("/users", {}),
    "issues": ("/issues", {"scope": "all"}),
    "merge_requests": ("/merge_requests", {"scope": "all"}),
}
# Commit by commit and file by file there are more pages than any crawler should walk.
HIDDEN = ("/*/-/blame/", "/*/-/commits/", "/*/-/compare", "/*/-/raw/", "/api/", "/users/", "/search")
ROBOTS = "User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in HIDDEN)


class ShownEvent(Event):
    """An event, with the project if the visitor may see it."""

    project: object


@pages.get("home")
def show_home(call: PageCall) -> View:
    """The dashboard; public projects for anonymous visitors."""
    if call.actor.is_anonymous:
        return _all_projects(call)
    return site_view(
        call,
        "dashboard",
        reviews=call.ask_rows("/merge_requests", reviewer_id=call.actor.id, state="opened", scope="all"),
        assigned=call.ask_rows("/merge_requests", assignee_id=call.actor.id, state="opened", scope="all"),
        issues=call.ask_rows("/issues", assignee_id=call.actor.id, state="opened", scope="all"),
        todos=call.ask_rows("/todos", per_page="5"),
        projects=call.ask_rows("/projects", membership=True, order_by="last_activity_at", per_page="10"),
    )


@pages.get("explore")
def explore(_: PageCall) -> Response:
    """Explore begins with projects."""
    return RedirectResponse("/explore/projects", 302)


@pages.get("explore/projects")
def show_projects(call: PageCall) -> View:
    """Projects that the visitor may see, the latest change first."""
    return _all_projects(call)


@pages.get("explore/projects/topics/{name}")
def show_topic(call: PageCall) -> View:
    """Projects with a topic."""
    rows = call.ask_rows("/projects", topic=call.path["name"], order_by="last_activity_at")
    return site_view(call, "explore_projects", rows=rows, search="", heading=f"Topic: {call.path['name']}")


@pages.get("explore/groups")
def show_groups(call: PageCall) -> View:
    """Groups that the visitor may see."""
    search = _text(call, "search")
    rows = call.ask_rows("/groups", search=search or None, all_available=True)
    return site_view(call, "explore_groups", rows=rows, search=search, heading="Explore groups", in_explore=True)


@pages.get("dashboard/projects", guard=SIGNED_IN)
def show_own_projects(call: PageCall) -> View:
    """Projects that the visitor is a member of."""
    search = _text(call, "search")
    rows = call.ask_rows("/projects", search=search or None, membership=True, order_by="last_activity_at")
    return site_view(call, "explore_projects", rows=rows, search=search, heading="Your projects")


@pages.get("dashboard/projects/starred", guard=SIGNED_IN)
def show_starred_projects(call: PageCall) -> View:
    """Projects that the visitor has starred."""
    rows = call.ask_rows("/projects", starred=True, order_by="last_activity_at")
    return site_view(call, "explore_projects", rows=rows, search="", heading="Starred projects")


@pages.get("dashboard/groups", guard=SIGNED_IN)
def show_own_groups(call: PageCall) -> View:
    """Groups that the visitor is a member of."""
    rows = call.ask_rows("/groups", all_available=False, min_access_level="10")
    return site_view(call, "explore_groups", rows=rows, search="", heading="Your groups")


@pages.get("search")
def search(call: PageCall) -> View:
    """Search in one kind of record at a time."""
    words, scope = _text(call, "search"), _text(call, "scope")
    scope = scope if scope in SCOPES else "projects"
    address, options = SCOPES[scope]
    rows = call.ask_rows_or_none(address, search=words, **options) if words else None
    return site_view(call, "search", rows=rows, words=words, scope=scope, scopes=list(SCOPES))


@pages.get("namespace/{name}")
def show_namespace(call: PageCall) -> View | Response:
    """A user, or a redirect to a group."""
    name = call.path["name"]
    users = call.ask_or_none("/users", username=name)
    if users:
        user = call.ask_or_none("/users/:id", id=users[0]["id"]) or users[0]
        return site_view(
            call,
            "user",
            user=user,
            bio=markdown(call, user.get("bio")),
            status=call.ask_or_none("/users/:user_id/status", user_id=user["id"]),
            events=_events(call, user["id"]),
            rows=call.ask_rows_or_none("/users/:user_id/projects", user_id=user["id"], order_by="last_activity_at"),
            starred=call.ask_rows_or_none("/users/:user_id/starred_projects", user_id=user["id"], per_page="10"),
        )
    group = None if name.isdigit() else find_group(call.conn, call.actor, name)
    if group is None:
        raise NotFound
    return RedirectResponse(f"/groups/{group.full_path}", 302)


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
def favicon(_: PageCall) -> Response:
    """The icon, at the address that browsers request."""
    return RedirectResponse(assets.address("mark.svg"), 302)


def _all_projects(call: PageCall) -> View:
    search = _text(call, "search")
    rows = call.ask_rows("/projects", search=search or None, order_by="last_activity_at")
    return site_view(call, "explore_projects", rows=rows, search=search, heading="Explore projects")


def _events(call: PageCall, user_id: int) -> list[ShownEvent]:
    """What somebody did lately, with the projects that the visitor may see."""
    events: list[ShownEvent] = call.ask_or_none("/users/:user_id/events", user_id=user_id, per_page="20") or []
    numbers = {event["project_id"] for event in events if event["project_id"]}
    projects = {number: call.ask_or_none("/projects/:id", id=number) for number in numbers}
    for event in events:
        event["project"] = projects.get(event["project_id"] or 0)
    return events


def _text(call: PageCall, name: str) -> str:
    value = call.values.get(name, "")
    return value.strip() if isinstance(value, str) else ""
