"""Names for the filters of lists, which a script asks for when somebody begins to type."""

import msgspec
from starlette.responses import Response

from ingot.access.policy import SIGNED_IN
from ingot.web.call import PageCall
from ingot.web.filter_names import offered_names
from ingot.web.registry import Pages
from ingot.web.sending import text

project = Pages("project")
group = Pages("group")
site = Pages("site")
LONGEST = 255


@project.get("filter_names")
@group.get("filter_names")
@site.get("dashboard/filter_names", guard=SIGNED_IN)
def offer_names(call: PageCall) -> Response:
    """The first names of a kind that contain what was typed."""
    offered = offered_names(call, text(call, "kind"), text(call, "search")[:LONGEST])
    return Response(
        msgspec.json.encode(offered), media_type="application/json", headers={"Cache-Control": "private, no-cache"}
    )
