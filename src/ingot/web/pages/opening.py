"""Where the host of users' files sends those whose link has ended: they get another, if they may read the file."""

from starlette.responses import Response

from ingot.kit.errors import NotFound
from ingot.web.call import PageCall
from ingot.web.opening import OPENERS
from ingot.web.registry import Pages

pages = Pages("site")


@pages.get("-/content/{kind}/{place}/{name}/{rest*}")
def renew_link(call: PageCall) -> Response:
    """The same file under a fresh link."""
    kind, place, name = call.path["kind"], call.path["place"], call.path["name"]
    if kind not in OPENERS:
        raise NotFound
    return OPENERS[kind](call, place, name, call.path["rest"].strip("/"))
