"""Lists of a project: activity, forks, stars; and starring it."""

from itertools import groupby

from starlette.responses import Response

from ingot.features.people.user_pages import local_path
from ingot.web.call import PageCall, View
from ingot.web.event_links import unlink_gone_pages
from ingot.web.frames import project_view
from ingot.web.registry import Pages
from ingot.web.sending import done, text

pages = Pages("project")


@pages.get("forks")
def list_forks(call: PageCall) -> View:
    """Projects made from this one."""
    can_fork = call.may("POST", "/projects/:id/fork")
    return project_view(call, "forks", "code", rows=call.ask_rows("/projects/:id/forks"), can_fork=can_fork)


@pages.get("starrers")
def list_starrers(call: PageCall) -> View:
    """People who starred the project."""
    return project_view(call, "starrers", "code", rows=call.ask_rows("/projects/:id/starrers"))


@pages.get("activity")
def list_activity(call: PageCall) -> View:
    """What happened lately, by day."""
    rows = call.ask_rows("/projects/:id/events")
    unlink_gone_pages(call, rows.items)
    days = [(day, list(part)) for day, part in groupby(rows.items, key=lambda row: row["created_at"][:10])]
    return project_view(call, "activity", "code", rows=rows, days=days)


@pages.post("star")
def star(call: PageCall) -> Response:
    """Star the project."""
    call.ask("/projects/:id/star", "POST")
    return _back(call, "Starred.")


@pages.post("unstar")
def unstar(call: PageCall) -> Response:
    """Take the star back."""
    call.ask("/projects/:id/unstar", "POST")
    return _back(call, "Unstarred.")


def _back(call: PageCall, words: str) -> Response:
    """The page with the button: the project's, or a list."""
    return done(call, local_path(text(call, "back"), fallback=f"/{call.project.full_path}"), words)
