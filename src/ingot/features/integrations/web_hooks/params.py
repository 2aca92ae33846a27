"""Parameters of the hook endpoints."""

from typing import ClassVar

from ingot.features.integrations.web_hooks.kinds import GROUP_FLAGS, PROJECT_FLAGS
from ingot.kit.params import CursorPaging, Param, Params

STRATEGIES = ("wildcard", "regex", "all_branches")


class ListHooks(CursorPaging):
    """A page of hooks."""


class Pair(Params):
    """A name with a value that is never shown again."""

    key: str = Param("The name.", required=True)
    value: str = Param("The value.", required=True)


class Shared(Params):
    """What every hook has."""

    name: str | None = Param("Name of the hook.", max_length=255)
    description: str | None = Param("What the hook is for.", max_length=2048)
    token: str | None = Param("Secret that each delivery carries in `X-Gitlab-Token`. It is never shown.")
    signing_token: str | None = Param("Secret that signs each delivery (`webhook-signature`). It is never shown.")
    enable_ssl_verification: bool = Param("Check the receiver's certificate.", default=True)
    push_events: bool | None = Param("Pushes to branches.")
    tag_push_events: bool | None = Param("Pushes of tags.")
    merge_requests_events: bool | None = Param("Merge requests.")
    push_events_branch_filter: str | None = Param("Push events only for branches that match.")
    branch_filter_strategy: str | None = Param("How the branch filter is read.", one_of=STRATEGIES)
    url_variables: list[Pair] = Param("Values that replace `{key}` in the URL.")
    custom_headers: list[Pair] = Param("Headers that each delivery carries.")
    custom_webhook_template: str | None = Param("Custom payload template.", max_length=4096)


class OfProjects(Shared):
    """What hooks of projects and groups have."""

    issues_events: bool | None = Param("Issues.")
    confidential_issues_events: bool | None = Param("Confidential issues.")
    note_events: bool | None = Param("Comments.")
    confidential_note_events: bool | None = Param("Internal comments, and comments on confidential issues.")
    job_events: bool | None = Param("CI jobs.")
    pipeline_events: bool | None = Param("Pipelines.")
    wiki_page_events: bool | None = Param("Wiki pages.")
    deployment_events: bool | None = Param("Deployments.")
    releases_events: bool | None = Param("Releases.")
    feature_flag_events: bool | None = Param("Feature flags that are switched.")
    emoji_events: bool | None = Param("Reactions.")
    resource_access_token_events: bool | None = Param("Access tokens that expire soon.")
    vulnerability_events: bool | None = Param("Vulnerabilities.")
    milestone_events: bool | None = Param("Milestones.")
    resource_deploy_token_events: bool | None = Param("Deploy tokens that expire soon.")


class OfGroups(OfProjects):
    """What only hooks of groups have."""

    member_events: bool | None = Param("Members of the group.")
    subgroup_events: bool | None = Param("Subgroups that are created or removed.")
    project_events: bool | None = Param("Projects that are created or removed.")


class OfSystem(Shared):
    """What only hooks of the instance have."""

    repository_update_events: bool | None = Param("Pushes, one message for all refs.")


class NewUrl(Params):
    """Where a new hook delivers."""

    url: str = Param("Where deliveries go.", required=True)


class OneHook(Params):
    """One hook."""

    hook_id: int = Param("The hook's id.", required=True)


class ChangedUrl(OneHook):
    """Where a hook delivers from now on."""

    url: str | None = Param("Where deliveries go.")


class CreateProjectHook(OfProjects, NewUrl):
    """A new hook of a project."""


class CreateGroupHook(OfGroups, NewUrl):
    """A new hook of a group."""


class CreateSystemHook(OfSystem, NewUrl):
    """A new hook of the instance."""


class UpdateProjectHook(OfProjects, ChangedUrl):
    """Changes to a hook of a project."""


class UpdateGroupHook(OfGroups, ChangedUrl):
    """Changes to a hook of a group."""


class UpdateSystemHook(OfSystem, ChangedUrl):
    """Changes to a hook of the instance."""


class OnePair(OneHook):
    """A named value of a hook."""

    key: str = Param("The name.", required=True)


class SetPair(OnePair):
    """A named value of a hook, and what it becomes."""

    value: str = Param("The value.", required=True)


class ListDeliveries(CursorPaging, OneHook):
    """Which deliveries."""

    most_per_page: ClassVar[int] = 20
    per_page: int = Param("Records per page, at most 20.", default=20, none_of=(0,))

    status: str | None = Param("Codes or `successful`, `client_failure`, `server_failure`, separated by commas.")


class OneDelivery(OneHook):
    """One entry of the log."""

    hook_event_id: int = Param("The entry's id.", required=True)


class TestProjectHook(OneHook):
    """What to send."""

    trigger: str = Param("The switch of the event to send a sample of.", required=True, one_of=PROJECT_FLAGS)


class TestGroupHook(OneHook):
    """What to send."""

    trigger: str = Param("The switch of the event to send a sample of.", required=True, one_of=GROUP_FLAGS)
