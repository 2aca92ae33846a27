"""Administration: people, groups, projects, runners and everything that the instance can be set to, declared."""

import msgspec
from starlette.responses import RedirectResponse, Response

from ingot.access.policy import ADMINISTRATOR
from ingot.doctor import machine, queue
from ingot.kit.errors import Conflict
from ingot.kit.jobs import NotRetryable, cancel, list_jobs, retry
from ingot.web.call import PageCall, View
from ingot.web.fields import Input
from ingot.web.frames import site_view
from ingot.web.registry import Pages
from ingot.web.sections import Collection, Settings, SettingsPage, Verb, declare
from ingot.web.shared_sections import HOOK_INPUTS, RUNNER_FACTS, RUNNER_INPUTS, VARIABLE_FACTS, VARIABLE_INPUTS

pages = Pages("site")
JOB_STATES = ("queued", "running", "failed", "done", "cancelled")

PEOPLE = Collection(
    "users", "People", "/users", one="id", name="name", add="New person", searches=True, remove="",
    facts=(("User name", "username"), ("State", "state"), ("E-mail address", "email"), ("Administrator", "is_admin"),
           ("Last activity", "last_activity_on")),
    inputs=(Input("name"), Input("username"), Input("email"), Input("password", kind="secret"),
            Input("reset_password", "They get a link to set a password", start=True), Input("admin"),
            Input("external")),
    edits=(Input("name"), Input("username"), Input("email"), Input("password", kind="secret"), Input("admin"),
           Input("external"), Input("projects_limit"), Input("note", kind="long")),
    verbs=(Verb("block", "Block", "/:id/block", when=("state", "active")),
           Verb("unblock", "Unblock", "/:id/unblock", when=("state", "blocked")),
           Verb("unban", "Lift the ban", "/:id/unban", when=("state", "banned")),
           Verb("activate", "Activate", "/:id/activate", when=("state", "deactivated")),
           Verb("approve", "Accept", "/:id/approve", when=("state", "blocked_pending_approval")),
           Verb("reject", "Refuse", "/:id/reject", when=("state", "blocked_pending_approval"))),
    fixed={"without_project_bots": True},
)  # fmt: skip
PROJECTS = Collection(
    "projects", "Projects", "/projects", one="id", name="path_with_namespace", remove="", searches=True,
    facts=(("Visibility", "visibility"), ("Last activity", "last_activity_at"), ("Archived", "archived")),
    fixed={"order_by": "last_activity_at"}, empty="No projects.",
)  # fmt: skip
GROUPS = Collection(
    "groups", "Groups", "/groups", one="id", name="full_path", remove="", searches=True, empty="No groups.",
    facts=(("Visibility", "visibility"), ("Created", "created_at")), fixed={"all_available": True},
)  # fmt: skip
RUNNERS = Collection(
    "runners", "Runners", "/runners/all", one="id", name="description", add="New runner", add_address="/user/runners",
    facts=RUNNER_FACTS, inputs=RUNNER_INPUTS, new={"runner_type": "instance_type"}, secret="token", edits=RUNNER_INPUTS,
    verbs=(Verb("pause", "Pause", "/:id", "PUT", {"paused": True}, ("paused", False)),
           Verb("resume", "Resume", "/:id", "PUT", {"paused": False}, ("paused", True))),
    empty="No runners: jobs wait until there is one.",
)  # fmt: skip
VARIABLES = Collection(
    "variables", "Variables", "/admin/ci/variables", one="key", by="key", name="key", add="Add variable",
    about="Values that the jobs of all projects get in their environment.", facts=VARIABLE_FACTS,
    inputs=VARIABLE_INPUTS[:-1], edits=VARIABLE_INPUTS[1:-1],
)  # fmt: skip
HOOKS = Collection(
    "hooks", "System hooks", "/hooks", one="hook_id", name="url", add="Add system hook",
    about="Addresses that are told what happens on the whole instance.",
    inputs=(*HOOK_INPUTS, Input("push_events"), Input("tag_push_events"), Input("merge_requests_events"),
            Input("repository_update_events", start=True)),
    edits=(*HOOK_INPUTS, Input("push_events"), Input("tag_push_events"), Input("merge_requests_events"),
           Input("repository_update_events")),
    facts=(("Name", "name"), ("Created", "created_at")), verbs=(Verb("test", "Send a test", "/:hook_id"),),
)  # fmt: skip
MESSAGES = Collection(
    "messages", "Messages to everybody", "/broadcast_messages", one="id", name="message", add="New message",
    inputs=(Input("message", kind="long"), Input("starts_at"), Input("ends_at"), Input("dismissable", start=True)),
    edits=(Input("message", kind="long"), Input("starts_at"), Input("ends_at"), Input("dismissable")),
    facts=(("From", "starts_at"), ("Until", "ends_at"), ("Shown now", "active")), empty="No messages.",
)  # fmt: skip
FLAGS = Collection(
    "flags", "Feature flags", "/features", one="name", by="name", name="name", remove="Forget",
    facts=(("State", "state"),), empty="No flag was ever set.",
    verbs=(Verb("on", "Switch on", "/:name", values={"value": "true"}, when=("state", "off")),
           Verb("off", "Switch off", "/:name", values={"value": "false"}, when=("state", "on"))),
)  # fmt: skip


def _settings(key: str, title: str, *names: str) -> Settings:
    return Settings(key, title, "/application/settings", tuple(Input(name) for name in names))


