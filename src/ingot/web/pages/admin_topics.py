"""Merging two topics: projects of the one get the other."""

from starlette.responses import Response

from ingot.web.call import PageCall, View
from ingot.web.guards import ADMINISTRATION
from ingot.web.pages.admin import admin_view
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text

pages = Pages("site")
PLACE = "admin/topics/merge"
ENDS = ("source_topic_id", "target_topic_id")


@pages.get(PLACE, guard=ADMINISTRATION)
def show_merging(call: PageCall) -> View:
    """The form."""
    return _form(call)


@pages.post(PLACE, guard=ADMINISTRATION)
def merge_topics(call: PageCall) -> View | Response:
    """Merge them; a refused form comes back filled."""
    given = {name: text(call, name) for name in ENDS}
    view = refused(
        lambda: call.ask("/topics/merge", "POST", **given), lambda problem, status: _form(call, problem, status)
    )
    return view or done(call, "/admin/topics", "Topics merged.")


def _form(call: PageCall, problem: str = "", status: int = 200) -> View:
    values = {name: text(call, name) for name in ENDS}
    return admin_view(
        call, "admin_topics_merge", "", status, topics=call.ask("/topics", per_page="100"), values=values,
        problem=problem,
    )  # fmt: skip
