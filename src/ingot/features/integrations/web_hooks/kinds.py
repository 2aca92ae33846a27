"""The kinds of events that hooks may want: the switch of each, and its names in a delivery."""

from typing import NamedTuple


class EventKind(NamedTuple):
    """How one kind of event is named in the log (`trigger`) and in the header `X-Gitlab-Event`."""

    trigger: str
    header: str


def _named(word: str) -> EventKind:
    return EventKind(f"{word}_hooks", f"{word.replace('_', ' ').title()} Hook")


KINDS = {
    "push_events": _named("push"),
    "tag_push_events": _named("tag_push"),
    "merge_requests_events": _named("merge_request"),
    "repository_update_events": _named("repository_update"),
    "issues_events": _named("issue"),
    "confidential_issues_events": _named("confidential_issue"),
    "note_events": _named("note"),
    "confidential_note_events": _named("confidential_note"),
    "job_events": _named("job"),
    "pipeline_events": _named("pipeline"),
    "wiki_page_events": _named("wiki_page"),
    "deployment_events": _named("deployment"),
    "releases_events": _named("release"),
    "feature_flag_events": _named("feature_flag"),
    "emoji_events": _named("emoji"),
    "resource_access_token_events": _named("resource_access_token"),
    "vulnerability_events": _named("vulnerability"),
    "milestone_events": _named("milestone"),
    "resource_deploy_token_events": _named("resource_deploy_token"),
    "member_events": _named("member"),
    "subgroup_events": _named("subgroup"),
    "project_events": _named("project"),
}
SYSTEM = EventKind("system_hooks", "System Hook")

OF_GROUPS_ONLY = ("member_events", "subgroup_events", "project_events")
GROUP_FLAGS = tuple(name for name in KINDS if name != "repository_update_events")
PROJECT_FLAGS = tuple(name for name in GROUP_FLAGS if name not in OF_GROUPS_ONLY)
SYSTEM_FLAGS = ("push_events", "tag_push_events", "merge_requests_events", "repository_update_events")
FLAGS = {"project": PROJECT_FLAGS, "group": GROUP_FLAGS, "system": SYSTEM_FLAGS}
# What is on in a new hook that does not say; unlike the others, confidential notes are then neither on nor off.
ON_AT_FIRST = {"project": {"push_events"}, "group": {"push_events"}, "system": {"repository_update_events"}}
