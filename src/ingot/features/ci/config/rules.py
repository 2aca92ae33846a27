"""`rules`: the first that matches decides whether and how a job runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ingot.features.ci.config.budget import Budget
from ingot.features.ci.config.event import PipelineEvent
from ingot.features.ci.config.expansion import expand
from ingot.features.ci.config.expressions import BadExpression, Condition
from ingot.features.ci.config.globs import match_any
from ingot.features.ci.config.keywords.needs import Needs, parse_needs
from ingot.features.ci.config.keywords.outcomes import parse_allow_failure
from ingot.features.ci.config.keywords.variables import parse_variables
from ingot.features.ci.config.plan import PlannedVariable
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.shapes import Entry, as_list, flatten, is_strings
from ingot.kit.time_spans import parse_duration

JOB_WHEN = ("on_success", "on_failure", "always", "never", "manual", "delayed")
WORKFLOW_WHEN = ("always", "never")
_JOB_KEYS = ("if", "changes", "exists", "when", "start_in", "allow_failure", "variables", "needs", "interruptible")
_WORKFLOW_KEYS = ("if", "changes", "exists", "when", "variables", "auto_cancel")
_MAX_PATTERNS = 50
MAX_START_IN = 7 * 86_400


class Paths(msgspec.Struct, frozen=True):
    patterns: tuple[str, ...]
    compare_to: str | None = None
    project: str | None = None
    ref: str | None = None


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    condition: Condition | None = None
    changes: Paths | None = None
    exists: Paths | None = None
    when: str | None = None
    start_in: int | None = None
    allow_failure: bool | None = None
    exit_codes: tuple[int, ...] = ()
    variables: tuple[PlannedVariable, ...] = ()
    needs: Needs | None = None
    interruptible: bool | None = None
    auto_cancel: dict[str, Any] | None = None


def parse_rules(
    where: str, value: object, problems: Problems, budget: Budget, *, workflow: bool = False
) -> tuple[Rule, ...] | None:
    if value is None:
        return None
    place = f"{where}:rules"
    items = flatten(value, budget) if isinstance(value, list) else None
    if items is None or not all(isinstance(item, dict) for item in items):
        problems.add(place if workflow else where, "rules should be an array containing hashes and arrays of hashes")
        return None
    return tuple(_rule(f"{place}:rule", item, problems, budget, workflow=workflow) for item in items)


def _rule(place: str, value: dict[str, object], problems: Problems, budget: Budget, *, workflow: bool) -> Rule:
    entry = Entry(place, value, problems)
    entry.allow_keys(_WORKFLOW_KEYS if workflow else _JOB_KEYS)
    if not value:
        entry.fail("config can't be blank")
    when = value.get("when")
    if when is not None and when not in (WORKFLOW_WHEN if workflow else JOB_WHEN):
        entry.fail(f"when unknown value: {when}")
        when = None
    allow_failure, exit_codes = parse_allow_failure(place, value.get("allow_failure"), problems)
    auto_cancel = value.get("auto_cancel")
    return Rule(
        condition=_condition(entry),
        changes=_paths(entry, "changes", ("paths", "compare_to")),
        exists=_paths(entry, "exists", ("paths", "project", "ref")),
        when=when if isinstance(when, str) else None,
        start_in=parse_start_in(entry, delayed=when == "delayed"),
        allow_failure=allow_failure,
        exit_codes=exit_codes,
        variables=parse_variables(place, value.get("variables"), problems, allowed=("value", "expand", "description")),
        needs=parse_needs(place, value.get("needs"), problems, budget),
        interruptible=entry.boolean("interruptible"),
        auto_cancel=auto_cancel if isinstance(auto_cancel, dict) else None,
    )


def parse_start_in(entry: Entry, *, delayed: bool) -> int | None:
    value = entry.get("start_in")
    if not delayed:
        if value is not None:
            entry.fail("start in must be blank")
        return None
    seconds = parse_duration(value)
    if seconds is None:
        entry.fail("start in should be a duration")
    elif seconds > MAX_START_IN:
        entry.fail("start in should not exceed the limit")
    return seconds


def _condition(entry: Entry) -> Condition | None:
    text = entry.get("if")
    if text is None:
        return None
    try:
        return Condition(text if isinstance(text, str) else "")
    except BadExpression:
        entry.fail("if invalid expression syntax")
        return None


def _paths(entry: Entry, key: str, allowed: tuple[str, ...]) -> Paths | None:
    value = entry.get(key)
    if value is None:
        return None
    place = Entry(f"{entry.where}:{key}", value if isinstance(value, dict) else {}, entry.problems)
    patterns = value
    if isinstance(value, dict):
        place.allow_keys(allowed)
        patterns = value.get("paths")
    patterns = as_list(patterns) if key == "exists" and isinstance(patterns, str) else patterns
    if not is_strings(patterns):
        place.fail("config should be an array of strings")
        return None
    if len(patterns) > _MAX_PATTERNS:
        place.fail(f"config is too long (maximum is {_MAX_PATTERNS} characters)")
        return None
    return Paths(tuple(patterns), place.text("compare_to"), place.text("project"), place.text("ref"))


def first_match(rules: tuple[Rule, ...], scope: Mapping[str, str], event: PipelineEvent) -> Rule | None:
    return next((rule for rule in rules if _holds(rule, scope, event)), None)


def _holds(rule: Rule, scope: Mapping[str, str], event: PipelineEvent) -> bool:
    if rule.condition is not None and not rule.condition.holds(scope):
        return False
    if rule.changes is not None and not changes_match(rule.changes, scope, event):
        return False
    return rule.exists is None or _exists(rule.exists, scope, event)


def changes_match(changes: Paths, scope: Mapping[str, str], event: PipelineEvent) -> bool:
    compare_to = None if changes.compare_to is None else expand(changes.compare_to, scope)
    paths = event.changed_paths(compare_to)
    if paths is None:  # nothing to compare to: tags, schedules, new branches
        return True
    return match_any([expand(pattern, scope) for pattern in changes.patterns], paths)


def _exists(exists: Paths, scope: Mapping[str, str], event: PipelineEvent) -> bool:
    files = event.files
    if exists.project is not None:
        ref = None if exists.ref is None else expand(exists.ref, scope)
        other = files.project(expand(exists.project, scope), ref)
        if other is None:
            return False
        files = other
    return match_any([expand(pattern, scope) for pattern in exists.patterns], files.paths())
