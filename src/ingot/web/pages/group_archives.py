"""Archives of groups: exporting one, making a group out of one, and how far that is."""

from starlette.responses import Response

from ingot.access.policy import OWN_GROUP, SIGNED_IN
from ingot.features.transfer.group_archives import cancel_import, import_state
from ingot.kit.errors import ApiError, Conflict
from ingot.kit.params import UploadedFile
from ingot.web.call import PageCall, View
from ingot.web.downloads import Download
from ingot.web.guards import InGroup
from ingot.web.pages.creating import group_form
from ingot.web.pages.group_settings import settings_view
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import done, text
from ingot.web.states import transfer_state

pages = Pages("group")
site = Pages("site")
GUARD = InGroup(OWN_GROUP, needs_user=True)
NAMES = ("name", "path", "parent_id")
REFUSALS = (400, 403, 404, 409, 413, 422, 429)


@pages.post("export", guard=GUARD)
def export_group(call: PageCall) -> Response:
    """Write the group with its subgroups to an archive, in the background."""
    call.ask("/groups/:id/export", "POST")
    return done(call, f"{call.own_root}/edit?watch=export#export", "Export started. You can leave this page.")


@pages.get("export/download", guard=GUARD)
def download_export(call: PageCall) -> Download:
    """The archive that the visitor's last export made."""
    return call.download("/groups/:id/export/download")


@pages.get("import", guard=GUARD)
def show_import(call: PageCall) -> View:
    """How far the import of the group is, or what came of it."""
    return _import(call)


@pages.post("import/cancel", guard=GUARD)
def cancel(call: PageCall) -> View | Response:
    """End the import that is under way."""
    try:
        with call.write() as tx:
            cancel_import(tx, call.group.id, call.actor)
    except Conflict as error:
        return _import(call, refusal_of(error), error.status)
    return done(call, f"{call.own_root}/import", "The import was cancelled.")


def _import(call: PageCall, problem: str = "", status: int = 200) -> View:
    state = import_state(call.conn, call.group.id)
    times = {} if state is None else {"began": state.created_at.isoformat(), "changed": state.changed_at.isoformat()}
    live = transfer_state(None if state is None else state.progress)
    return settings_view(call, "group_import", "settings", status, state=state, times=times, live=live, problem=problem)


@site.post("groups/import", guard=SIGNED_IN)
def import_group(call: PageCall) -> View | Response:
    """Create a group from an archive that is sent with the form."""
    values = {name: text(call, name) for name in NAMES}
    given: dict[str, object] = {name: value for name, value in values.items() if value}
    archive = call.values.get("file")
    if isinstance(archive, UploadedFile) and archive.filename:
        given["file"] = archive
    try:
        call.ask("/groups/import", "POST", **given)
        above = call.ask("/groups/:id", id=values["parent_id"], with_projects=False) if values["parent_id"] else None
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        filled = {"visibility": "private", **values}
        return group_form(call, filled, refusal_of(error), error.status, is_import=True)
    path = f"{above['full_path']}/{values['path']}" if above else values["path"]
    return done(call, f"/groups/{path}/-/import", "Import started. You can leave this page.")
