"""From what a caller sent to columns and settings, the same way for creating and editing."""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from ingot.access.levels import FEATURES, Feature
from ingot.features.instance.plan_limits import artifacts_size_problem
from ingot.features.spaces.projects.params.settings import ExpirationPolicyParams, ProjectSettingsParams
from ingot.features.spaces.projects.settings import SETTING_NAMES, ExpirationPolicy, ProjectSettings
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
LENGTHS = {
    "suggestion_commit_message": 255,
    "merge_commit_template": 500,
    "squash_commit_template": 500,
    "issue_branch_template": 255,
    "ci_config_path": 255,
}
LONGEST_REGEXP = 255
PREMIUM = frozenset(
    {
        "approvals_before_merge", "mirror", "mirror_user_id", "mirror_trigger_builds", "only_mirror_protected_branches",
        "mirror_overwrites_diverged_branches", "external_authorization_classification_label", "merge_pipelines_enabled",
        "merge_trains_enabled", "merge_trains_skip_train_allowed", "allow_pipeline_trigger_approve_deployment",
        "prevent_merge_without_jira_issue", "issues_template", "merge_requests_template",
        "ci_restrict_pipeline_cancellation_role", "only_allow_merge_if_all_status_checks_passed",
        "pre_receive_secret_detection_enabled",
    }
)  # fmt: skip
# Ignored when others send them.
ADMIN_SETTINGS = ("mirror_user_id", "max_artifacts_size")
NULLABLE = frozenset(name for name, kind in ProjectSettings.__annotations__.items() if "None" in str(kind))


@dataclass(slots=True)
class RequestedSettings:
    """What a caller wants changed."""

    settings: dict[str, Any] = field(default_factory=dict)
    features: dict[str, Feature] = field(default_factory=dict)


def requested_settings(
    params: ProjectSettingsParams, actor: Actor, tiers: Settings, before: ProjectSettings
) -> RequestedSettings:
    """The settings and switches among the sent parameters, checked."""
    given = params.given()
    result = RequestedSettings()
    for name in SETTING_NAMES & set(given):
        if (name in PREMIUM and not tiers.has_tier("premium")) or (name in ADMIN_SETTINGS and not actor.is_admin):
            continue
        if given[name] is not None or name in NULLABLE:
            result.settings[name] = given[name] if given[name] != "" or name not in NULLABLE else None
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
    _check(result.settings)
    return result


def _policy_problems(policy: ExpirationPolicy) -> dict[str, list[str]]:
    problems: dict[str, list[str]] = {}
    for name in ("name_regex", "name_regex_keep"):
        text = getattr(policy, name) or ""
        if len(text) > LONGEST_REGEXP:
            problems[f"container_expiration_policy.{name}"] = [f"is too long (maximum is {LONGEST_REGEXP} characters)"]
        elif (said := regexp_error(text)) is not None:
            problems[f"container_expiration_policy.{name}"] = [f"not valid RE2 syntax: {said}"]
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


def _check(settings: dict[str, Any]) -> None:
    policy = settings.get("container_expiration_policy")
    problems = {} if policy is None else _policy_problems(policy)
    for name, limit in LENGTHS.items():
        value = settings.get(name)
        if value is not None and len(value) > limit:
            problems[name] = [f"is too long (maximum is {limit} characters)"]
    path = settings.get("ci_config_path")
    if path and (path.startswith("/") or ".." in path):
        problems.setdefault("ci_config_path", []).append("cannot include leading slash or directory traversal.")
    timeout = settings.get("build_timeout")
    if timeout is not None and not 600 <= timeout <= 2_592_000:
        problems["build_timeout"] = ["needs to be between 10 minutes and 1 month"]
    depth = settings.get("ci_default_git_depth")
    if depth is not None and not 0 <= depth <= 1000:
        bound = "greater than or equal to 0" if depth < 0 else "less than or equal to 1000"
        problems["ci_default_git_depth"] = [f"must be {bound}"]
    if problem := artifacts_size_problem(settings.get("max_artifacts_size")):
        problems["max_artifacts_size"] = [problem]
    approvals = settings.get("approvals_before_merge")
    if approvals is not None and approvals < 0:
        problems["approvals_before_merge"] = ["must be greater than or equal to 0"]
    if problems:
        raise Invalid(problems)
