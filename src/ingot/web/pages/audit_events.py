"""Audit events of the instance, a group or a project: who changed which right or setting."""

from ingot.access.policy import ADMIN_PROJECT, OWN_GROUP
from ingot.web.guards import ADMINISTRATION, InGroup, InProject
from ingot.web.pages import admin, group_settings, project_settings
from ingot.web.registry import Pages
from ingot.web.sections import Collection, SettingsPage, declare

project = Pages("project")
group = Pages("group")
site = Pages("site")


def audit_page(path: str, place: str) -> SettingsPage:
    """The page of one place's audit events."""
    events = Collection(
        "events", "Audit events", f"{place}/audit_events", one="audit_event_id", name="event_name", remove="",
        about="Changes to permissions and settings, newest first.", bodies=(("Details", "details"),),
        facts=(("Author", "details.author_name"), ("Target", "details.target_details"),
               ("Location", "details.entity_path"), ("Type", "entity_type"), ("When", "created_at")),
        empty="No audit events yet.",
    )  # fmt: skip
    return SettingsPage(path, "Audit events", (events,))


declare(site, audit_page("admin/audit_events", ""), admin.admin_view, ADMINISTRATION)
declare(
    group, audit_page("audit_events", "/groups/:id"), group_settings.settings_view, InGroup(OWN_GROUP, needs_user=True)
)
declare(
    project, audit_page("audit_events", "/projects/:id"), project_settings.settings_view,
    InProject(ADMIN_PROJECT, needs_user=True),
)  # fmt: skip
