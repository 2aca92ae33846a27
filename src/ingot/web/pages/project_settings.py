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
        Input("merge_method", options=(("merge", "Merge commit"), ("rebase_merge", "Merge commit, linear history"),
                                       ("ff", "Fast-forward only")), hint=""),
        Input("squash_option", "Squash", options=(("never", "Never"), ("default_off", "Allowed"),
                                                  ("default_on", "By default"), ("always", "Always")),
              hint="Whether all commits of a request become one."),
        Input("only_allow_merge_if_pipeline_succeeds", "The pipeline must pass"),
        Input("allow_merge_on_skipped_pipeline", "A skipped pipeline counts as passed"),
        Input("only_allow_merge_if_all_discussions_are_resolved", "All threads must be resolved"),
        Input("remove_source_branch_after_merge", "Delete the branch after the merge"),
        Input("printing_merge_request_link_enabled", "Print the link for a merge request after a push"),
        Input("merge_commit_template", kind="long"),
        Input("squash_commit_template", kind="long"),
        Input("suggestion_commit_message"),
    ),
)  # fmt: skip
APPROVALS = approvals(PROJECT)
APPROVED_BRANCHES = (
    Input("protected_branch_ids", "Only for requests into", kind="branches", shows="protected_branches"),
    Input("applies_to_all_protected_branches", "For all protected branches, and only for them"),
)  # fmt: skip
RULES = Collection(
    "approval_rules", "Approval rules", f"{PROJECT}/approval_rules", one="approval_rule_id", name="name",
    about="How many have to approve before a request is merged.", empty="No rules: no approval is needed.",
    facts=(("Approvals", "approvals_required"), ("People", "users"), ("Groups", "groups"),
           ("Branches", "protected_branches"), ("All protected branches", "applies_to_all_protected_branches")),
    add="Add rule", inputs=(*APPROVERS, *APPROVED_BRANCHES), edits=(*APPROVERS, *APPROVED_BRANCHES),
)  # fmt: skip
CHECK_INPUTS = (
    Input("name"), Input("external_url", "Address"), Input("shared_secret", "Secret", kind="secret"),
    Input("protected_branch_ids", "Only for requests into", kind="branches", shows="protected_branches"),
)  # fmt: skip
CHECKS = Collection(
    "status_checks", "External checks", f"{PROJECT}/external_status_checks", one="check_id", name="name",
    about="Services that are told of merge requests and say whether they agree.", empty="No external checks.",
    facts=(("Address", "external_url"), ("Signed", "hmac"), ("Branches", "protected_branches")),
    add="Add external check", inputs=CHECK_INPUTS, edits=CHECK_INPUTS,
)  # fmt: skip
BRANCHES = protected_branches(
    PROJECT,
    "Who may push to these branches and merge into them.",
    "No branch is protected: whoever may push, may push to each.",
)
TAGS = Collection(
    "protected_tags", "Protected tags", f"{PROJECT}/protected_tags", one="name", by="name", name="name",
    about="Who may create these tags.", add="Protect a tag", remove="Unprotect", empty="No tag is protected.",
    facts=(("May create", "create_access_levels"),),
    inputs=(Input("name", "Tag or pattern"), Input("create_access_level", "May create", start=40, hint=""),
            Input("allowed_to_create", "And these people and groups", kind="holders")),
)  # fmt: skip
DEPLOY_KEYS = Collection(
    "deploy_keys", "Deploy keys", f"{PROJECT}/deploy_keys", one="key_id", name="title",
    about="SSH keys of machines that read this repository, or push to it.", add="Add deploy key",
    facts=(("Fingerprint", "fingerprint_sha256"), ("May push", "can_push"), ("Expires", "expires_at")),
    inputs=(Input("title"), Input("key", "Public key", kind="long"), Input("can_push"), Input("expires_at")),
    edits=(Input("title"), Input("can_push")), is_sensitive=True,
)  # fmt: skip
OFFERED_KEYS = Collection(
    "offered_keys", "Deploy keys of other projects", f"{PROJECT}/deploy_keys", one="key_id", name="title",
    about="Those of projects that you maintain, and those that are offered to every project.", remove="",
    facts=(("Fingerprint", "fingerprint"), ("For every project", "is_public"), ("Expires", "expires_at")),
    verbs=(Verb("enable", "Enable here", "/:key_id/enable"),), is_sensitive=True,
    load=lambda call: offered_keys(call.conn, call.actor, call.project.id),
)  # fmt: skip
DEPLOY_TOKENS = Collection(
    "deploy_tokens", "Deploy tokens", f"{PROJECT}/deploy_tokens", one="token_id", name="name",
    about="User name and password of machines.", add="Add deploy token", remove="Revoke", secret="token",
    facts=(("User name", "username"), ("Scopes", "scopes"), ("Expires", "expires_at")),
    inputs=DEPLOY_TOKEN_INPUTS, fixed={"active": True},
)  # fmt: skip
NOT_BOTH = "A regular expression. It cannot be combined with “Only protected branches”."
PULL_MIRROR = Settings(
    "pull_mirror", "Pull mirror", PROJECT,
    (
        Input("mirror", "Follow another repository"),
        Input("import_url", "Its address", kind="secret", hint=""),
        Input("mirror_trigger_builds", "What arrives runs pipelines"),
        Input("only_mirror_protected_branches", "Only protected branches"),
        Input("mirror_branch_regex", "Only branches whose name matches", hint=NOT_BOTH),
        Input("mirror_overwrites_diverged_branches", "Overwrite branches that have commits of their own"),
    ),
    about="The branches and tags of another repository are fetched again and again.",
)  # fmt: skip
PULL_STATE = Settings(
    "pull_state", "State of the pull mirror", f"{PROJECT}/mirror/pull",
    facts=(("State", "update_status"), ("Last success", "last_successful_update_at"),
           ("Last update", "last_update_at"), ("Error", "last_error")),
    verbs=(Verb("pull", "Fetch now", ""),), sends=True,
)  # fmt: skip
PULL_LOGIN = Settings(
    "pull_login", "Login at the mirrored repository", f"{PROJECT}/mirror/pull",
    (Input("auth_user", "User name there", kind="blank"),
     Input("auth_password", "Password or token there", kind="secret")),
    about="What is left empty stays as it is.", is_sensitive=True,
)  # fmt: skip
MIRROR_OPTIONS = (
    Input("enabled", "On", start=True), Input("only_protected_branches", "Only protected branches"),
    Input("keep_divergent_refs", "Overwrite nothing that only the mirror has"),
    Input("auth_method", "Login over SSH", options=(("password", "Password"), ("ssh_public_key", "SSH key"))),
    Input("host_keys", "Public keys of the SSH host, with commas between", kind="list"),
)  # fmt: skip
MIRROR_BRANCHES = Input("mirror_branch_regex", "Only branches whose name matches", hint=NOT_BOTH)
PUSH_MIRRORS = Collection(
    "push_mirrors", "Push mirrors", f"{PROJECT}/remote_mirrors", one="mirror_id", name="url",
    about="Every push is passed on to these repositories.", add="Add push mirror",
    facts=(("On", "enabled"), ("State", "update_status"), ("Last success", "last_successful_update_at"),
           ("Error", "last_error"), ("Protected branches only", "only_protected_branches"),
           ("Branches that match", "mirror_branch_regex")),
    inputs=(Input("url", "Address with user name and password"), *MIRROR_OPTIONS,
            MIRROR_BRANCHES),
    edits=(Input("url", "Another address, with user name and password", kind="secret"), *MIRROR_OPTIONS,
           MIRROR_BRANCHES),
    verbs=(Verb("sync", "Push now", "/:mirror_id/sync", when=("enabled", True)),), empty="No push mirrors.", sends=True,
)  # fmt: skip
PIPELINES = Settings(
    "pipelines", "Pipelines", PROJECT,
    (
        Input("ci_config_path", "Path of the CI file", hint="Empty: `.gitlab-ci.yml`."),
        Input("build_timeout", "Longest time of a job in seconds", hint=""),
        Input("auto_cancel_pending_pipelines", "A new pipeline of a branch cancels the older ones",
              options=(("enabled", "Yes"), ("disabled", "No")), hint=""),
        Input("public_jobs", "Everybody who sees the project sees logs"),
        Input("shared_runners_enabled", "Runners of the instance serve this project"),
        Input("keep_latest_artifact", "Keep the artifacts of the latest pipeline"),
    ),
)  # fmt: skip
VARIABLES = variables(PROJECT, "Values that jobs get in their environment.")


