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
          hint="Of a file, jobs get the path."),
    Input("protected"), Input("masked"), Input("raw", "Not expanded"), Input("description"),
)  # fmt: skip
VARIABLE_SCOPE = Input("environment_scope", start="*")
RUNNER_FACTS = (
    ("State", "status"), ("Last contact", "contacted_at"), ("Tags", "tag_list"), ("Version", "version"),
    ("Jobs", "job_execution_status"), ("Type", "runner_type"), ("Paused", "paused"), ("Address", "ip_address"),
)  # fmt: skip
RUNNER_INPUTS = (
    Input("description"), Input("tag_list", "Tags", kind="list"),
    Input("run_untagged", "It takes jobs without tags, too", start=True),
    Input("locked", "It stays with its present projects"), Input("paused", "Paused: it takes no jobs"),
    Input("maximum_timeout", "Longest time of a job in seconds", hint="At least 600. Empty: as projects say."),
    Input("access_level", "Whose jobs it takes", start="not_protected", options=(
        ("not_protected", "Those of all branches and tags"), ("ref_protected", "Those of protected branches and tags")),
        hint=""),
    Input("maintenance_note", "Note for those who look after it", kind="long", hint=""),
)  # fmt: skip
BRANCH_GUARDS = (
    ("0", "Developers, also by force"), ("1", "Developers"), ("2", "Maintainers"),
    ("3", "Maintainers; developers may merge"), ("4", "Maintainers; developers may push the first commits"),
)  # fmt: skip
SCOPES = (
    ("api", "All of the API"), ("read_api", "Reading the API"), ("read_repository", "Reading repositories"),
    ("write_repository", "Writing repositories"), ("create_runner", "Creating runners"),
    ("manage_runner", "Managing runners"),
)  # fmt: skip
DEPLOY_TOKEN_INPUTS = (
    Input("name"), Input("scopes", options=(("read_repository", "Reading the repository"),)),
    Input("expires_at", hint="Empty: never."), Input("username", "User name", hint="Empty: one is made."),
)  # fmt: skip
EVENTS = {
    "push_events": "Pushes to branches", "tag_push_events": "Pushes of tags", "merge_requests_events": "Merge requests",
    "issues_events": "Issues", "confidential_issues_events": "Confidential issues", "note_events": "Comments",
    "confidential_note_events": "Internal comments, and comments on confidential issues",
    "pipeline_events": "Pipelines", "job_events": "Jobs", "deployment_events": "Deployments",
    "releases_events": "Releases", "milestone_events": "Milestones", "wiki_page_events": "Wiki pages",
    "feature_flag_events": "Feature flags", "emoji_events": "Reactions",
    "resource_access_token_events": "Access tokens that expire soon",
    "resource_deploy_token_events": "Deploy tokens that expire soon", "vulnerability_events": "Vulnerabilities",
}  # fmt: skip
GROUP_EVENTS = {
    **EVENTS, "member_events": "Members", "subgroup_events": "Subgroups that are created or removed",
    "project_events": "Projects that are created or removed",
}  # fmt: skip
HOOK_INPUTS = (
    Input("url", "Address"), Input("name"), Input("description"), Input("token", "Secret", kind="secret"),
    Input("signing_token", "Secret that signs", kind="secret"),
    Input("enable_ssl_verification", "Check the certificate", start=True),
    Input("push_events_branch_filter", "Pushes only to branches that match"),
    Input("branch_filter_strategy", "How that is read", options=(
        ("wildcard", "As a pattern with *"), ("regex", "As a regular expression"), ("all_branches", "Not at all")),
        hint=""),
    Input("custom_webhook_template", "Template of the body", kind="long"),
    Input("custom_headers", "More headers, as name=value on each line", kind="keyed"),
    Input("url_variables", "Values for {names} in the address, as name=value on each line", kind="keyed"),
)  # fmt: skip


def hook_inputs(place: str) -> tuple[Input, ...]:
    """The fields of a web hook of a project or group."""
    return (*HOOK_INPUTS, *(Input(name, words, start=name == "push_events") for name, words in events(place).items()))


def events(place: str) -> dict[str, str]:
    """What a web hook of a project or group may be told, in words."""
    return GROUP_EVENTS if place.startswith("/groups") else EVENTS


def hook_pairs(address: str, name: str, title: str) -> Collection:
    """Named values of a web hook, which its form adds."""
    return Collection(
        name, title, address, one="key", by="key", name="key", listed=name, records=f"{address}/{name}",
        about="The form above adds and changes them. Their values are not shown again.", empty="None.",
    )  # fmt: skip


def hooks(place: str) -> Collection:
    """The web hooks of a project or group."""
    return Collection(
        "hooks", "Web hooks", f"{place}/hooks", one="hook_id", name="url", add="Add web hook", href="hooks/{}/edit",
        about="Addresses that are told what happens.", inputs=hook_inputs(place),
        facts=(("Name", "name"), ("State", "alert_status"), ("Created", "created_at")),
        verbs=(Verb("test", "Send a test push", "/:hook_id/test/push_events"),), empty="Nobody is told.",
        sends=True,
    )  # fmt: skip


def tokens(place: str) -> Collection:
    """The access tokens of a project or group."""
    return Collection(
        "tokens", "Access tokens", f"{place}/access_tokens", one="token_id", name="name", add="Add access token",
        about="Each has a bot with a role here.", remove="Revoke", secret="token", fixed={"state": "active"},
        facts=(("Role", "access_level"), ("Scopes", "scopes"), ("Expires", "expires_at"),
               ("Last used", "last_used_at")),
        inputs=(Input("name"), Input("description"), Input("scopes", options=SCOPES),
                Input("access_level", "Role", start=30, hint="At most your own."),
                Input("expires_at", hint="Empty: in a year.")),
        verbs=(Verb("rotate", "Rotate", "/:token_id/rotate", secret="token"),), empty="No tokens.",
    )  # fmt: skip


