"""How the import of a project went: what is stored, what failed, whom its people became."""

from ingot.access.policy import ADMIN_PROJECT
from ingot.features.transfer.project_imports import newest_import
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.registry import Pages

pages = Pages("project")
OPEN = ("scheduled", "started")


@pages.get("import", guard=InProject(ADMIN_PROJECT, needs_user=True))
def show_import(call: PageCall) -> View:
    """The newest import of the project."""
    record = call.ask("/projects/:id/import")
    view = newest_import(call.conn, call.project.id)
    times = {} if view is None else {"started": view.started_at.isoformat(), "changed": view.changed_at.isoformat()}
    return project_view(
        call, "import", "settings", record=record, view=view, is_open=record["import_status"] in OPEN, times=times
    )