# Any: a record of the API.
def _may_change_trigger(call: PageCall, record: Mapping[str, Any], verb: str) -> bool:
    return verb != "edit" or may_update_trigger(call.actor, (record["owner"] or {}).get("id"))


TRIGGERS = Collection(
    "triggers", "Trigger tokens", f"{PROJECT}/triggers", one="trigger_id", name="description",
    about="Tokens that start a pipeline from elsewhere.", add="Add trigger token", remove="Revoke", secret="token",
    facts=(("Owner", "owner"), ("Last used", "last_used"), ("Expires", "expires_at")),
    inputs=(Input("description"), Input("expires_at")), edits=(Input("description"),),
    allows=_may_change_trigger,
)  # fmt: skip
RUNNERS = Collection(
    "runners", "Runners", f"{PROJECT}/runners", one="id", name="description", about="Machines that run jobs.",
    add="New runner", add_address="/user/runners", secret="token", facts=RUNNER_FACTS, inputs=RUNNER_INPUTS,
    new={"runner_type": "project_type"}, own_id="project_id", remove="", adds=with_runner_facts,
    empty="No runner serves this project.", href="runners/{}",
)  # fmt: skip
FREEZES = Collection(
    "freeze_periods", "Deploy freezes", f"{PROJECT}/freeze_periods", one="freeze_period_id", name="freeze_start",
    about="Times without deployments, as cron expressions: jobs see `CI_DEPLOY_FREEZE`.", add="Add deploy freeze",
    facts=(("Until", "freeze_end"), ("Time zone", "cron_timezone")), empty="No deploy freezes.",
    inputs=(Input("freeze_start", "From"), Input("freeze_end", "Until"), Input("cron_timezone", "Time zone")),
    edits=(Input("freeze_start", "From"), Input("freeze_end", "Until"), Input("cron_timezone", "Time zone")),
)  # fmt: skip
JOB_TOKENS = Settings(
    "job_tokens", "Job tokens", f"{PROJECT}/job_token_scope",
    (Input("enabled", "Only projects and groups below reach this one with the tokens of their jobs",
           shows="inbound_enabled"),),
    method="PATCH",
)  # fmt: skip
JOB_TOKEN_PROJECTS = Collection(
    "job_token_projects", "Projects whose jobs may come", f"{PROJECT}/job_token_scope/allowlist",
    one="target_project_id", name="path_with_namespace", add="Add project", empty="No other project.",
    inputs=(Input("target_project_id", "Project", kind="project"),),
)  # fmt: skip
JOB_TOKEN_GROUPS = Collection(
    "job_token_groups", "Groups whose jobs may come", f"{PROJECT}/job_token_scope/groups_allowlist",
    one="target_group_id", name="name", add="Add group", empty="No group.",
    inputs=(Input("target_group_id", "Group", kind="group"),),
)  # fmt: skip
BADGES = badges(PROJECT)
ENVIRONMENTS = protected_environments(
    PROJECT,
    Input("name", "Environment", hint=""),
    "Only those who are named deploy to these environments, stop and delete them.",
)
FLAGS = Collection(
    "feature_flags", "Feature flags", f"{PROJECT}/feature_flags", one="feature_flag_name", by="name", name="name",
    about="Switches that applications read with a client of Unleash. A new one is for everybody in all environments;"
          " its page has other strategies.",
    facts=(("On", "active"), ("Description", "description"), ("Changed", "updated_at")), add="Add feature flag",
    inputs=(Input("name"), Input("description"), Input("active", "On", start=True)),
    edits=(Input("description"), Input("active", "On")), empty="No feature flags.", href="feature_flags/{}/edit",
    new={"strategies": [{"name": "default", "parameters": {}, "scopes": [{"environment_scope": "*"}]}]},
)  # fmt: skip
USER_LISTS = Collection(
    "user_lists", "User lists", f"{PROJECT}/feature_flags_user_lists", one="iid", by="iid", name="name",
    about="Users of the application that strategies name.", facts=(("Users", "user_xids"),), add="Add user list",
    inputs=(Input("name"), Input("user_xids", "Ids, separated by commas", kind="long")),
    empty="No user lists.", href="feature_flags_user_lists/{}/edit",
)  # fmt: skip
PUSH_RULE = push_rule(PROJECT, "What every push, commit and merge must obey.")

