"""The visitor's GPG keys."""

from starlette.responses import Response

from ingot.access.policy import SIGNED_IN
from ingot.kit.errors import ApiError
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.guards import Proved
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import done

pages = Pages("site")
ADDRESS = "-/user_settings/gpg_keys"


@pages.get(ADDRESS, guard=SIGNED_IN)
def list_gpg_keys(call: PageCall) -> View:
    """The visitor's GPG keys."""
    return _keys(call)


@pages.post(ADDRESS, guard=Proved(SIGNED_IN))
def add_gpg_key(call: PageCall) -> View | Response:
    """Add a key; a refused form is shown again with its text."""
    key = str(call.values.get("key", "")).strip()
    try:
        call.ask("/user/gpg_keys", "POST", key=key)
    except ApiError as error:
        if error.status not in (400, 422):
            raise
        return _keys(call, key, refusal_of(error), error.status)
    return done(call, f"/{ADDRESS}", "Key added.")


@pages.post(ADDRESS + "/{number:int}/remove", guard=Proved(SIGNED_IN))
def remove_gpg_key(call: PageCall) -> Response:
    """Remove a key."""
    call.ask("/user/gpg_keys/:key_id", "DELETE", key_id=call.path["number"])
    return done(call, f"/{ADDRESS}", "Key removed.")


@pages.post(ADDRESS + "/{number:int}/revoke", guard=Proved(SIGNED_IN))
def revoke_gpg_key(call: PageCall) -> Response:
    """Revoke a key."""
    call.ask("/user/gpg_keys/:key_id/revoke", "POST", key_id=call.path["number"])
    return done(call, f"/{ADDRESS}", "Key revoked.")


def _keys(call: PageCall, key: str = "", problem: str = "", status: int = 200) -> View:
    rows = call.ask_rows("/user/gpg_keys", per_page="100")
    return site_view(call, "gpg_keys", status, rows=rows, key=key, problem=problem, part="gpg_keys")
