"""Settings of a group by theme, declared."""

from http import HTTPStatus

from ingot.access.policy import OWN_GROUP
from ingot.features.transfer.group_archives import export_state
from ingot.web.call import PageCall, View
from ingot.web.fields import Input
from ingot.web.frames import group_view
from ingot.web.grace import grace_days
from ingot.web.guards import InGroup
from ingot.web.kept_settings import kept_limits, kept_settings
from ingot.web.list_facts import with_runner_facts
from ingot.web.registry import Pages
from ingot.web.sections import Collection, Settings, SettingsPage, declare, show_problem
from ingot.web.shared_sections import (
    BRANCH_GUARDS,
    DEPLOY_TOKEN_INPUTS,
    RUNNER_FACTS,
    RUNNER_INPUTS,
    approvals,
    badges,
    custom_attributes,
    hooks,
    protected_branches,
    protected_environments,
    push_rule,
    tokens,
    variables,
)
from ingot.web.states import transfer_state

pages = Pages("group")
GUARD = InGroup(OWN_GROUP, needs_user=True)
GROUP = "/groups/:id"

LEVELS = (("40", "Maintainers"), ("30", "Developers and maintainers"), ("60", "Administrators"), ("0", "Nobody"))
RUNNER_RULES = (
    ("enabled", "On"), ("disabled_and_overridable", "Off, but subgroups and projects can turn them on"),
    ("disabled_and_unoverridable", "Off for all subgroups and projects"),
)  # fmt: skip

GENERAL = Settings(
    "general", "General", GROUP,
    (
        Input("name"), Input("path"), Input("description", kind="long"), Input("visibility", "Visibility"),
        Input("request_access_enabled", "Allow access requests"), Input("project_creation_level",
        "Who can create projects"), Input("subgroup_creation_level", "Who can create subgroups"),
        Input("share_with_group_lock", "Prevent sharing projects with other groups"),
        Input("require_two_factor_authentication"), Input("two_factor_grace_period"), Input("lfs_enabled"),
        Input("emails_enabled"), Input("default_branch"),
    ),
)  # fmt: skip
MORE = Settings(
    "more", "Members, projects and Git", GROUP,
    (
        Input("membership_lock", "Prevent adding members to projects of this group"),
        Input("prevent_forking_outside_group", "Prevent forking outside this group"),
        Input("ip_restriction_ranges", "Allowed IP addresses, comma-separated"),
        Input("enabled_git_access_protocol", "Git access protocols"),
        Input("wiki_access_level", "Who can use the wiki"),
        Input("default_branch_protection", "Who can push to default branches of new projects", options=BRANCH_GUARDS),
        Input("shared_runners_setting", "Instance runners", options=RUNNER_RULES),
        Input("file_template_project_id", "ID of the project with file templates"),
    ),
)  # fmt: skip
NEW_BRANCHES = Settings(
    "new_branches", "Default branches of new projects", GROUP,
    tuple(
        Input(f"default_branch_protection_defaults.{name}", words, kind, start, LEVELS if kind else ())
        for name, words, kind, start in (
            ("allowed_to_push", "Who can push", "level", 40), ("allowed_to_merge", "Who can merge", "level", 40),
            ("allow_force_push", "Allow force push", "", False),
            ("developer_can_initial_push", "Allow developers to make the initial push", "", False),
        )
    ),
    about="Protection rules for default branches of new projects.",
)  # fmt: skip
SHARING = Settings(
    "sharing", "Sharing", GROUP,
    (Input("prevent_sharing_groups_outside_hierarchy", "Prevent sharing outside this group's hierarchy"),),
    allows=lambda _, record, __: record.get("parent_id") is None,
)  # fmt: skip
LIMITS = Settings(
    "limits", "Limits", GROUP,
    (
        Input("repository_size_limit", "Repository size limit in MB, 0 for unlimited", hint=""),
        Input("max_artifacts_size", "Maximum artifacts size in MB", hint=""),
    ),
    about="Only administrators can see and change these.",
    allows=lambda call, _, __: call.may("GET", "/application/settings"),
)  # fmt: skip
VARIABLES = variables(GROUP, "Environment variables for jobs in all projects of this group.")
RUNNERS = Collection(
    "runners", "Runners", f"{GROUP}/runners", one="id", name="description", add="New runner",
    about="Machines that run jobs for all projects of this group.", add_address="/user/runners", secret="token",
    facts=RUNNER_FACTS, inputs=RUNNER_INPUTS, new={"runner_type": "group_type"}, own_id="group_id", remove="",
    empty="No runners are available for this group.", href="runners/{}", adds=with_runner_facts,
)  # fmt: skip
DEPLOY_TOKENS = Collection(
    "deploy_tokens", "Deploy tokens", f"{GROUP}/deploy_tokens", one="token_id", name="name", add="Add deploy token",
    about="Username and password for machines.", remove="Revoke", secret="token", fixed={"active": True},
    facts=(("Username", "username"), ("Scopes", "scopes"), ("Expires", "expires_at")),
    inputs=DEPLOY_TOKEN_INPUTS,
)  # fmt: skip
APPROVALS = approvals(GROUP, "For all projects of this group.")
TIERS = ("production", "staging", "testing", "development", "other")
ENVIRONMENTS = protected_environments(
    GROUP, Input("name", "Tier", options=tuple((tier, tier.capitalize()) for tier in TIERS)),
    "All environments of a tier in the projects of this group.",
)  # fmt: skip
BRANCHES = protected_branches(
    GROUP,
    "Applies to all projects of this group, in addition to their own rules.",
    "No group-level protected branches.",
)
PUSH_RULE = push_rule(GROUP, "Defaults for new projects of this group.")

