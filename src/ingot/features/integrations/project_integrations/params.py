"""Parameters of the integration endpoints."""

from ingot.features.integrations.project_integrations.kinds import BRANCHES
from ingot.kit.params import CursorPaging, Param, Params

CHANNEL = "Comma-separated channels for this event (slack, mattermost)."


class ListIntegrations(CursorPaging):
    """A page of integrations."""


class IntegrationPath(Params):
    """One integration."""

    slug: str = Param("The integration's name.", required=True)


class SetIntegration(Params):
    """The settings of an integration; which of them it has and needs depends on the integration."""

    slug: str = Param("The integration's name.", required=True)
    use_inherited_settings: bool | None = Param("Use the settings of the nearest parent group.")
    commit_events: bool | None = Param("Notify on mentions in commits.")
    push_events: bool | None = Param("Notify on pushes.")
    issues_events: bool | None = Param("Notify on issues.")
    incident_events: bool | None = Param("Notify on incidents; not supported here.")
    alert_events: bool | None = Param("Notify on alerts; not supported here.")
    confidential_issues_events: bool | None = Param("Notify on confidential issues.")
    merge_requests_events: bool | None = Param("Notify on merge requests.")
    tag_push_events: bool | None = Param("Notify on tags.")
    deployment_events: bool | None = Param("Notify on deployments.")
    note_events: bool | None = Param("Notify on comments.")
    confidential_note_events: bool | None = Param("Notify on internal comments and comments on confidential issues.")
    pipeline_events: bool | None = Param("Notify on finished pipelines.")
    wiki_page_events: bool | None = Param("Notify on wiki pages.")
    job_events: bool | None = Param("Notify on jobs.")
    vulnerability_events: bool | None = Param("Notify on vulnerabilities; not supported here.")
    comment_on_event_enabled: bool | None = Param("Whether the integration adds comments.")
    webhook: str | None = Param("URL that messages are sent to.")
    username: str | None = Param("Username shown with messages, or used to sign in.")
    channel: str | None = Param("Comma-separated channels (slack, mattermost).")
    notify_only_broken_pipelines: bool | None = Param("Notify only on failed pipelines.")
    branches_to_be_notified: str | None = Param("Branches to notify about for pushes and pipelines.", one_of=BRANCHES)
    push_channel: str | None = Param(CHANNEL)
    tag_push_channel: str | None = Param(CHANNEL)
    issue_channel: str | None = Param(CHANNEL)
    confidential_issue_channel: str | None = Param(CHANNEL)
    merge_request_channel: str | None = Param(CHANNEL)
    note_channel: str | None = Param(CHANNEL)
    confidential_note_channel: str | None = Param(CHANNEL)
    pipeline_channel: str | None = Param(CHANNEL)
    wiki_page_channel: str | None = Param(CHANNEL)
    deployment_channel: str | None = Param(CHANNEL)
    recipients: str | None = Param("Space-separated email addresses (emails-on-push, pipelines-email).")
    disable_diffs: bool | None = Param("Leave diffs out of push emails.")
    send_from_committer_email: bool | None = Param(
        "Send push emails from the pusher's address if it belongs to this host."
    )
    url: str | None = Param("The address of the other service.")
    api_url: str | None = Param("API URL (jira).")
    password: str | None = Param("Password or API token.")
    jira_issue_transition_id: str | None = Param("Transitions of issues that are closed (jira).")
    jira_issue_prefix: str | None = Param("Issue key prefix (jira).")
    project_keys: list[str] = Param("Jira project keys (jira).", comma=True)
    project_url: str | None = Param("The address of the project there.")
    issues_url: str | None = Param("Issue URL, with `:id`.")
    new_issue_url: str | None = Param("URL of the form for new issues.")
    external_wiki_url: str | None = Param("The address of the wiki.")
    token: str | None = Param("API token.")
    api_key: str | None = Param("API key.")


class TriggerCommand(Params):
    """A command from a chat service; the rest of what such services send is not read."""

    token: str = Param("The integration's token.", required=True)
