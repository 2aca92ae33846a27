"""Parameters of the integration endpoints."""

from ingot.features.integrations.project_integrations.kinds import BRANCHES
from ingot.kit.params import CursorPaging, Param, Params

CHANNEL = "Channels for this kind of event, with commas between (slack, mattermost)."


class ListIntegrations(CursorPaging):
    """A page of integrations."""


class IntegrationPath(Params):
    """One integration."""

    slug: str = Param("The integration's name.", required=True)


class SetIntegration(Params):
    """The settings of an integration; which of them it has and needs depends on the integration."""

    slug: str = Param("The integration's name.", required=True)
    use_inherited_settings: bool | None = Param("Take the settings of the nearest group above that has some.")
    commit_events: bool | None = Param("Tell it of mentions in commits.")
    push_events: bool | None = Param("Tell it of pushes.")
    issues_events: bool | None = Param("Tell it of issues.")
    incident_events: bool | None = Param("Tell it of incidents; there are none here.")
    alert_events: bool | None = Param("Tell it of alerts; there are none here.")
    confidential_issues_events: bool | None = Param("Tell it of confidential issues.")
    merge_requests_events: bool | None = Param("Tell it of merge requests.")
    tag_push_events: bool | None = Param("Tell it of tags.")
    deployment_events: bool | None = Param("Tell it of deployments.")
    note_events: bool | None = Param("Tell it of comments.")
    confidential_note_events: bool | None = Param("Tell it of internal comments and those on confidential issues.")
    pipeline_events: bool | None = Param("Tell it of pipelines that end.")
    wiki_page_events: bool | None = Param("Tell it of wiki pages.")
    job_events: bool | None = Param("Tell it of jobs.")
    vulnerability_events: bool | None = Param("Tell it of vulnerabilities; there are none here.")
    comment_on_event_enabled: bool | None = Param("Whether it comments on what it is told.")
    webhook: str | None = Param("Where messages are sent to.")
    username: str | None = Param("The name under which messages appear, or that logs in.")
    channel: str | None = Param("Channels, with commas between (slack, mattermost).")
    notify_only_broken_pipelines: bool | None = Param("Tell only of pipelines that failed.")
    branches_to_be_notified: str | None = Param("Pushes and pipelines of which branches are told.", one_of=BRANCHES)
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
    recipients: str | None = Param("Addresses to mail, with blanks between (emails-on-push, pipelines-email).")
    disable_diffs: bool | None = Param("Mail pushes without what they change.")
    send_from_committer_email: bool | None = Param("Mail pushes as who pushed, where the address is of our own host.")
    url: str | None = Param("The address of the other service.")
    api_url: str | None = Param("The address of its interface (jira).")
    password: str | None = Param("A password or token there.")
    jira_issue_transition_id: str | None = Param("Transitions of issues that are closed (jira).")
    jira_issue_prefix: str | None = Param("What stands in front of the keys of issues (jira).")
    project_keys: list[str] = Param("Projects there (jira).", comma=True)
    project_url: str | None = Param("The address of the project there.")
    issues_url: str | None = Param("The address of an issue there, with `:id`.")
    new_issue_url: str | None = Param("The address of the form for a new issue there.")
    external_wiki_url: str | None = Param("The address of the wiki.")
    token: str | None = Param("A token there.")
    api_key: str | None = Param("A key there.")


class TriggerCommand(Params):
    """A command from a chat service; the rest of what such services send is not read."""

    token: str = Param("The integration's token.", required=True)
