"""What the visitor wants to be mailed, in general and about one project or group."""

from starlette.responses import Response

from ingot.access.policy import SIGNED_IN
from ingot.features.people.users import own_addresses
from ingot.features.spaces.notification_settings import EVENTS
from ingot.web.call import PageCall, View
from ingot.web.frames import group_view, project_view, site_view
from ingot.web.guards import InGroup, InProject
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text

pages = Pages("site")
project = Pages("project")
group = Pages("group")
ADDRESS = "-/profile/notifications"
LEVELS = {
    "participating": "Participating: threads I take part in",
    "watch": "Watch: all activity in my projects and groups",
    "mention": "Only when I am mentioned",
    "custom": "Custom: threads I take part in and the events selected below",
    "disabled": "Nothing",
}
AS_IN_GENERAL = {"global": "Use my global setting"}
PLACE = "notifications"  # below a project or group


@pages.get(ADDRESS, guard=SIGNED_IN)
def show_notifications(call: PageCall) -> View:
    """The general settings, in a form."""
    return _form(call)


@pages.post(ADDRESS, guard=SIGNED_IN)
def save_notifications(call: PageCall) -> View | Response:
    """Save them; the events count at the level `custom`."""
    level = text(call, "level")
    values: dict[str, object] = {"level": level, "notified_of_own_activity": "notified_of_own_activity" in call.values}
    if address := text(call, "notification_email"):
        values["notification_email"] = address
    values |= _events(call, level)
    view = refused(
        lambda: call.ask("/notification_settings", "PUT", **values),
        lambda problem, status: _form(call, problem, status),
    )
    return view or done(call, f"/{ADDRESS}", "Notifications saved.")


def _form(call: PageCall, problem: str = "", status: int = 200) -> View:
    chosen = call.ask("/notification_settings")
    return site_view(
        call, "notifications", status, chosen=chosen, levels=LEVELS, events=_offered(call), problem=problem,
        addresses=own_addresses(call.conn, call.actor.id), part="notifications",
    )  # fmt: skip


@project.get(PLACE, guard=InProject(needs_user=True))
@group.get(PLACE, guard=InGroup(needs_user=True))
def show_place(call: PageCall) -> View:
    """What the visitor is mailed about this project or group."""
    return _place_form(call)


@project.post(PLACE, guard=InProject(needs_user=True))
@group.post(PLACE, guard=InGroup(needs_user=True))
def save_place(call: PageCall) -> View | Response:
    """Save it."""
    level = text(call, "level")
    address, root = _place(call)
    view = refused(
        lambda: call.ask(address, "PUT", level=level, **_events(call, level)),
        lambda problem, status: _place_form(call, problem, status),
    )
    return view or done(call, f"{root}/-/{PLACE}", "Notifications saved.")


def _offered(call: PageCall) -> list[tuple[str, str]]:
    """The events with the words that the API has for them."""
    fields = call.params_at("PUT", "/notification_settings").fields
    return [(name, fields[name].doc.rstrip(".")) for name in EVENTS]


def _events(call: PageCall, level: str) -> dict[str, object]:
    """The events that are ticked, which count at one level only."""
    return {name: name in call.values for name in EVENTS} if level == "custom" else {}


def _place(call: PageCall) -> tuple[str, str]:
    """The endpoint of the place's settings, and the path of the place."""
    if call.project_or_none is not None:
        return "/projects/:id/notification_settings", f"/{call.project.full_path}"
    return "/groups/:id/notification_settings", f"/groups/{call.group.full_path}"


def _place_form(call: PageCall, problem: str = "", status: int = 200) -> View:
    is_project = call.project_or_none is not None
    view, tab = (project_view, "code") if is_project else (group_view, "overview")
    return view(
        call, "place_notifications", tab, status, chosen=call.ask(_place(call)[0]), levels=AS_IN_GENERAL | LEVELS,
        events=_offered(call), problem=problem,
    )  # fmt: skip
