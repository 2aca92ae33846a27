"""Sections that projects, groups and the instance have in common."""

from collections.abc import Mapping

from ingot.web.call import PageCall
from ingot.web.fields import Input
from ingot.web.sections import Collection, Settings, Verb

VARIABLE_FACTS = (
    ("Type", "variable_type"), ("Environments", "environment_scope"), ("Protected", "protected"), ("Masked", "masked"),
)  # fmt: skip
VARIABLE_FIELDS = (
    Input("value", kind="long"),
    Input("variable_type", "Type", start="env_var", options=(("env_var", "Variable"), ("file", "File")),
          hint="For type File, jobs get the path of a file with the value."),
    Input("protected"), Input("masked"), Input("raw", "Not expanded"), Input("description"),
)  # fmt: skip
VARIABLE_SCOPE = Input("environment_scope", start="*")
RUNNER_FACTS = (
    ("State", "status"), ("Last contact", "contacted_at"), ("Tags", "tag_list"), ("Version", "version"),
    ("Jobs", "job_execution_status"), ("Type", "runner_type"), ("Paused", "paused"), ("IP address", "ip_address"),
)  # fmt: skip
RUNNER_INPUTS = (
    Input("description"), Input("tag_list", "Tags", kind="list"),
    Input("run_untagged", "Run untagged jobs", start=True),
    Input("locked", "Lock to current projects"), Input("paused", "Paused: does not accept new jobs"),
    Input("maximum_timeout", "Maximum job timeout in seconds",
          hint="At least 600. Leave empty to use the project setting."),
    Input("access_level", "Accepts jobs from", start="not_protected", options=(
        ("not_protected", "All branches and tags"), ("ref_protected", "Protected branches and tags only")),
        hint=""),
    Input("maintenance_note", "Maintenance note", kind="long", hint=""),
)  # fmt: skip
BRANCH_GUARDS = (
    ("0", "Developers, including force push"), ("1", "Developers"), ("2", "Maintainers"),
    ("3", "Maintainers; developers can merge"), ("4", "Maintainers; developers can make the initial push"),
)  # fmt: skip
SCOPES = (
    ("api", "Full API access"), ("read_api", "Read the API"), ("read_repository", "Read repositories"),
    ("write_repository", "Write to repositories"), ("create_runner", "Create runners"),
    ("manage_runner", "Manage runners"),
)  # fmt: skip
DEPLOY_TOKEN_INPUTS = (
    Input("name"), Input("scopes", options=(("read_repository", "Read the repository"),)),
    Input("expires_at", hint="Leave empty for no expiration date."),
    Input("username", "Username", hint="Leave empty to generate one."),
)  # fmt: skip
EVENTS = {
    "push_events": "Branch pushes", "tag_push_events": "Tag pushes", "merge_requests_events": "Merge requests",
    "issues_events": "Issues", "confidential_issues_events": "Confidential issues", "note_events": "Comments",
    "confidential_note_events": "Internal comments, and comments on confidential issues",
    "pipeline_events": "Pipelines", "job_events": "Jobs", "deployment_events": "Deployments",
    "releases_events": "Releases", "milestone_events": "Milestones", "wiki_page_events": "Wiki pages",
    "feature_flag_events": "Feature flags", "emoji_events": "Reactions",
    "resource_access_token_events": "Expiring access tokens",
    "resource_deploy_token_events": "Expiring deploy tokens", "vulnerability_events": "Vulnerabilities",
}  # fmt: skip
GROUP_EVENTS = {
    **EVENTS, "member_events": "Members", "subgroup_events": "Subgroup creation and removal",
    "project_events": "Project creation and removal",
}  # fmt: skip
HOOK_INPUTS = (
    Input("url", "URL"), Input("name"), Input("description"), Input("token", "Secret", kind="secret"),
    Input("signing_token", "Signing secret", kind="secret"),
    Input("enable_ssl_verification", "Enable SSL verification", start=True),
    Input("push_events_branch_filter", "Push events only for branches that match"),
    Input("branch_filter_strategy", "Branch filter type", options=(
        ("wildcard", "Wildcard pattern"), ("regex", "Regular expression"), ("all_branches", "All branches")),
        hint=""),
    Input("custom_webhook_template", "Custom payload template", kind="long"),
    Input("custom_headers", "Custom headers, one name=value per line", kind="keyed"),
    Input("url_variables", "Values for {names} in the URL, one name=value per line", kind="keyed"),
)  # fmt: skip


