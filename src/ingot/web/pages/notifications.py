"""What the visitor wants to be mailed, in general."""

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import SIGNED_IN
from ingot.features.people.users import own_addresses
from ingot.features.spaces.notification_settings import EVENTS
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.registry import Pages
from ingot.web.sending import refused, text

pages = Pages("site")
ADDRESS = "-/profile/notifications"
LEVELS = {
    "participating": "Threads that I take part in",
    "watch": "Everything in my projects and groups",
    "mention": "Only where I am mentioned",
    "custom": "Threads that I take part in, and what is chosen below",
    "disabled": "Nothing",
}


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
    if level == "custom":
        values |= {name: name in call.values for name in EVENTS}
    view = refused(
        lambda: call.ask("/notification_settings", "PUT", **values),
        lambda problem, status: _form(call, problem, status),
    )
    return view or RedirectResponse(f"/{ADDRESS}?saved=1", 303)


def _form(call: PageCall, problem: str = "", status: int = 200) -> View:
    chosen = call.ask("/notification_settings")
    return site_view(
        call, "notifications", status, chosen=chosen, levels=LEVELS, events=EVENTS, problem=problem,
        saved=text(call, "saved"), addresses=own_addresses(call.conn, call.actor.id), part="notifications",
    )  # fmt: skip
