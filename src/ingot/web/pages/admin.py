"""Administration: people, groups, projects, runners and everything that the instance can be set to, declared."""

import shutil
from pathlib import Path

from ingot.access.levels import MEMBER_LEVELS
from ingot.instance.outbound import is_silent
from ingot.kit.jobs import list_jobs
from ingot.web.call import PageCall, View
from ingot.web.fields import Input
from ingot.web.filters import LEVELS
from ingot.web.frames import site_view
from ingot.web.guards import ADMINISTRATION
from ingot.web.kept_settings import kept_settings
from ingot.web.limit_use import limit_use
from ingot.web.list_facts import with_runner_facts
from ingot.web.registry import Pages
from ingot.web.sections import Collection, Settings, SettingsPage, Verb, declare
from ingot.web.shared_sections import HOOK_INPUTS, RUNNER_FACTS, RUNNER_INPUTS, VARIABLE_FACTS, VARIABLE_FIELDS

pages = Pages("site")

PEOPLE = Collection(
    "users", "Users", "/users", one="id", name="name", add="New user", searches=True, remove="",
    facts=(("Username", "username"), ("State", "state"), ("Email address", "email"), ("Administrator", "is_admin"),
           ("Last activity", "last_activity_on")),
    inputs=(Input("name"), Input("username"), Input("email"), Input("password", kind="secret"),
            Input("reset_password", "Send a link to set a password", start=True),
            Input("force_random_password", "Set a random password"),
            Input("skip_confirmation", "Skip email confirmation"), Input("admin"),
            Input("external")),
    verbs=(Verb("block", "Block", "/:id/block", when=("state", "active")),
           Verb("unblock", "Unblock", "/:id/unblock", when=("state", "blocked")),
           Verb("unban", "Unban", "/:id/unban", when=("state", "banned")),
           Verb("activate", "Activate", "/:id/activate", when=("state", "deactivated")),
           Verb("approve", "Approve", "/:id/approve", when=("state", "blocked_pending_approval")),
           Verb("reject", "Reject", "/:id/reject", when=("state", "blocked_pending_approval"))),
    fixed={"without_project_bots": True},
    parts=(("active", "Active"), ("blocked", "Blocked"), ("admins", "Administrators"), ("external", "External"),
           ("without_projects", "Without projects")),
    href="admin/users/{}", href_by="username",
    allows=lambda call, record, _: record["id"] != call.actor.id,
)  # fmt: skip
PROJECTS = Collection(
    "projects", "Projects", "/projects", one="id", name="path_with_namespace", remove="", searches=True,
    facts=(("Visibility", "visibility"), ("Owner", "namespace.full_path"), ("Size", "statistics.storage_size"),
           ("Last activity", "last_activity_at"), ("Archived", "archived")),
    fixed={"order_by": "last_activity_at", "statistics": True}, empty="No projects.",
)  # fmt: skip
GROUPS = Collection(
    "groups", "Groups", "/groups", one="id", name="full_path", remove="", searches=True, empty="No groups.",
    facts=(("Visibility", "visibility"), ("Created", "created_at")), fixed={"all_available": True},
)  # fmt: skip
RUNNERS = Collection(
    "runners", "Runners", "/runners/all", one="id", name="description", add="New runner", add_address="/user/runners",
    facts=RUNNER_FACTS, inputs=RUNNER_INPUTS, new={"runner_type": "instance_type"}, secret="token",
    href="admin/runners/{}", adds=with_runner_facts,
    verbs=(Verb("pause", "Pause", "/:id", "PUT", {"paused": True}, ("paused", False)),
           Verb("resume", "Resume", "/:id", "PUT", {"paused": False}, ("paused", True))),
    empty="No runners. Jobs wait until a runner is available.",
)  # fmt: skip
VARIABLES = Collection(
    "variables", "Variables", "/admin/ci/variables", one="key", by="key", name="key", add="Add variable",
    about="Environment variables for the jobs of all projects.", facts=VARIABLE_FACTS,
    inputs=(Input("key"), *VARIABLE_FIELDS), edits=VARIABLE_FIELDS,
)  # fmt: skip
HOOKS = Collection(
    "hooks", "System hooks", "/hooks", one="hook_id", name="url", add="Add system hook",
    about="URLs that receive events from the whole instance.",
    inputs=(*HOOK_INPUTS, Input("push_events"), Input("tag_push_events"), Input("merge_requests_events"),
            Input("repository_update_events", start=True)),
    edits=(*HOOK_INPUTS, Input("push_events"), Input("tag_push_events"), Input("merge_requests_events"),
           Input("repository_update_events")),
    facts=(("Name", "name"), ("Created", "created_at")), verbs=(Verb("test", "Send a test", "/:hook_id"),),
)  # fmt: skip
MESSAGE_INPUTS = (
    Input("message", kind="long"), Input("starts_at"), Input("ends_at"),
    Input("broadcast_type", "Type"),
    Input("theme", "Colours"), Input("color", "Background colour for API clients, as #RRGGBB"),
    Input("font", "Text colour for API clients, as #RRGGBB"), Input("target_path", "Show only on paths"),
    Input("target_access_levels", "Show only to roles",
          options=tuple((str(level), LEVELS[level]) for level in MEMBER_LEVELS)),
)  # fmt: skip
MESSAGES = Collection(
    "messages", "Broadcast messages", "/broadcast_messages", one="id", name="message", add="New message",
    inputs=(*MESSAGE_INPUTS, Input("dismissable", start=True)), edits=(*MESSAGE_INPUTS, Input("dismissable")),
    facts=(("From", "starts_at"), ("Until", "ends_at"), ("Active", "active")), empty="No messages.",
)  # fmt: skip
FLAGS = Collection(
    "flags", "Feature flags", "/features", one="name", by="name", name="name", remove="Remove",
    facts=(("State", "state"),), empty="No feature flags have been set.",
    verbs=(Verb("on", "Turn on", "/:name", values={"value": "true"}, when=("state", "off")),
           Verb("off", "Turn off", "/:name", values={"value": "false"}, when=("state", "on"))),
)  # fmt: skip
TOPIC_PICTURE = Input("avatar", "Avatar", shows="avatar_url")
TOPICS = Collection(
    "topics", "Topics", "/topics", one="id", name="title", add="New topic", searches=True, remove="Delete",
    facts=(("Name", "name"), ("Projects", "total_projects_count"), ("Description", "description")),
    inputs=(Input("name"), Input("title"), Input("description", kind="long"), TOPIC_PICTURE),
    edits=(Input("name"), Input("title"), Input("description", kind="long"), TOPIC_PICTURE), empty="No topics.",
)  # fmt: skip
DEPLOY_KEYS = Collection(
    "deploy_keys", "Deploy keys", "/deploy_keys", one="key_id", name="title", add="Add deploy key", remove="",
    about="SSH keys for machines. Keys added here can be enabled in any project.",
    facts=(("Fingerprint", "fingerprint_sha256"), ("Write access", "projects_with_write_access"),
           ("Read-only access", "projects_with_readonly_access"), ("Expires", "expires_at")),
    inputs=(Input("title"), Input("key", "Public key", kind="long"), Input("expires_at")), empty="No deploy keys.",
)  # fmt: skip
LIMITS = Settings(
    "limits", "Plan limits", "/application/plan_limits", tuple(Input(name) for name in (
        "ci_pipeline_size", "ci_active_jobs", "ci_pipeline_schedules", "ci_needs_size_limit",
        "ci_instance_level_variables", "ci_registered_group_runners", "ci_registered_project_runners",
        "dotenv_variables", "dotenv_size", "pipeline_hierarchy_size",
    )), fixed={"plan_name": "default"},
)  # fmt: skip
KEPT_LIMITS = kept_settings("/application/plan_limits", {"plan_name": "default"})
APPEARANCE = Settings(
    "appearance", "Appearance", "/application/appearance", (
        Input("title"), Input("description", kind="long"), Input("logo", "Image on the sign-in page"),
        Input("header_logo", "Logo in the page header"), Input("favicon", "Favicon"),
        Input("header_message"), Input("footer_message"),
        Input("email_header_and_footer_enabled", "Also add the header and footer messages to emails"),
        Input("message_background_color"), Input("message_font_color"), Input("pwa_name"), Input("pwa_short_name"),
        Input("pwa_description"), Input("pwa_icon", "Icon of the installed web application"),
        Input("member_guidelines", kind="long"),
        Input("new_project_guidelines", kind="long"), Input("profile_image_guidelines", kind="long"),
    ),
)  # fmt: skip
PAGES = (
    SettingsPage("admin/users", "Users", (PEOPLE,)),
    SettingsPage("admin/groups", "Groups", (GROUPS,)),
    SettingsPage("admin/projects", "Projects", (PROJECTS,)),
    SettingsPage("admin/runners", "Runners", (RUNNERS, VARIABLES)),
    SettingsPage("admin/deploy_keys", "Deploy keys", (DEPLOY_KEYS,)),
    SettingsPage("admin/topics", "Topics", (TOPICS,)),
    SettingsPage("admin/plan_limits", "Plan limits", (LIMITS, KEPT_LIMITS)),
    SettingsPage("admin/appearance", "Appearance", (APPEARANCE,)),
    SettingsPage("admin/hooks", "Hooks", (HOOKS,)),
    SettingsPage("admin/messages", "Messages", (MESSAGES,)),
    SettingsPage("admin/feature_flags", "Feature flags", (FLAGS,)),
)