def hook_inputs(place: str) -> tuple[Input, ...]:
    """The fields of a webhook of a project or group."""
    return (*HOOK_INPUTS, *(Input(name, words, start=name == "push_events") for name, words in events(place).items()))


def events(place: str) -> dict[str, str]:
    """What a webhook of a project or group may be told, in words."""
    return GROUP_EVENTS if place.startswith("/groups") else EVENTS


def hook_pairs(address: str, name: str, title: str) -> Collection:
    """Named values of a webhook, which its form adds."""
    return Collection(
        name, title, address, one="key", by="key", name="key", listed=name, records=f"{address}/{name}",
        about="Use the form above to add and change them. Values are not shown again.", empty="None.",
    )  # fmt: skip


def hooks(place: str) -> Collection:
    """The webhooks of a project or group."""
    return Collection(
        "hooks", "Webhooks", f"{place}/hooks", one="hook_id", name="url", add="Add webhook", href="hooks/{}/edit",
        about="URLs that receive events.", inputs=hook_inputs(place),
        facts=(("Name", "name"), ("State", "alert_status"), ("Created", "created_at")),
        verbs=(Verb("test", "Send a test push", "/:hook_id/test/push_events"),), empty="No webhooks.",
        sends=True,
    )  # fmt: skip


def tokens(place: str) -> Collection:
    """The access tokens of a project or group."""
    return Collection(
        "tokens", "Access tokens", f"{place}/access_tokens", one="token_id", name="name", add="Add access token",
        about="Each token belongs to a bot user with a role here.", remove="Revoke", secret="token",
        fixed={"state": "active"}, facts=(("Role", "access_level"), ("Scopes", "scopes"), ("Expires", "expires_at"),
               ("Last used", "last_used_at")),
        inputs=(Input("name"), Input("description"), Input("scopes", options=SCOPES),
                Input("access_level", "Role", start=30, hint="Not higher than your own role."),
                Input("expires_at", hint="Leave empty to expire in one year.")),
        verbs=(Verb("rotate", "Rotate", "/:token_id/rotate", secret="token"),), empty="No tokens.",
    )  # fmt: skip


# Of an approval rule.
APPROVERS = (
    Input("name"), Input("approvals_required", start=1), Input("user_ids", "Users", kind="people", shows="users"),
    Input("group_ids", "Groups", kind="groups", shows="groups"),
)  # fmt: skip
DEPLOY_LEVELS = (("40", "Maintainers"), ("30", "Developers and maintainers"), ("60", "Administrators"))


BRANCH_LEVELS = (*DEPLOY_LEVELS, ("0", "Nobody"))


def _may_lift(call: PageCall, record: Mapping[str, object], _: str) -> bool:
    """Rules of groups above are changed there; others may say who changes them."""
    if record.get("inherited"):
        return False
    is_open = call.project_or_none is None or not record["unprotect_access_levels"]
    return is_open or call.may("DELETE", "/projects/:id/protected_branches/:name", name=record["name"])


def protected_branches(place: str, about: str, empty: str) -> Collection:
    """The protected branches of a project or group."""
    return Collection(
        "protected_branches", "Protected branches", f"{place}/protected_branches", one="name", by="name", name="name",
        about=about, add="Protect a branch", remove="Unprotect", empty=empty, href="settings/repository/branches/{}",
        facts=(("Allowed to push", "push_access_levels"), ("Allowed to merge", "merge_access_levels"),
               ("Force push", "allow_force_push"), ("Code owner approval", "code_owner_approval_required")),
        inputs=(Input("name", "Branch or pattern"), Input("push_access_level", "Allowed to push", start=40, hint=""),
                Input("merge_access_level", "Allowed to merge", start=40, hint=""),
                Input("unprotect_access_level", "Allowed to change or unprotect", hint="Default: maintainers."),
                Input("allow_force_push", "Allow force push"),
                Input("code_owner_approval_required", "Require approval from code owners")),
        allows=_may_lift,
    )  # fmt: skip


