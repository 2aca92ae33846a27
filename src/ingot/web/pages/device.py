"""Letting a device in that has no browser: its code is typed here."""

from ingot.access.policy import SIGNED_IN
from ingot.features.people.oauth import SCOPES, DeviceGrantRow, answer_device, find_application, find_device_grant
from ingot.instance.throttling import TooManyRequests
from ingot.kit.rate_windows import hit
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.guards import Proved
from ingot.web.registry import Pages
from ingot.web.visitors import require_session

pages = Pages("site")
PLACE = "oauth/device"
UNKNOWN = "This code is invalid or has expired. Codes are valid for five minutes. Get a new one on the device."
ALLOWED, DENIED = "The device is signed in. You can close this page.", "Access was denied. You can close this page."
PER_MINUTE, MINUTE = 10, 60


@pages.get(PLACE, guard=SIGNED_IN)
def show_device_form(call: PageCall) -> View:
    """The form for a code; a device may have put it into the address."""
    return site_view(call, "oauth_device", user_code=str(call.values.get("user_code", ""))[:20])


@pages.post(PLACE, guard=Proved(SIGNED_IN))
def check_device_code(call: PageCall) -> View:
    """Show who asks, then allow or refuse it. Codes are short, so attempts are counted."""
    session = require_session(call)
    if hit(call.services.db, f"device_code:{session.id}", MINUTE).observed > PER_MINUTE:
        raise TooManyRequests
    user_code, decision = str(call.values.get("user_code", "")), call.values.get("decision")
    with call.services.db.read() as conn:
        grant = find_device_grant(conn, user_code)
    if grant is None:
        return site_view(call, "oauth_device", 422, user_code="", problem=UNKNOWN)
    if decision not in ("allow", "deny"):
        return _confirm(call, grant)
    with call.services.db.write() as tx:
        is_first = answer_device(tx, grant, session.id, session.session_created_at, allow=decision == "allow")
    if not is_first:
        return site_view(call, "oauth_device", 422, user_code="", problem=UNKNOWN)
    return site_view(call, "oauth_device", outcome=ALLOWED if decision == "allow" else DENIED)


def _confirm(call: PageCall, grant: DeviceGrantRow) -> View:
    with call.services.db.read() as conn:
        application = find_application(conn, grant.application_id)
    scopes = [(name, SCOPES[name]) for name in grant.scopes]
    return site_view(call, "oauth_device", user_code=grant.user_code, application=application, scopes=scopes)
