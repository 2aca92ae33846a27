"""Sections that projects, groups and the instance have in common."""

from ingot.web.fields import Input
from ingot.web.sections import Collection, Settings, Verb

VARIABLE_FACTS = (
    ("Type", "variable_type"), ("Environments", "environment_scope"), ("Protected", "protected"), ("Masked", "masked"),
)  # fmt: skip
VARIABLE_INPUTS = (
    Input("key"), Input("value", kind="long"), Input("variable_type", "Type", start="env_var"), Input("protected"),
    Input("masked"), Input("raw", "Not expanded"), Input("description"), Input("environment_scope", start="*"),
)  # fmt: skip
RUNNER_FACTS = (
    ("State", "status"), ("Type", "runner_type"), ("Paused", "paused"), ("Address", "ip_address"),
)  # fmt: skip
RUNNER_INPUTS = (
    Input("description"), Input("tag_list", "Tags", kind="list"), Input("run_untagged", start=True),
    Input("locked"), Input("paused"), Input("maximum_timeout"),
)  # fmt: skip
SCOPES = (
    ("api", "All of the API"), ("read_api", "Reading the API"), ("read_repository", "Reading repositories"),
    ("write_repository", "Writing repositories"), ("create_runner", "Creating runners"),
    ("manage_runner", "Managing runners"),
)  # fmt: skip
DEPLOY_SCOPES = (("read_repository", "Reading the repository"),)
EVENTS = (
    "push_events", "tag_push_events", "merge_requests_events", "issues_events", "note_events", "pipeline_events",
    "job_events", "deployment_events", "releases_events", "milestone_events",
)  # fmt: skip
HOOK_INPUTS = (
    Input("url", "Address"), Input("name"), Input("description"), Input("token", "Secret", kind="secret"),
    Input("enable_ssl_verification", "Check the certificate", start=True),
)  # fmt: skip


def hook_inputs() -> tuple[Input, ...]:
    """The fields of a web hook."""
    return (*HOOK_INPUTS, *(Input(name, start=name == "push_events") for name in EVENTS))


def hooks(place: str) -> Collection:
    """The web hooks of a project or group."""
    return Collection(
        "hooks", "Web hooks", f"{place}/hooks", one="hook_id", name="url", add="Add web hook", href="hooks/{}/edit",
        about="Addresses that are told what happens.", inputs=hook_inputs(),
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
        inputs=(Input("name"), Input("scopes", options=SCOPES), Input("access_level", "Role", start=30),
                Input("expires_at")),
        verbs=(Verb("rotate", "Rotate", "/:token_id/rotate", secret="token"),), empty="No tokens.",
    )  # fmt: skip


DEPLOY_LEVELS = (("40", "Maintainers"), ("30", "Developers and maintainers"), ("60", "Administrators"))


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


def badges(place: str) -> Collection:
    """The badges of a project or group."""
    inputs = (
        Input("name"), Input("link_url", "Where it leads"), Input("image_url", "Address of the picture"),
    )  # fmt: skip
    return Collection(
        "badges", "Badges", f"{place}/badges", one="badge_id", name="name", add="Add badge", inputs=inputs,
        about="Links on the first page. `%{project_path}` and `%{default_branch}` are filled in. Pictures of other"
              " sites are not loaded.",
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