def protected_environments(place: str, named: Input, about: str) -> Collection:
    """The protected environments of a project, or tiers of a group."""
    return Collection(
        "protected_environments", "Protected environments", f"{place}/protected_environments", one="name", by="name",
        name="name", about=about, add="Protect an environment", remove="Unprotect", empty="No protected environments.",
        facts=(("Allowed to deploy", "deploy_access_levels"), ("Approvals", "required_approval_count"),
               ("Approval rules", "approval_rules")),
        inputs=(named, Input("deploy_access_levels", "Who can deploy", "level", 40, DEPLOY_LEVELS),
                Input("required_approval_count", "Required approvals", start=0)),
        href="settings/ci_cd/environments/{}",
    )  # fmt: skip


def approvals(place: str, about: str = "") -> Settings:
    """How merge requests of a project, or of all below a group, are approved."""
    return Settings(
        "approvals", "Approvals", f"{place}/merge_request_approval_setting",
        (
            Input("allow_author_approval", "Allow approval by the author"),
            Input("allow_committer_approval", "Allow approval by users who added commits"),
            Input("allow_overrides_to_approver_list_per_merge_request",
                  "Allow editing approval rules in merge requests"),
            Input("retain_approvals_on_push", "Keep approvals when commits are added"),
            Input("selective_code_owner_removals", "Remove approvals by code owners only if their files change"),
            Input("require_reauthentication_to_approve", "Require user re-authentication to approve"),
        ),
        about=about,
    )  # fmt: skip


def variables(place: str, about: str) -> Collection:
    """The variables of a project or group; one key may have several, for different environments."""
    return Collection(
        "variables", "Variables", f"{place}/variables", one="key", by="key", name="key", scope="environment_scope",
        about=about, add="Add variable", facts=(*VARIABLE_FACTS, ("Hidden", "hidden")),
        inputs=(Input("key"), *VARIABLE_FIELDS, Input("masked_and_hidden", "Masked and hidden: can never be revealed"),
                VARIABLE_SCOPE),
        edits=(*VARIABLE_FIELDS, VARIABLE_SCOPE),
    )  # fmt: skip


def custom_attributes(place: str) -> Collection:
    """What administrators note about a project, group or person."""
    address = f"{place}/custom_attributes"
    return Collection(
        "custom_attributes", "Custom attributes", address, one="key", by="key", name="key", add="Set an attribute",
        about="Only administrators can see these. API lists can be filtered by them.", facts=(("Value", "value"),),
        inputs=(Input("key"), Input("value")), edits=(Input("value"),), add_address=f"{address}/:key",
        add_method="PUT", empty="None.",
    )  # fmt: skip


def badges(place: str) -> Collection:
    """The badges of a project or group."""
    inputs = (
        Input("name"), Input("link_url", "Link URL"), Input("image_url", "Image URL"),
    )  # fmt: skip
    return Collection(
        "badges", "Badges", f"{place}/badges", one="badge_id", name="name", add="Add badge", inputs=inputs,
        about="Badges appear on the overview page. `%{project_path}` and `%{default_branch}` are replaced. External"
              " images are fetched by this server.",
        facts=(("Link", "link_url"), ("Picture", "image_url")), edits=inputs, empty="No badges.",
        allows=lambda _, record, __: record["kind"] == place.split("/")[1][:-1],
    )  # fmt: skip


def push_rule(place: str, about: str) -> Settings:
    """The push rule of a project or group."""
    return Settings(
        "push_rule", "Push rule", f"{place}/push_rule",
        (
            Input("commit_message_regex", "Commit messages must match"),
            Input("commit_message_negative_regex", "Commit messages must not match"),
            Input("branch_name_regex", "Branch names must match"),
            Input("author_email_regex", "Author and committer emails must match"),
            Input("file_name_regex", "Paths of new files must not match"),
            Input("max_file_size", "Maximum size of new files in MB", hint="0 for any size."),
            Input("prevent_secrets", "Reject files that are likely to contain secrets"),
            Input("deny_delete_tag", "Prevent deleting tags with git push"),
            Input("member_check", "Authors and committers must be users of this server"),
            Input("commit_committer_check", "Committer must be the pusher, with a confirmed email address"),
            Input("commit_committer_name_check", "Committer name must match the pusher's name"),
            Input("reject_unsigned_commits", "Reject unsigned commits"),
            Input("reject_non_dco_commits", "Reject commits without a DCO sign-off"),
        ),
        about=about, is_optional=True,
    )  # fmt: skip
