"""`only` and `except`: the older way to choose when a job runs."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ingot.features.ci.config.event import PipelineEvent
from ingot.features.ci.config.expressions import BadExpression, Condition
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.regexps import is_regexp, looks_like_regexp, regexp_matches
from ingot.features.ci.config.rules import Paths, changes_match
from ingot.features.ci.config.shapes import Entry, is_strings

_SOURCES = {
    "pushes": "push",
    "web": "web",
    "webs": "web",
    "api": "api",
    "apis": "api",
    "schedules": "schedule",
    "triggers": "trigger",
    "pipelines": "pipeline",
    "parent_pipelines": "parent_pipeline",
    "external": "external",
    "externals": "external",
    "chat": "chat",
    "chats": "chat",
    "external_pull_requests": "external_pull_request_event",
}


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    refs: tuple[str, ...] | None = None
    variables: tuple[Condition, ...] | None = None
    changes: Paths | None = None
    kubernetes: bool = False


DEFAULT_ONLY = Policy(refs=("branches", "tags"))


def parse_policy(where: str, key: str, value: object, problems: Problems) -> Policy | None:
    if value is None:
        return None
    place = f"{where}:{key}"
    if isinstance(value, list):
        refs = _refs(place, value, problems)
        return None if refs is None else Policy(refs=refs)
    if not isinstance(value, dict):
        problems.add(place, "has to be either an array of conditions or a hash")
        return None
    entry = Entry(place, value, problems)
    entry.allow_keys(("refs", "kubernetes", "variables", "changes"))
    if not value:
        entry.fail("config can't be blank")
    changes = entry.strings("changes")
    kubernetes = value.get("kubernetes")
    if kubernetes is not None and kubernetes != "active":
        entry.fail(f"kubernetes unknown value: {kubernetes}")
    refs = None if value.get("refs") is None else _refs(place, value["refs"], problems)
    if refs is None and key == "only":
        refs = DEFAULT_ONLY.refs
    return Policy(
        refs=refs,
        variables=_variables(entry),
        changes=None if changes is None else Paths(changes),
        kubernetes=kubernetes == "active",
    )


def _refs(place: str, value: object, problems: Problems) -> tuple[str, ...] | None:
    if not is_strings(value) or any(looks_like_regexp(ref) and not is_regexp(ref) for ref in value):
        problems.add(place, "config should be an array of strings or regular expressions using re2 syntax")
        return None
    return tuple(value)


def _variables(entry: Entry) -> tuple[Condition, ...] | None:
    texts = entry.strings("variables")
    if texts is None:
        return None
    conditions = []
    for text in texts:
        try:
            conditions.append(Condition(text))
        except BadExpression:
            entry.fail("variables invalid expression syntax")
    return tuple(conditions)


def admits(only: Policy | None, excluded: Policy | None, scope: Mapping[str, str], event: PipelineEvent) -> bool:
    """All parts of `only` must hold, and no part of `except`."""
    if only is not None and not all(_parts(only, scope, event)):
        return False
    return excluded is None or not any(_parts(excluded, scope, event))


def _parts(policy: Policy, scope: Mapping[str, str], event: PipelineEvent) -> list[bool]:
    parts = []
    if policy.refs is not None:
        parts.append(any(_ref_matches(ref, event) for ref in policy.refs))
    if policy.variables is not None:
        parts.append(any(condition.holds(scope) for condition in policy.variables))
    if policy.changes is not None:
        parts.append(changes_match(policy.changes, scope, event))
    if policy.kubernetes:
        parts.append(False)  # clusters are not supported
    return parts


def _ref_matches(pattern: str, event: PipelineEvent) -> bool:
    pattern, _, path = pattern.partition("@") if not pattern.endswith("/") else (pattern, "", "")
    if path and path != event.project_path:
        return False
    if pattern == "branches":
        return event.is_branch
    if pattern == "tags":
        return event.is_tag
    if pattern == "merge_requests":
        return event.for_merge_request
    if _SOURCES.get(pattern) == event.source:
        return True
    if looks_like_regexp(pattern):
        return not event.for_merge_request and regexp_matches(pattern, event.ref)
    return pattern == event.ref
