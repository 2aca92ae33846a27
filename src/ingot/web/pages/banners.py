"""Closing a message of the administrators."""

from starlette.responses import Response

from ingot.access.policy import SIGNED_IN
from ingot.features.people.user_pages import local_path, set_cookie
from ingot.web.banners import COOKIE
from ingot.web.call import PageCall
from ingot.web.registry import Pages
from ingot.web.sending import done, text

pages = Pages("site")
YEAR = 365 * 24 * 3600  # seconds


@pages.post("-/broadcast_messages/{number:int}/dismiss", guard=SIGNED_IN)
def close_message(call: PageCall) -> Response:
    """Show it no longer in this browser."""
    response = done(call, local_path(text(call, "back"), fallback="/"), "Message closed.")
    set_cookie(response, f"{COOKIE}{call.path['number']}", "true", call.base_url, max_age=YEAR)
    return response
