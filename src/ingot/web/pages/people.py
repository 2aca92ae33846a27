"""People: profile, contributions, projects; and following them."""

from datetime import date, timedelta
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import SIGNED_IN
from ingot.access.subjects import find_group, find_moved_group
from ingot.features.review.events import contributions_of
from ingot.features.spaces.projects import visible_paths
from ingot.kit.clock import today
from ingot.kit.errors import NotFound
from ingot.web.answers import Event
from ingot.web.call import PageCall, View
from ingot.web.event_links import unlink_gone_pages
from ingot.web.frames import count_lists, site_view
from ingot.web.markdown import markdown
from ingot.web.registry import Pages
from ingot.web.sending import done

pages = Pages("site")
WEEKS = 53
STEPS = (1, 4, 10, 20)  # contributions of a day from which a darker shade is used


class ShownEvent(Event):
    """An event, with the project if the visitor may see it."""

    project: object


@pages.get("namespace/{name}")
def show_namespace(call: PageCall) -> View | Response:
    """A user, or a redirect to a group."""
    name = call.path["name"]
    users = call.ask_or_none("/users", username=name)
    query = f"?{call.request.url.query}" if call.request.url.query else ""
    if users and users[0]["username"] != name:
        return RedirectResponse(f"/{users[0]['username']}{query}", 301)
    if users:
        return _user(call, call.ask_or_none("/users/:id", id=users[0]["id"]) or users[0])
    group = None if name.isdigit() else find_group(call.conn, call.actor, name)
    if group is None and find_moved_group(call.conn, call.actor, name) is not None:
        return RedirectResponse(f"/groups/{name}{query}", 302)  # which tells where it is now
    if group is None:
        raise NotFound
    return RedirectResponse(f"/groups/{group.full_path}{query}", 302)


@pages.get("users/{name}")
def redirect_to_user(call: PageCall) -> Response:
    """Another address of the same page."""
    return RedirectResponse(_place(call), 302)


@pages.get("users/{name}/{part}")
def redirect_to_part(call: PageCall) -> Response:
    """Parts of the page have addresses of their own elsewhere."""
    if call.path["part"] not in ("projects", "contributed", "starred", "activity", "followers", "following"):
        raise NotFound
    return RedirectResponse(f"{_place(call)}#{call.path['part']}", 302)


def _place(call: PageCall) -> str:
    """The page of the person; a name that begins with a slash must not lead to another server."""
    return f"/{quote(call.path['name'], safe='')}"


@pages.post("users/{name}/follow", guard=SIGNED_IN)
def follow(call: PageCall) -> Response:
    """Follow somebody."""
    return _follow(call, "follow")


@pages.post("users/{name}/unfollow", guard=SIGNED_IN)
def unfollow(call: PageCall) -> Response:
    """Follow somebody no longer."""
    return _follow(call, "unfollow")


def _follow(call: PageCall, verb: str) -> Response:
    users = call.ask("/users", username=call.path["name"])
    if not users:
        raise NotFound("User")
    call.ask(f"/users/:id/{verb}", "POST", id=users[0]["id"])
    return done(
        call,
        f"/{users[0]['username']}",
        f"You {'follow' if verb == 'follow' else 'no longer follow'} {users[0]['name']}.",
    )


def _user(call: PageCall, user: dict[str, object]) -> View:
    number = user["id"]
    days = contributions_of(call.conn, call.actor, int(str(number)))
    return site_view(
        call, "user", user=user, bio=markdown(call, str(user.get("bio") or "")), events=_events(call, int(str(number))),
        status=call.ask_or_none("/users/:user_id/status", user_id=number), is_followed=user.get("is_followed"),
        **count_lists(call, {name: (f"/users/:id/{name}", {"id": number}) for name in ("followers", "following")}),
        rows=call.ask_rows_or_none("/users/:user_id/projects", user_id=number, order_by="last_activity_at"),
        starred=call.ask_rows_or_none("/users/:user_id/starred_projects", user_id=number, per_page="10"),
        calendar=_calendar(days), contributed=sum(days.values()),
    )  # fmt: skip


def _calendar(days: dict[str, int]) -> list[dict[str, object]]:
    """One square for each day of the last year: its place, its shade and what it says."""
    last = today()
    first = last - timedelta(days=last.weekday() + 7 * (WEEKS - 1))
    return [_square(first + timedelta(days=number), number, days) for number in range((last - first).days + 1)]


def _square(day: date, number: int, days: dict[str, int]) -> dict[str, object]:
    count = days.get(day.isoformat(), 0)
    shade = sum(count >= step for step in STEPS)
    return {"x": 13 * (number // 7), "y": 13 * (number % 7), "shade": shade, "day": day.isoformat(), "count": count}


def _events(call: PageCall, user_id: int) -> list[ShownEvent]:
    """What somebody did lately, with the projects that the visitor may see."""
    events: list[ShownEvent] = call.ask_or_none("/users/:user_id/events", user_id=user_id, per_page="20") or []
    numbers = {event["project_id"] for event in events if event["project_id"]}
    projects = visible_paths(call.conn, call.actor, numbers)
    for event in events:
        event["project"] = projects.get(event["project_id"] or 0)
    unlink_gone_pages(call, events)
    return events
