"""`environment`: where the job deploys to."""

from __future__ import annotations

from typing import Literal, cast

import msgspec

from ingot.features.ci.config.expansion import contains_variable
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.shapes import Entry
from ingot.kit.environment_names import problem_of
from ingot.kit.time_spans import is_never, parse_duration

_KEYS = ("name", "url", "action", "on_stop", "auto_stop_in", "kubernetes", "deployment_tier")
_ACTIONS = ("start", "stop", "prepare", "verify", "access")
_TIERS = ("production", "staging", "testing", "development", "other")
_MAX_URL = 255

Action = Literal["start", "stop", "prepare", "verify", "access"]


class EnvironmentRule(msgspec.Struct, frozen=True, kw_only=True):
    """The keyword as written; names and addresses are expanded when a job is planned."""

    name: str
    url: str | None = None
    action: Action = "start"
    on_stop: str | None = None
    auto_stop_in: str | None = None
    deployment_tier: str | None = None


def parse_environment(where: str, value: object, problems: Problems) -> EnvironmentRule | None:
    if value is None:
        return None
    place = f"{where}:environment"
    if isinstance(value, str):
        value = {"name": value}
    if not isinstance(value, dict):
        problems.add(place, "config should be a hash or a string")
        return None
    entry = Entry(place, value, problems)
    entry.allow_keys(_KEYS)
    if value.get("action") is not None and value["action"] not in _ACTIONS:
        entry.fail("action should be start, stop, prepare, verify, or access")
    if value.get("deployment_tier") is not None and value["deployment_tier"] not in _TIERS:
        entry.fail("deployment tier must be one of production, staging, testing, development, or other")
    url = entry.text("url")
    if url is not None and len(url) > _MAX_URL:
        entry.fail(f"url is too long (maximum is {_MAX_URL} characters)")
    auto_stop_in = value.get("auto_stop_in")
    if (
        auto_stop_in is not None
        and not is_never(auto_stop_in)
        and not contains_variable(auto_stop_in)
        and parse_duration(auto_stop_in) is None
    ):
        entry.fail("auto stop in should be a duration")
    name = entry.text("name")
    problem = problem_of(name or "")
    if problem is not None:
        entry.fail(f"name {problem}")
    if not name or not name.strip():
        return None
    if value.get("kubernetes") is not None and not isinstance(value["kubernetes"], dict):
        problems.add(f"{place}:kubernetes", "config should be a hash")
    return EnvironmentRule(
        name=name,
        url=url,
        action=cast("Action", value["action"]) if value.get("action") in _ACTIONS else "start",
        on_stop=entry.text("on_stop"),
        auto_stop_in=None if auto_stop_in is None else str(auto_stop_in),
        deployment_tier=entry.text("deployment_tier"),
    )
