"""The import of a project: how far it is, what came, what failed; cancelling it, and going on with it."""

from starlette.responses import Response

from ingot.access.policy import ADMIN_PROJECT
from ingot.features.transfer.project_imports import (
    cancel_import,
    cancel_relation_import,
    newest_import,
    progress_of,
    retry_import,
)
from ingot.kit.errors import Conflict
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.pages.project_settings import theme_tabs
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import done
from ingot.web.states import transfer_state

pages = Pages("project")
GUARD = InProject(ADMIN_PROJECT, needs_user=True)
OPEN = ("scheduled", "started")
PARTS_OPEN = ("created", "started")


@pages.get("import", guard=GUARD)
def show_import(call: PageCall) -> View:
    """The newest import of the project."""
    return _import(call)


@pages.post("import/cancel", guard=GUARD)
def cancel(call: PageCall) -> View | Response:
    """End the import that is under way."""
    try:
        with call.write() as tx:
            cancel_import(tx, call.project, call.actor)
    except Conflict as error:
        return _import(call, refusal_of(error), error.status)
    return _back(call, "The import is being cancelled.")


@pages.post("import/retry", guard=GUARD)
def go_on(call: PageCall) -> View | Response:
    """Go on where a cancelled or failed import stopped."""
    try:
        with call.write() as tx:
            retry_import(tx, call.project)
    except Conflict as error:
        return _import(call, refusal_of(error), error.status)
    return _back(call, "Import resumed.")


@pages.post("import/parts/{number:int}/cancel", guard=GUARD)
def cancel_part(call: PageCall) -> View | Response:
    """End the import of one relation."""
    try:
        with call.write() as tx:
            cancel_relation_import(tx, call.project, int(call.path["number"]))
    except Conflict as error:
        return _import(call, refusal_of(error), error.status)
    return _back(call, "This relation import is being cancelled.")


def _back(call: PageCall, words: str) -> Response:
    return done(call, f"/{call.project.full_path}/-/import", words)


def _import(call: PageCall, problem: str = "", status: int = 200) -> View:
    record = call.ask("/projects/:id/import")
    view = newest_import(call.conn, call.project.id)
    times = {} if view is None else {"started": view.started_at.isoformat(), "changed": view.changed_at.isoformat()}
    state = record["import_status"]
    progress = progress_of(call.conn, call.project)
    can_send_again = (
        state == "failed"
        and view is not None
        and call.may("POST", "/projects/import")
        and call.may("DELETE", "/projects/:id")
    )
    return project_view(
        call, "import", "settings", status, section_tabs=theme_tabs(call),
        record=record, view=view, is_open=state in OPEN, times=times,
        progress=progress, live=transfer_state(progress), problem=problem, error=call.project.import_error,
        can_send_again=can_send_again,
        can_delete=call.may("DELETE", "/projects/:id"), parts_open=PARTS_OPEN,
        import_parts=call.ask_or_none("/projects/:id/relation-imports") or [],
    )  # fmt: skip