MORE_MERGING = Settings(
    "more_merging", "More about merging", PROJECT,
    (
        Input("only_allow_merge_if_all_status_checks_passed", "All external checks must pass"),
        Input("resolve_outdated_diff_discussions", "Threads on lines that changed since are resolved"),
        Input("autoclose_referenced_issues", "Merging into the default branch closes issues that are named"),
        Input("mr_default_target_self", "Requests of a fork lead to the fork itself"),
        Input("merge_requests_template", "Text of new requests", kind="long"),
        Input("issues_template", "Text of new issues", kind="long"),
        Input("issue_branch_template", "Names of branches that issues begin"),
    ),
)  # fmt: skip
MORE_PIPELINES = Settings(
    "more_pipelines", "More about pipelines", PROJECT,
    (
        Input("group_runners_enabled", "Runners of the groups serve this project"),
        Input("build_git_strategy", "How jobs get the repository", hint=""),
        Input("ci_default_git_depth", "Commits that a job gets", hint="0: all."),
        Input("ci_separated_caches", "Protected branches have caches of their own"),
        Input("ci_forward_deployment_enabled", "Older deployments are not run after newer ones"),
        Input("ci_forward_deployment_rollback_allowed", "Older deployments may be run again by hand"),
        Input("ci_allow_fork_pipelines_to_run_in_parent_project", "Requests of forks run pipelines here"),
        Input("ci_push_repository_for_job_token_allowed", "Job tokens may push to this project"),
        Input("build_coverage_regex", "Pattern of the coverage in logs"),
        Input("max_artifacts_size", "Largest artifacts of a job in megabytes", hint="Administrators change it."),
        Input("ci_delete_pipelines_in_seconds", "Pipelines are deleted after seconds", hint=""),
        Input("ci_restrict_pipeline_cancellation_role", "Who may cancel pipelines"),
        Input("ci_pipeline_variables_minimum_override_role", "Who may set variables of a new pipeline", hint=""),
        Input("allow_pipeline_trigger_approve_deployment", "Who starts a pipeline may approve its deployments"),
        Input("ci_id_token_sub_claim_components", "Parts of the claim `sub` in ID tokens"),
        Input("runner_token_expiration_interval", "Tokens of runners expire after seconds"),
        Input("ci_job_token_scope_enabled", "Job tokens of this project reach only projects that name it"),
    ),
)  # fmt: skip
ADVANCED = Settings(
    "advanced", "Advanced", PROJECT,
    (
        Input("lfs_enabled", "Git LFS"), Input("request_access_enabled", "People may ask for access"),
        Input("emails_enabled", "Mails about this project"),
        Input("enforce_auth_checks_on_uploads", "Attached pictures ask who sees them",
              hint="Otherwise everybody who has the address of a picture does, as programs that read mails."),
    ),
    verbs=(Verb("housekeeping", "Tidy the repository now", "/housekeeping"),),
)  # fmt: skip
LIMITS = Settings(
    "limits", "Limits", PROJECT,
    (
        Input("repository_size_limit", "Largest repository in MB, 0 for no limit"),
        Input("repository_storage", "Storage of the repository"),
    ),
    about="Only administrators see and change these.",
    allows=lambda call, _, __: call.may("GET", "/application/settings"),
)  # fmt: skip
IMAGES = Settings(
    "images", "Clean-up of container images", PROJECT, about="Kept for other servers, as the settings above.",
    inputs=tuple(
        Input(f"container_expiration_policy_attributes.{name}", words, options=options,
              shows=f"container_expiration_policy.{name}")
        for name, words, options in (
            ("enabled", "Old images are removed", ()),
            ("cadence", "How often", (("1d", "Every day"), ("7d", "Every week"), ("14d", "Every two weeks"),
                                      ("1month", "Every month"), ("3month", "Every three months"))),
            ("keep_n", "Images that stay of each name", (("0", "No number"), *((str(n), str(n))
                                                         for n in (1, 5, 10, 25, 50, 100)))),
            ("older_than", "Age from which they go", (("", "Any age"), *((f"{n}d", f"{n} days")
                                                      for n in (7, 14, 30, 60, 90)))),
            ("name_regex_delete", "Names to remove", ()),
            ("name_regex_keep", "Names to keep", ()),
        )
    ),
)  # fmt: skip
FEATURES = Settings(
    "features", "Who may use what", PROJECT,
    tuple(
        Input(f"{name}_access_level", words) for name, words in (
            ("repository", "Files and history"), ("forking", "Forking"), ("releases", "Releases"),
            ("environments", "Environments"), ("feature_flags", "Feature flags"), ("analytics", "Charts"),
        )
    ),
)  # fmt: skip
KEPT = kept_settings(PROJECT)
ADDRESS = Settings(
    "address", "Address and topics", PROJECT,
    (Input("path", "Last part of the address"), Input("topics", "Topics, separated by commas", kind="list")),
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
    SettingsPage("hooks", "Web hooks", (hooks(PROJECT),)),
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