# Of an approval rule.
APPROVERS = (
    Input("name"), Input("approvals_required", start=1), Input("user_ids", "People", kind="people", shows="users"),
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
        facts=(("May push", "push_access_levels"), ("May merge", "merge_access_levels"),
               ("Force push", "allow_force_push"), ("Code owners approve", "code_owner_approval_required")),
        inputs=(Input("name", "Branch or pattern"), Input("push_access_level", "May push", start=40, hint=""),
                Input("merge_access_level", "May merge", start=40, hint=""),
                Input("unprotect_access_level", "May change and lift this", hint="Default: maintainers."),
                Input("allow_force_push", "Whoever may push, may push by force"),
                Input("code_owner_approval_required", "Code owners have to approve changes of their files")),
        allows=_may_lift,
    )  # fmt: skip


def protected_environments(place: str, named: Input, about: str) -> Collection:
    """The protected environments of a project, or tiers of a group."""
    return Collection(
        "protected_environments", "Protected environments", f"{place}/protected_environments", one="name", by="name",
        name="name", about=about, add="Protect an environment", remove="Unprotect", empty="None is protected.",
        facts=(("May deploy", "deploy_access_levels"), ("Approvals", "required_approval_count"),
               ("Rules of approval", "approval_rules")),
        inputs=(named, Input("deploy_access_levels", "Who may deploy", "level", 40, DEPLOY_LEVELS),
                Input("required_approval_count", "How many of them have to approve", start=0)),
        href="settings/ci_cd/environments/{}",
    )  # fmt: skip


def approvals(place: str, about: str = "") -> Settings:
    """How merge requests of a project, or of all below a group, are approved."""
    return Settings(
        "approvals", "Approvals", f"{place}/merge_request_approval_setting",
        (
            Input("allow_author_approval", "Authors may approve their own requests"),
            Input("allow_committer_approval", "Who committed may approve"),
            Input("allow_overrides_to_approver_list_per_merge_request", "Requests may have rules of their own"),
            Input("retain_approvals_on_push", "A push keeps the approvals"),
            Input("selective_code_owner_removals", "A push removes only approvals of owners of changed files"),
            Input("require_reauthentication_to_approve", "Approving asks for the password again"),
        ),
        about=about,
    )  # fmt: skip


def variables(place: str, about: str) -> Collection:
    """The variables of a project or group; one key may have several, for different environments."""
    return Collection(
        "variables", "Variables", f"{place}/variables", one="key", by="key", name="key", scope="environment_scope",
        about=about, add="Add variable", facts=(*VARIABLE_FACTS, ("Hidden", "hidden")),
        inputs=(Input("key"), *VARIABLE_FIELDS, Input("masked_and_hidden", "Hidden here too, for good"),
                VARIABLE_SCOPE),
        edits=(*VARIABLE_FIELDS, VARIABLE_SCOPE),
    )  # fmt: skip


def custom_attributes(place: str) -> Collection:
    """What administrators note about a project, group or person."""
    address = f"{place}/custom_attributes"
    return Collection(
        "custom_attributes", "Custom attributes", address, one="key", by="key", name="key", add="Set an attribute",
        about="Only administrators see these. Lists of the API can be filtered by them.", facts=(("Value", "value"),),
        inputs=(Input("key"), Input("value")), edits=(Input("value"),), add_address=f"{address}/:key",
        add_method="PUT", empty="None.",
    )  # fmt: skip


def badges(place: str) -> Collection:
    """The badges of a project or group."""
    inputs = (
        Input("name"), Input("link_url", "Where it leads"), Input("image_url", "Address of the picture"),
    )  # fmt: skip
    return Collection(
        "badges", "Badges", f"{place}/badges", one="badge_id", name="name", add="Add badge", inputs=inputs,
        about="Links on the first page. `%{project_path}` and `%{default_branch}` are filled in. This server fetches"
              " pictures of other sites.",
        facts=(("Leads to", "link_url"), ("Picture", "image_url")), edits=inputs, empty="No badges.",
        allows=lambda _, record, __: record["kind"] == place.split("/")[1][:-1],
    )  # fmt: skip


def push_rule(place: str, about: str) -> Settings:
    """The push rule of a project or group."""
    return Settings(
        "push_rule", "Push rule", f"{place}/push_rule",
        (
            Input("commit_message_regex", "Commit messages match"),
            Input("commit_message_negative_regex", "Commit messages do not match"),
            Input("branch_name_regex", "Names of branches match"),
            Input("author_email_regex", "Addresses of authors and committers match"),
            Input("file_name_regex", "Names of new files do not match"),
            Input("max_file_size", "Largest new file in megabytes"),
            Input("prevent_secrets", "Refuse files that hold secrets by their names"),
            Input("deny_delete_tag", "Git may not delete tags"),
            Input("member_check", "Authors and committers are users here"),
            Input("commit_committer_check", "Committers are the pusher, by a confirmed address"),
            Input("commit_committer_name_check", "Committers have the name of the pusher"),
            Input("reject_unsigned_commits", "Refuse unsigned commits"),
            Input("reject_non_dco_commits", "Refuse commits without a sign-off"),
        ),
        about=about, is_optional=True,
    )  # fmt: skip