SETTINGS = (
    _settings("signing_in", "Signing in", "signup_enabled", "require_admin_approval_after_user_signup",
              "password_authentication_enabled_for_web", "password_authentication_enabled_for_git",
              "minimum_password_length", "session_expire_delay", "remember_me_enabled", "max_login_attempts",
              "failed_login_attempts_unlock_period_in_minutes", "require_two_factor_authentication",
              "two_factor_grace_period", "admin_mode",
              "after_sign_out_path", "home_page_url", "user_default_external", "can_create_group",
              "default_projects_limit", "max_personal_access_token_lifetime", "impersonation_enabled"),
    _settings("spaces", "Projects and groups", "default_branch_name", "default_branch_protection",
              "default_project_visibility", "default_group_visibility", "default_snippet_visibility",
              "default_project_creation", "deletion_adjourned_period", "max_attachment_size",
              "receive_max_input_size", "repository_size_limit", "push_event_hooks_limit"),
    _settings("ci", "CI/CD", "shared_runners_enabled", "default_ci_config_path", "default_artifacts_expire_in",
              "keep_latest_artifact", "max_artifacts_size", "runner_token_expiration_interval",
              "allow_runner_registration_token"),
    _settings("limits", "Request limits", "throttle_authenticated_api_enabled",
              "throttle_authenticated_api_requests_per_period", "throttle_authenticated_api_period_in_seconds",
              "throttle_unauthenticated_api_enabled", "throttle_unauthenticated_api_requests_per_period",
              "throttle_unauthenticated_api_period_in_seconds", "rate_limiting_response_text"),
    _settings("network", "Requests to other hosts", "allow_local_requests_from_web_hooks_and_services",
              "allow_local_requests_from_system_hooks", "deny_all_requests_except_allowed"),
    _settings("transfer", "Import and export", "project_export_enabled", "max_export_size", "max_import_size",
              "max_import_remote_file_size", "max_decompressed_archive_size", "decompress_archive_file_timeout"),
)  # fmt: skip
LIMITS = Settings(
    "limits", "Plan limits", "/application/plan_limits", tuple(Input(name) for name in (
        "ci_pipeline_size", "ci_active_jobs", "ci_pipeline_schedules", "ci_needs_size_limit",
        "ci_instance_level_variables", "ci_registered_group_runners", "ci_registered_project_runners",
        "dotenv_variables", "dotenv_size", "pipeline_hierarchy_size", "storage_size_limit",
    )), fixed={"plan_name": "default"},
)  # fmt: skip
PAGES = (
    SettingsPage("admin/users", "People", (PEOPLE,)),
    SettingsPage("admin/groups", "Groups", (GROUPS,)),
    SettingsPage("admin/projects", "Projects", (PROJECTS,)),
    SettingsPage("admin/runners", "Runners", (RUNNERS, VARIABLES)),
    SettingsPage("admin/application_settings", "Settings", SETTINGS),
    SettingsPage("admin/plan_limits", "Plan limits", (LIMITS,)),
    SettingsPage("admin/hooks", "Hooks", (HOOKS,)),
    SettingsPage("admin/messages", "Messages", (MESSAGES,)),
    SettingsPage("admin/feature_flags", "Feature flags", (FLAGS,)),
)


def admin_view(call: PageCall, template: str, _tab: str = "", status: int = 200, /, **data: object) -> View:
    """A page of administration with the row of its themes."""
    here = call.request.url.path
    entries = [("Overview", "/admin"), *((page.title, f"/{page.path}") for page in PAGES),
               ("Applications", "/admin/applications"),
               ("Background jobs", "/admin/background_jobs"), ("Health", "/admin/health_check")]  # fmt: skip
    tabs = [
        {"name": name, "href": href, "is_current": here == href or (href != "/admin" and here.startswith(href))}
        for name, href in entries
    ]
    return site_view(call, template, status, section_tabs=tabs, **data)


@pages.get("admin", guard=ADMINISTRATOR)
def show_overview(call: PageCall) -> View:
    """Counts of the instance and its version."""
    return admin_view(
        call, "admin", statistics=call.ask("/application/statistics"), metadata=call.ask("/metadata"),
        failed=len(list_jobs(call.conn, state="failed", limit=100)),
    )  # fmt: skip


@pages.get("admin/health_check", guard=ADMINISTRATOR)
def show_health(call: PageCall) -> View:
    """What the quick checks of `ingot doctor` say."""
    findings = {
        "Machine": [finding.sentence for finding in machine.examine(call.services, False)],
        "Background jobs": [finding.sentence for finding in queue.examine(call.services, False)],
    }
    return admin_view(call, "admin_health", findings=findings)


@pages.get("admin/background_jobs", guard=ADMINISTRATOR)
def list_background_jobs(call: PageCall) -> View:
    """The newest jobs, of one state if that was asked."""
    state = str(call.values.get("state", ""))
    state = state if state in JOB_STATES else ""
    rows = [
        {name: value.isoformat() if name.endswith(("_at", "_after")) and value else value
         for name, value in msgspec.structs.asdict(job).items()}
        for job in list_jobs(call.conn, state=state or None)
    ]  # fmt: skip
    return admin_view(call, "background_jobs", rows=rows, state=state, states=JOB_STATES)


@pages.post("admin/background_jobs/{number:int}/{verb}", guard=ADMINISTRATOR)
def change_background_job(call: PageCall) -> Response:
    """Retry a job that failed, or cancel one that has not ended."""
    number = int(call.path["number"])
    with call.services.db.write() as tx:
        if call.path["verb"] == "cancel":
            cancel(tx, job_id=number)
        else:
            try:
                retry(tx, number)
            except NotRetryable as error:
                raise Conflict(str(error)) from None
    return RedirectResponse("/admin/background_jobs", 303)


for _page in PAGES:
    declare(pages, _page, admin_view, ADMINISTRATOR)
