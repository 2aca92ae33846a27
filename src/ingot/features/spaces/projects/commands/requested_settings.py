"""Converts sent parameters to columns and settings, for creating and editing."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ingot.access.levels import FEATURES, Feature
from ingot.features.spaces.projects.params.settings import ExpirationPolicyParams, ProjectSettingsParams
from ingot.features.spaces.projects.settings import PROJECT_SETTINGS, ExpirationPolicy, ProjectSettings, Writer
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.errors import Invalid
from ingot.kit.regexps import regexp_error
from ingot.settings import Settings

# Older on/off switches of features that have levels now.
SWITCHES = {
    "issues_enabled": "issues",
    "merge_requests_enabled": "merge_requests",
    "jobs_enabled": "builds",
    "wiki_enabled": "wiki",
    "snippets_enabled": "snippets",
    "container_registry_enabled": "container_registry",
}
LONGEST_REGEXP = 255
MIRROR_CHOICES = ("mirror", "import_url", "mirror_trigger_builds")


class RequestedSettings(msgspec.Struct):
    """Requested changes."""

    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    features: dict[str, Feature] = msgspec.field(default_factory=dict)


def requested_settings(
    params: ProjectSettingsParams, actor: Actor, tiers: Settings, before: ProjectSettings
) -> RequestedSettings:
    """The settings and switches among the sent parameters, checked."""
    given = params.given()
    result = RequestedSettings(_allowed(given, actor, tiers))
    if given.get("emails_disabled") is not None and "emails_enabled" not in given:
        result.settings["emails_enabled"] = not given["emails_disabled"]
    if given.get("public_builds") is not None and "public_jobs" not in given:
        result.settings["public_jobs"] = given["public_builds"]
    for old, feature in SWITCHES.items():
        if given.get(old) is not None:
            result.features[feature] = Feature.ENABLED if given[old] else Feature.DISABLED
    for feature in FEATURES:
        if (word := given.get(f"{feature}_access_level")) is not None:
            result.features[feature] = Feature.of(word)
    if (policy := given.get("container_expiration_policy_attributes")) is not None:
        result.settings["container_expiration_policy"] = _policy(policy, before.container_expiration_policy)
    is_mirror = result.settings.get("mirror", before.mirror)
    # Pipelines of a mirror run as somebody: whoever chose what they run, not an earlier one who may do more.
    if is_mirror and result.settings.get("mirror_user_id") is None and any(given.get(name) for name in MIRROR_CHOICES):
        result.settings["mirror_user_id"] = actor.user_id
    _check(result.settings)
    return result


def _allowed(given: Mapping[str, object], actor: Actor, tiers: Settings) -> dict[str, Any]:
    """The sent settings that this instance has and this caller may change; the others are ignored."""
    result: dict[str, Any] = {}
    for name, setting in PROJECT_SETTINGS.settings.items():
        if name not in given or not tiers.has_tier(setting.tier):
            continue
        if setting.written_by is Writer.ADMINISTRATORS and not actor.is_admin:
            continue
        if name in PROJECT_SETTINGS.nullable:
            result[name] = None if given[name] == "" else given[name]
        elif given[name] is not None:
            result[name] = given[name]
    return result


def _policy_problems(policy: ExpirationPolicy) -> dict[str, list[str]]:
    problems: dict[str, list[str]] = {}
    for name in ("name_regex", "name_regex_keep"):
        text = getattr(policy, name) or ""
        if len(text) > LONGEST_REGEXP:
            problems[f"container_expiration_policy.{name}"] = [f"is too long (maximum is {LONGEST_REGEXP} characters)"]
        elif (problem := regexp_error(text)) is not None:
            problems[f"container_expiration_policy.{name}"] = [f"not valid RE2 syntax: {problem}"]
    return problems


def _policy(params: ExpirationPolicyParams, before: ExpirationPolicy) -> ExpirationPolicy:
    given = params.given()
    if "name_regex_delete" in given:
        given["name_regex"] = given.pop("name_regex_delete")
    if given.get("cadence") is None:
        given.pop("cadence", None)
    if given.get("enabled") is None:
        given.pop("enabled", None)
    if given.get("older_than") == "":
        given["older_than"] = None
    if given.get("keep_n") == 0:
        given["keep_n"] = None
    created = msgspec.structs.replace(before, **given)
    if created.enabled and not before.enabled:
        created.next_run_at = now()
    return created


def _check(settings: dict[str, object]) -> None:
    policy = settings.get("container_expiration_policy")
    problems = {} if not isinstance(policy, ExpirationPolicy) else _policy_problems(policy)
    problems |= PROJECT_SETTINGS.problems(settings)
    if problems:
        raise Invalid(problems)
