"""Cleaning up environments: stopping those that nobody uses any more, and deleting stopped review apps."""

from datetime import timedelta
from http import HTTPStatus

from starlette.responses import Response

from ingot.kit.clock import now
from ingot.kit.errors import ApiError
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text

pages = Pages("project")
STALE = "/projects/:id/environments/stop_stale"
REVIEW_APPS = "/projects/:id/environments/review_apps"
MONTH = timedelta(days=30)


@pages.get("environments/cleaning")
def show_cleaning(call: PageCall) -> View:
    """Both forms, and which review apps the second one would delete."""
    return _view(call)


@pages.post("environments/cleaning/stale")
def stop_stale(call: PageCall) -> View | Response:
    """Stop what was neither edited nor deployed to since a day."""
    since = text(call, "since")
    view = refused(
        lambda: call.ask(STALE, "POST", before=since),
        lambda problem, status: _view(call, problem, status, since),
    )
    return view or _back(call, f"Environments unused since {since} are being stopped.")


@pages.post("environments/cleaning/review_apps")
def delete_review_apps(call: PageCall) -> View | Response:
    """Delete the review apps that the page listed, in a week."""
    due: list[str] = []

    def work() -> None:
        before, limit = text(call, "before") or None, text(call, "limit") or None
        answer = call.ask(REVIEW_APPS, "DELETE", before=before, limit=limit, dry_run=False)
        due.extend(row["name"] for row in answer["scheduled_entries"])

    view = refused(work, lambda problem, status: _view(call, problem, status))
    words = f"{len(due)} will be deleted in one week." if due else "There was nothing to delete."
    return view or _back(call, f"Stopped review apps: {words}")


def _view(call: PageCall, problem: str = "", status: int = 200, since: str = "") -> View:
    month_ago = (now() - MONTH).date().isoformat()
    before, limit = text(call, "before") or month_ago, text(call, "limit") or "100"
    answer: dict[str, list[object]] = {}
    if not problem:
        try:
            answer = call.ask(REVIEW_APPS, "DELETE", before=before, limit=limit, dry_run=True)
        except ApiError as error:
            if error.status != HTTPStatus.BAD_REQUEST:
                raise
            problem, status = refusal_of(error), error.status
    return project_view(
        call, "environment_cleaning", "pipelines", status, since=since or month_ago, before=before, limit=limit,
        due=answer.get("scheduled_entries"), spared=answer.get("unprocessable_entries"), problem=problem,
    )  # fmt: skip


def _back(call: PageCall, words: str) -> Response:
    return done(call, f"/{call.project.full_path}/-/environments", words)
