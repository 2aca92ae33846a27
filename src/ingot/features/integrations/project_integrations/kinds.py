"""The known integrations: their names, and which settings they need, show and keep secret."""

import msgspec

CHANNELS = (
    "push_channel", "tag_push_channel", "issue_channel", "confidential_issue_channel", "merge_request_channel",
    "note_channel", "confidential_note_channel", "pipeline_channel", "wiki_page_channel", "deployment_channel",
)  # fmt: skip
BRANCHES = ("all", "default", "protected", "default_and_protected")
EVENTS = (
    "commit_events", "push_events", "issues_events", "incident_events", "alert_events", "confidential_issues_events",
    "merge_requests_events", "tag_push_events", "deployment_events", "note_events", "confidential_note_events",
    "pipeline_events", "wiki_page_events", "job_events", "vulnerability_events",
)  # fmt: skip
_FILTERS = ("notify_only_broken_pipelines", "branches_to_be_notified")
# What a room hears of, and of which setting the channel is.
CHAT_EVENTS = {
    "push_events": "push_channel",
    "tag_push_events": "tag_push_channel",
    "issues_events": "issue_channel",
    "confidential_issues_events": "confidential_issue_channel",
    "merge_requests_events": "merge_request_channel",
    "note_events": "note_channel",
    "confidential_note_events": "confidential_note_channel",
    "pipeline_events": "pipeline_channel",
    "wiki_page_events": "wiki_page_channel",
    "deployment_events": "deployment_channel",
}


class Kind(msgspec.Struct, frozen=True):
    """One integration."""

    title: str
    required: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    defaults: dict[str, object] = msgspec.field(default_factory=dict)
    sends: tuple[str, ...] = ()  # the switches of what it is told

    def takes(self, name: str) -> bool:
        """Whether the setting is one of this integration."""
        return name in self.shown or name in self.secret


def _chat(title: str, *settings: str) -> Kind:
    return Kind(
        title,
        required=("webhook",),
        shown=(*_FILTERS, *settings),
        secret=("webhook",),
        defaults={"notify_only_broken_pipelines": True, "branches_to_be_notified": "default"},
        sends=tuple(CHAT_EVENTS),
    )


_ADDRESSES = ("project_url", "issues_url", "new_issue_url")
NAMED = {
    "slack": _chat("Slack notifications", "username", "channel", *CHANNELS),
    "mattermost": _chat("Mattermost notifications", "username", "channel", *CHANNELS),
    "discord": _chat("Discord Notifications", "username"),
    "microsoft-teams": _chat("Microsoft Teams notifications"),
    "hangouts-chat": _chat("Google Chat"),
    "emails-on-push": Kind(
        "Emails on push",
        ("recipients",),
        ("recipients", "disable_diffs", "send_from_committer_email", "branches_to_be_notified"),
        defaults={"disable_diffs": False, "send_from_committer_email": False, "branches_to_be_notified": "all"},
        sends=("push_events", "tag_push_events"),
    ),
    "pipelines-email": Kind(
        "Pipeline status emails",
        ("recipients",),
        ("recipients", *_FILTERS),
        defaults={"notify_only_broken_pipelines": True, "branches_to_be_notified": "default"},
        sends=("pipeline_events",),
    ),
    "jira": Kind(
        "Jira",
        ("url", "username", "password"),
        ("url", "api_url", "username", "jira_issue_transition_id", "jira_issue_prefix", "project_keys"),
        ("password",),
    ),
    "custom-issue-tracker": Kind("Custom issue tracker", _ADDRESSES, _ADDRESSES),
    "external-wiki": Kind("External wiki", ("external_wiki_url",), ("external_wiki_url",)),
}
# Kept and shown, and nothing follows.
_OTHERS = (
    "apple-app-store asana assembla bamboo bugzilla buildkite campfire clickup confluence datadog diffblue-cover "
    "drone-ci ewm git-guardian github gitlab-slack-application google-play harbor irker jenkins jira-cloud-app linear "
    "matrix mattermost-slash-commands packagist phorge pivotaltracker prometheus pumble pushover redmine "
    "slack-slash-commands squash-tm teamcity telegram unify-circuit webex-teams youtrack zentao"
)
_PLAIN = Kind("", (), ("url", "username", *_ADDRESSES), ("token", "api_key", "password", "webhook"))
KINDS = {
    **NAMED,
    **{slug: msgspec.structs.replace(_PLAIN, title=slug.replace("-", " ").capitalize()) for slug in _OTHERS.split()},
}