PAGES = (
    SettingsPage(
        "edit",
        "General",
        (
            GENERAL,
            MORE,
            NEW_BRANCHES,
            SHARING,
            APPROVALS,
            badges(GROUP),
            LIMITS,
            custom_attributes(GROUP),
            kept_settings(GROUP),
            kept_limits(GROUP),
        ),
    ),
    SettingsPage("settings/repository", "Repository", (BRANCHES, PUSH_RULE, DEPLOY_TOKENS)),
    SettingsPage("settings/ci_cd", "CI/CD", (VARIABLES, RUNNERS, ENVIRONMENTS)),
    SettingsPage("settings/access_tokens", "Access tokens", (tokens(GROUP),)),
    SettingsPage("hooks", "Webhooks", (hooks(GROUP),)),
)
# Themes that are declared elsewhere.
OTHERS = (
    ("Integrations", "settings/integrations"), ("Applications", "settings/applications"),
    ("Runners", "runners"), ("Service accounts", "service_accounts"), ("Roles", "roles"), ("SAML", "saml"),
    ("SAML groups", "saml_group_links"), ("SCIM", "scim"), ("Audit events", "audit_events"),
)  # fmt: skip


def settings_view(call: PageCall, template: str, tab: str, status: int = 200, /, **data: object) -> View:
    """A page of settings with the row of its themes."""
    root, here = f"/groups/{call.group.full_path}/-", str(data.get("here") or call.request.url.path)
    tabs = [
        {"name": title, "href": f"{root}/{path}", "is_current": f"{here}/".startswith(f"{root}/{path}/")}
        for title, path in [*((page.title, page.path) for page in PAGES), *OTHERS]
        if path != "service_accounts" or call.group.parent_id is None
    ]
    if here.startswith(f"{root}/edit"):
        export = export_state(call.conn, call.group.id, call.actor.id)
        is_watching = call.values.get("watch") == "export"
        data |= {"grace": grace_days(call, "group"), "export": export, "is_watching": is_watching}
        data |= {"live": transfer_state(export.progress), "sent": call.values if status != HTTPStatus.OK else {}}
    return group_view(call, template, tab, status, section_tabs=tabs, **data)


for _page in PAGES:
    declare(pages, _page, settings_view, GUARD)


def show_group_settings(call: PageCall, problem: str, status: int) -> View:
    """The general settings, with what is wrong with a form of the danger zone."""
    return show_problem(call, PAGES[0], settings_view, problem, status)