# Themes that are declared elsewhere, or below.
OTHERS = (
    ("Settings", "/admin/application_settings"), ("Applications", "/admin/applications"),
    ("Service accounts", "/admin/service_accounts"), ("Jobs", "/admin/jobs"),
    ("Background jobs", "/admin/background_jobs"), ("Audit events", "/admin/audit_events"),
    ("Health", "/admin/health_check"),
)  # fmt: skip


def admin_view(call: PageCall, template: str, _tab: str = "", status: int = 200, /, **data: object) -> View:
    """A page of administration with the row of its themes."""
    here = call.request.url.path
    entries = [("Overview", "/admin"), *((page.title, f"/{page.path}") for page in PAGES), *OTHERS]
    tabs = [
        {"name": name, "href": href, "is_current": here == href or (href != "/admin" and here.startswith(href))}
        for name, href in entries
    ]
    data["page_links"] = [("Merge topics", "/admin/topics/merge")] if here == "/admin/topics" else []
    data["limits_used"] = limit_use(call) if here == "/admin/plan_limits" else []
    return site_view(call, template, status, section_tabs=tabs, is_silent=is_silent(call.conn), **data)


@pages.get("admin", guard=ADMINISTRATION)
def show_overview(call: PageCall) -> View:
    """Counts of the instance and its version."""
    return admin_view(
        call, "admin", statistics=call.ask("/application/statistics"), metadata=call.ask("/metadata"),
        failed=len(list_jobs(call.conn, state="failed", limit=100)), disks=_disks(call),
    )  # fmt: skip


def _disks(call: PageCall) -> list[tuple[str, int, int]]:
    """The folders with data, how many bytes of their disks are taken, and how many there are."""
    settings = call.services.settings
    folders = sorted({str(folder) for folder in (settings.data_folder, *settings.storage_roots.values())})
    disks = {Path(folder).stat().st_dev: folder for folder in reversed(folders) if Path(folder).is_dir()}
    usages = [(folder, shutil.disk_usage(folder)) for folder in sorted(disks.values())]
    return [(folder, usage.used, usage.total) for folder, usage in usages]


for _page in PAGES:
    declare(pages, _page, admin_view, ADMINISTRATION)
