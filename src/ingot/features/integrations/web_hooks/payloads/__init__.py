"""The payload of every kind of event, made from the change that it reports."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads import (
    builds,
    deployments,
    feature_flags,
    issues,
    members,
    merge_requests,
    milestones,
    notes,
    people,
    pipelines,
    places,
    pushes,
    releases,
    tokens,
    wiki_pages,
)
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks
from ingot.kit.changes import Change


class Builder(NamedTuple):
    """Makes the messages of a change; `flags` are the switches that they are for."""

    messages: Callable[[Blocks, Change], list[Message]]
    flags: tuple[str | None, ...]


BUILDERS: Mapping[str, Builder] = {
    "issue": Builder(issues.messages, ("issues_events", "confidential_issues_events")),
    "merge_request": Builder(merge_requests.messages, ("merge_requests_events",)),
    "note": Builder(notes.messages, ("note_events", "confidential_note_events")),
    "emoji": Builder(notes.emoji_messages, ("emoji_events",)),
    "push": Builder(pushes.messages, ("push_events", "tag_push_events", "repository_update_events")),
    "job": Builder(builds.messages, ("job_events",)),
    "pipeline": Builder(pipelines.messages, ("pipeline_events",)),
    "deployment": Builder(deployments.messages, ("deployment_events",)),
    "release": Builder(releases.messages, ("releases_events",)),
    "feature_flag": Builder(feature_flags.messages, ("feature_flag_events",)),
    "milestone": Builder(milestones.messages, ("milestone_events",)),
    "wiki_page": Builder(wiki_pages.messages, ("wiki_page_events",)),
    "access_token": Builder(tokens.access_token_messages, ("resource_access_token_events",)),
    "deploy_token": Builder(tokens.deploy_token_messages, ("resource_deploy_token_events",)),
    "member": Builder(members.messages, (None, "member_events")),
    "access_request": Builder(members.request_messages, (None, "member_events")),
    "project": Builder(places.project_messages, (None, "project_events")),
    "group": Builder(places.group_messages, (None, "subgroup_events")),
    "user": Builder(people.user_messages, (None,)),
    "key": Builder(people.key_messages, (None,)),
}

__all__ = ["BUILDERS", "Blocks", "Builder"]
