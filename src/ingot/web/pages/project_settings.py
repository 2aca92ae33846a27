"""Settings of a project by theme, declared: each section shows and changes what endpoints of the API hold."""

from collections.abc import Mapping
from typing import Any

from ingot.access.policy import ADMIN_PROJECT
from ingot.features.ci.pipeline_triggers import may_update_trigger
from ingot.features.ci.project_flags import instance_id
from ingot.features.spaces.deploy_keys import offered_keys
from ingot.web.call import PageCall, View
from ingot.web.fields import Input
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.kept_settings import kept_settings
from ingot.web.list_facts import with_runner_facts
from ingot.web.registry import Pages
from ingot.web.sections import Collection, Settings, SettingsPage, Verb, declare
from ingot.web.shared_sections import (
    APPROVERS,
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

pages = Pages("project")
GUARD = InProject(ADMIN_PROJECT, needs_user=True)
PROJECT = "/projects/:id"

MERGING = Settings(
    "merging", "Merging", PROJECT,
    (
        Input("merge_method", options=(
            ("merge", "Merge commit"), ("rebase_merge", "Merge commit with semi-linear history"),
            ("ff", "Fast-forward only")), hint=""),
        Input("squash_option", "Squash", options=(("never", "Never"), ("default_off", "Allowed"),
                                                  ("default_on", "By default"), ("always", "Always")),
              hint="Combine all commits of a merge request into one."),
        Input("only_allow_merge_if_pipeline_succeeds", "Require a successful pipeline"),
        Input("allow_merge_on_skipped_pipeline", "Treat skipped pipelines as successful"),
        Input("only_allow_merge_if_all_discussions_are_resolved", "Require all threads to be resolved"),
        Input("remove_source_branch_after_merge", "Delete the source branch after merging by default"),
        Input("printing_merge_request_link_enabled", "Show a link to create or view a merge request when pushing"),
        Input("merge_commit_template", kind="long"),
        Input("squash_commit_template", kind="long"),
        Input("suggestion_commit_message"),
    ),
)  # fmt: skip
APPROVALS = approvals(PROJECT)
APPROVED_BRANCHES = (
    Input("protected_branch_ids", "Target branches", kind="branches", shows="protected_branches"),
    Input("applies_to_all_protected_branches", "Apply to all protected branches"),
)  # fmt: skip
RULES = Collection(
    "approval_rules", "Approval rules", f"{PROJECT}/approval_rules", one="approval_rule_id", name="name",
    about="How many approvals a merge request needs.", empty="No rules. Approvals are not required.",
    facts=(("Approvals", "approvals_required"), ("Users", "users"), ("Groups", "groups"),
           ("Branches", "protected_branches"), ("All protected branches", "applies_to_all_protected_branches")),
    add="Add rule", inputs=(*APPROVERS, *APPROVED_BRANCHES), edits=(*APPROVERS, *APPROVED_BRANCHES),
)  # fmt: skip
CHECK_INPUTS = (
    Input("name"), Input("external_url", "URL"), Input("shared_secret", "Secret", kind="secret"),
    Input("protected_branch_ids", "Target branches", kind="branches", shows="protected_branches"),
)  # fmt: skip
CHECKS = Collection(
    "status_checks", "External status checks", f"{PROJECT}/external_status_checks", one="check_id", name="name",
    about="External services that approve or reject merge requests.", empty="No external status checks.",
    facts=(("URL", "external_url"), ("Signature", "hmac"), ("Branches", "protected_branches")),
    add="Add external status check", inputs=CHECK_INPUTS, edits=CHECK_INPUTS,
)  # fmt: skip
BRANCHES = protected_branches(
    PROJECT,
    "Control who can push to and merge into these branches.",
    "No protected branches. Everyone with push access can push to any branch.",
)
TAGS = Collection(
    "protected_tags", "Protected tags", f"{PROJECT}/protected_tags", one="name", by="name", name="name",
    about="Control who can create these tags.", add="Protect a tag", remove="Unprotect", empty="No protected tags.",
    facts=(("Allowed to create", "create_access_levels"),),
    inputs=(Input("name", "Tag or pattern"), Input("create_access_level", "Allowed to create", start=40, hint=""),
            Input("allowed_to_create", "Additional users and groups", kind="holders")),
)  # fmt: skip
DEPLOY_KEYS = Collection(
    "deploy_keys", "Deploy keys", f"{PROJECT}/deploy_keys", one="key_id", name="title",
    about="SSH keys for machines that read from or push to this repository.", add="Add deploy key",
    facts=(("Fingerprint", "fingerprint_sha256"), ("Write access", "can_push"), ("Expires", "expires_at")),
    inputs=(Input("title"), Input("key", "Public key", kind="long"), Input("can_push"), Input("expires_at")),
    edits=(Input("title"), Input("can_push")), is_sensitive=True,
)  # fmt: skip
OFFERED_KEYS = Collection(
    "offered_keys", "Deploy keys from other projects", f"{PROJECT}/deploy_keys", one="key_id", name="title",
    about="Keys from projects you maintain, and keys available to all projects.", remove="",
    facts=(("Fingerprint", "fingerprint"), ("Public", "is_public"), ("Expires", "expires_at")),
    verbs=(Verb("enable", "Enable", "/:key_id/enable"),), is_sensitive=True,
    load=lambda call: offered_keys(call.conn, call.actor, call.project.id),
)  # fmt: skip
DEPLOY_TOKENS = Collection(
    "deploy_tokens", "Deploy tokens", f"{PROJECT}/deploy_tokens", one="token_id", name="name",
    about="Username and password for machines.", add="Add deploy token", remove="Revoke", secret="token",
    facts=(("Username", "username"), ("Scopes", "scopes"), ("Expires", "expires_at")),
    inputs=DEPLOY_TOKEN_INPUTS, fixed={"active": True},
)  # fmt: skip
NOT_BOTH = "A regular expression. It cannot be combined with “Only protected branches”."
PULL_MIRROR = Settings(
    "pull_mirror", "Pull mirror", PROJECT,
    (
        Input("mirror", "Mirror another repository"),
        Input("import_url", "Repository URL", kind="secret", hint=""),
        Input("mirror_trigger_builds", "Run pipelines for mirror updates"),
        Input("only_mirror_protected_branches", "Only protected branches"),
        Input("mirror_branch_regex", "Only branches that match", hint=NOT_BOTH),
        Input("mirror_overwrites_diverged_branches", "Overwrite diverged branches"),
    ),
    about="Fetch branches and tags from another repository on a schedule.",
)  # fmt: skip
PULL_STATE = Settings(
    "pull_state", "Pull mirror status", f"{PROJECT}/mirror/pull",
    facts=(("State", "update_status"), ("Last success", "last_successful_update_at"),
           ("Last update", "last_update_at"), ("Error", "last_error")),
    verbs=(Verb("pull", "Fetch now", ""),), sends=True,
)  # fmt: skip
PULL_LOGIN = Settings(
    "pull_login", "Mirror credentials", f"{PROJECT}/mirror/pull",
    (Input("auth_user", "Username", kind="blank"),
     Input("auth_password", "Password or token", kind="secret")),
    about="Leave fields empty to keep their current values.", is_sensitive=True,
)  # fmt: skip
MIRROR_OPTIONS = (
    Input("enabled", "On", start=True), Input("only_protected_branches", "Only protected branches"),
    Input("keep_divergent_refs", "Keep diverged refs on the mirror"),
    Input("auth_method", "SSH authentication method",
          options=(("password", "Password"), ("ssh_public_key", "SSH key"))),
    Input("host_keys", "SSH host keys, comma-separated", kind="list"),
)  # fmt: skip
MIRROR_BRANCHES = Input("mirror_branch_regex", "Only branches that match", hint=NOT_BOTH)
PUSH_MIRRORS = Collection(
    "push_mirrors", "Push mirrors", f"{PROJECT}/remote_mirrors", one="mirror_id", name="url",
    about="Pushes are mirrored to these repositories.", add="Add push mirror",
    facts=(("On", "enabled"), ("State", "update_status"), ("Last success", "last_successful_update_at"),
           ("Error", "last_error"), ("Protected branches only", "only_protected_branches"),
           ("Matching branches", "mirror_branch_regex")),
    inputs=(Input("url", "URL with username and password"), *MIRROR_OPTIONS,
            MIRROR_BRANCHES),
    edits=(Input("url", "New URL with username and password", kind="secret"), *MIRROR_OPTIONS,
           MIRROR_BRANCHES),
    verbs=(Verb("sync", "Push now", "/:mirror_id/sync", when=("enabled", True)),), empty="No push mirrors.", sends=True,
)  # fmt: skip
PIPELINES = Settings(
    "pipelines", "Pipelines", PROJECT,
    (
        Input("ci_config_path", "CI/CD configuration file", hint="Defaults to `.gitlab-ci.yml`."),
        Input("build_timeout", "Job timeout in seconds", hint=""),
        Input("auto_cancel_pending_pipelines", "Cancel redundant pipelines of a branch",
              options=(("enabled", "Yes"), ("disabled", "No")), hint=""),
        Input("public_jobs", "Show job logs to everyone with project access"),
        Input("shared_runners_enabled", "Enable instance runners for this project"),
        Input("keep_latest_artifact", "Keep artifacts of the latest pipeline"),
    ),
)  # fmt: skip
VARIABLES = variables(PROJECT, "Environment variables for jobs.")


# Any: a record of the API.
def _may_change_trigger(call: PageCall, record: Mapping[str, Any], verb: str) -> bool:
    return verb != "edit" or may_update_trigger(call.actor, (record["owner"] or {}).get("id"))


TRIGGERS = Collection(
    "triggers", "Trigger tokens", f"{PROJECT}/triggers", one="trigger_id", name="description",
    about="Tokens for triggering pipelines from outside.", add="Add trigger token", remove="Revoke", secret="token",
    facts=(("Owner", "owner"), ("Last used", "last_used"), ("Expires", "expires_at")),
    inputs=(Input("description"), Input("expires_at")), edits=(Input("description"),),
    allows=_may_change_trigger,
)  # fmt: skip
RUNNERS = Collection(
    "runners", "Runners", f"{PROJECT}/runners", one="id", name="description", about="Machines that run jobs.",
    add="New runner", add_address="/user/runners", secret="token", facts=RUNNER_FACTS, inputs=RUNNER_INPUTS,
    new={"runner_type": "project_type"}, own_id="project_id", remove="", adds=with_runner_facts,
    empty="No runners are available for this project.", href="runners/{}",
)  # fmt: skip
FREEZES = Collection(
    "freeze_periods", "Deploy freezes", f"{PROJECT}/freeze_periods", one="freeze_period_id", name="freeze_start",
    about="Deploy freeze periods as cron expressions. Jobs get `CI_DEPLOY_FREEZE` during a freeze.",
    add="Add deploy freeze", facts=(("Until", "freeze_end"), ("Time zone", "cron_timezone")),
    empty="No deploy freezes.",
    inputs=(Input("freeze_start", "From"), Input("freeze_end", "Until"), Input("cron_timezone", "Time zone")),
    edits=(Input("freeze_start", "From"), Input("freeze_end", "Until"), Input("cron_timezone", "Time zone")),
)  # fmt: skip
JOB_TOKENS = Settings(
    "job_tokens", "Job tokens", f"{PROJECT}/job_token_scope",
    (Input("enabled", "Allow job token access only from the projects and groups below",
           shows="inbound_enabled"),),
    method="PATCH",
)  # fmt: skip
JOB_TOKEN_PROJECTS = Collection(
    "job_token_projects", "Projects with job token access", f"{PROJECT}/job_token_scope/allowlist",
    one="target_project_id", name="path_with_namespace", add="Add project", empty="No other projects.",
    inputs=(Input("target_project_id", "Project", kind="project"),),
)  # fmt: skip
JOB_TOKEN_GROUPS = Collection(
    "job_token_groups", "Groups with job token access", f"{PROJECT}/job_token_scope/groups_allowlist",
    one="target_group_id", name="name", add="Add group", empty="No groups.",
    inputs=(Input("target_group_id", "Group", kind="group"),),
)  # fmt: skip
BADGES = badges(PROJECT)
ENVIRONMENTS = protected_environments(
    PROJECT,
    Input("name", "Environment", hint=""),
    "Only the listed users, groups and roles can deploy to, stop or delete these environments.",
)
FLAGS = Collection(
    "feature_flags", "Feature flags", f"{PROJECT}/feature_flags", one="feature_flag_name", by="name", name="name",
    about="Feature flags that applications read with an Unleash client. A new flag applies to everyone in all"
          " environments. Use its page to set other strategies.",
    facts=(("On", "active"), ("Description", "description"), ("Changed", "updated_at")), add="Add feature flag",
    inputs=(Input("name"), Input("description"), Input("active", "On", start=True)),
    edits=(Input("description"), Input("active", "On")), empty="No feature flags.", href="feature_flags/{}/edit",
    new={"strategies": [{"name": "default", "parameters": {}, "scopes": [{"environment_scope": "*"}]}]},
)  # fmt: skip
USER_LISTS = Collection(
    "user_lists", "User lists", f"{PROJECT}/feature_flags_user_lists", one="iid", by="iid", name="name",
    about="Lists of application users for feature flag strategies.", facts=(("Users", "user_xids"),),
    add="Add user list",
    inputs=(Input("name"), Input("user_xids", "User IDs, separated by commas", kind="long")),
    empty="No user lists.", href="feature_flags_user_lists/{}/edit",
)  # fmt: skip
PUSH_RULE = push_rule(PROJECT, "Rules for every push, commit and merge.")

MORE_MERGING = Settings(
    "more_merging", "More merge settings", PROJECT,
    (
        Input("only_allow_merge_if_all_status_checks_passed", "Require all external status checks to pass"),
        Input("resolve_outdated_diff_discussions", "Automatically resolve threads on outdated lines"),
        Input("autoclose_referenced_issues", "Close referenced issues when merging into the default branch"),
        Input("mr_default_target_self", "Merge requests of this fork target the fork by default"),
        Input("merge_requests_template", "Default description for merge requests", kind="long"),
        Input("issues_template", "Default description for issues", kind="long"),
        Input("issue_branch_template", "Branch name template for issues"),
    ),
)  # fmt: skip
MORE_PIPELINES = Settings(
    "more_pipelines", "More pipeline settings", PROJECT,
    (
        Input("group_runners_enabled", "Enable group runners for this project"),
        Input("build_git_strategy", "Git strategy for jobs", hint=""),
        Input("ci_default_git_depth", "Git shallow clone depth", hint="0 fetches all commits."),
        Input("ci_separated_caches", "Use separate caches for protected branches"),
        Input("ci_forward_deployment_enabled", "Prevent outdated deployment jobs"),
        Input("ci_forward_deployment_rollback_allowed", "Allow job retries for rollback deployments"),
        Input("ci_allow_fork_pipelines_to_run_in_parent_project",
              "Run merge request pipelines of forks in this project"),
        Input("ci_push_repository_for_job_token_allowed", "Allow job tokens to push to this project"),
        Input("build_coverage_regex", "Test coverage pattern in job logs"),
        Input("max_artifacts_size", "Maximum artifacts size in MB", hint="Only administrators can change this."),
        Input("ci_delete_pipelines_in_seconds", "Delete pipelines after (seconds)", hint=""),
        Input("ci_restrict_pipeline_cancellation_role", "Who can cancel pipelines"),
        Input("ci_pipeline_variables_minimum_override_role", "Who can set pipeline variables", hint=""),
        Input("allow_pipeline_trigger_approve_deployment", "Allow the pipeline triggerer to approve deployments"),
        Input("ci_id_token_sub_claim_components", "Components of the `sub` claim in ID tokens"),
        Input("runner_token_expiration_interval", "Runner tokens expire after (seconds)"),
        Input("ci_job_token_scope_enabled", "Limit job token access from this project"),
    ),
)  # fmt: skip
ADVANCED = Settings(
    "advanced", "Advanced", PROJECT,
    (
        Input("lfs_enabled", "Git LFS"), Input("request_access_enabled", "Allow access requests"),
        Input("emails_enabled", "Email notifications for this project"),
        Input("enforce_auth_checks_on_uploads", "Require authentication to view uploaded images",
              hint="Otherwise anyone with the image URL can view it, for example email clients."),
    ),
    verbs=(Verb("housekeeping", "Run housekeeping", "/housekeeping"),),
)  # fmt: skip
LIMITS = Settings(
    "limits", "Limits", PROJECT,
    (
        Input("repository_size_limit", "Repository size limit in MB, 0 for unlimited", hint="Includes LFS objects."),
        Input("repository_storage", "Repository storage", hint=""),
    ),
    about="Only administrators can see and change these.",
    allows=lambda call, _, __: call.may("GET", "/application/settings"),
)  # fmt: skip
IMAGES = Settings(
    "images", "Container image cleanup", PROJECT, about="Has no effect in Ingot. Stored for API clients and exports.",
    inputs=tuple(
        Input(f"container_expiration_policy_attributes.{name}", words, options=options,
              shows=f"container_expiration_policy.{name}")
        for name, words, options in (
            ("enabled", "Remove old images", ()),
            ("cadence", "How often", (("1d", "Every day"), ("7d", "Every week"), ("14d", "Every two weeks"),
                                      ("1month", "Every month"), ("3month", "Every three months"))),
            ("keep_n", "Tags to keep per image", (("0", "No minimum"), *((str(n), str(n))
                                                         for n in (1, 5, 10, 25, 50, 100)))),
            ("older_than", "Remove tags older than", (("", "Any age"), *((f"{n}d", f"{n} days")
                                                      for n in (7, 14, 30, 60, 90)))),
            ("name_regex_delete", "Names to remove", ()),
            ("name_regex_keep", "Names to keep", ()),
        )
    ),
)  # fmt: skip
FEATURES = Settings(
    "features", "Feature visibility", PROJECT,
    tuple(
        Input(f"{name}_access_level", words) for name, words in (
            ("repository", "Repository"), ("forking", "Forking"), ("releases", "Releases"),
            ("environments", "Environments"), ("feature_flags", "Feature flags"), ("analytics", "Charts"),
        )
    ),
)  # fmt: skip
KEPT = kept_settings(PROJECT)
ADDRESS = Settings(
    "address", "Path and topics", PROJECT,
    (Input("path", "Path"), Input("topics", "Topics, separated by commas", kind="list")),
)  # fmt: skip

REPOSITORY = (
    BRANCHES, TAGS, PUSH_RULE, PUSH_MIRRORS, PULL_MIRROR, PULL_STATE, PULL_LOGIN, DEPLOY_KEYS, OFFERED_KEYS,
    DEPLOY_TOKENS,
)  # fmt: skip
CI = (
    PIPELINES, MORE_PIPELINES, VARIABLES, RUNNERS, TRIGGERS, JOB_TOKENS, JOB_TOKEN_PROJECTS, JOB_TOKEN_GROUPS,
    ENVIRONMENTS, FREEZES,
)  # fmt: skip
PAGES = (
    SettingsPage("settings/merge_requests", "Merge requests", (MERGING, MORE_MERGING, APPROVALS, RULES, CHECKS)),
    SettingsPage("settings/repository", "Repository", REPOSITORY),
    SettingsPage("settings/ci_cd", "CI/CD", CI),
    SettingsPage("settings/access_tokens", "Access tokens", (tokens(PROJECT),)),
    SettingsPage("hooks", "Webhooks", (hooks(PROJECT),)),
    SettingsPage(
        "settings/advanced",
        "Advanced",
        (ADDRESS, BADGES, FEATURES, ADVANCED, LIMITS, custom_attributes(PROJECT), KEPT, IMAGES),
    ),
)

FLAGS_PAGE = SettingsPage("feature_flags", "Feature flags", (FLAGS, USER_LISTS))


def settings_view(call: PageCall, template: str, tab: str, status: int = 200, /, **data: object) -> View:
    """A page of settings with the row of its themes."""
    return project_view(call, template, tab, status, section_tabs=theme_tabs(call), **data)


def theme_tabs(call: PageCall) -> list[dict[str, object]]:
    """The themes of the settings."""
    root, here = f"/{call.project.full_path}", call.request.url.path
    themes = [*((page.title, page.path) for page in (*PAGES, FLAGS_PAGE)), ("Integrations", "settings/integrations")]
    entries = [("General", f"{root}/edit"), *((title, f"{root}/-/{path}") for title, path in themes)]
    return [
        {"name": name, "href": href, "is_current": here.startswith(href) or (name == "General" and "/-/edit" in here)}
        for name, href in entries
    ]


def flags_view(call: PageCall, template: str, tab: str, status: int = 200, /, **data: object) -> View:
    """The page of feature flags, with what applications need to read them."""
    known = {
        "API URL": f"{call.base_url}/api/v4/feature_flags/unleash/{call.project.id}",
        "Instance ID": instance_id(call.services, call.project.id),
    }
    return settings_view(call, template, tab, status, known=known, **data)


for _page in PAGES:
    declare(pages, _page, settings_view, GUARD)
declare(pages, FLAGS_PAGE, flags_view, GUARD)
