"""One job as written in the file, with its form checked; planning decides later whether and how it runs."""

from __future__ import annotations

from typing import Any

import msgspec

from ingot.features.ci.config.budget import Budget
from ingot.features.ci.config.inheritance import Inherit, parse_inherit, parse_tags, parse_timeout
from ingot.features.ci.config.keywords.artifacts import parse_artifacts
from ingot.features.ci.config.keywords.caches import parse_caches
from ingot.features.ci.config.keywords.environments import EnvironmentRule, parse_environment
from ingot.features.ci.config.keywords.id_tokens import check_secrets, parse_id_tokens
from ingot.features.ci.config.keywords.images import parse_image, parse_services
from ingot.features.ci.config.keywords.needs import Needs, parse_needs
from ingot.features.ci.config.keywords.outcomes import parse_allow_failure, parse_coverage, parse_retry
from ingot.features.ci.config.keywords.parallel import parse_parallel
from ingot.features.ci.config.keywords.releases import parse_release
from ingot.features.ci.config.keywords.triggers import parse_trigger
from ingot.features.ci.config.keywords.variables import parse_variables
from ingot.features.ci.config.plan import Artifacts, Cache, Image, PlannedVariable, Retry, Service, Trigger
from ingot.features.ci.config.policies import DEFAULT_ONLY, Policy, parse_policy
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.rules import Rule, parse_rules, parse_start_in
from ingot.features.ci.config.scripts import parse_hooks, parse_run, parse_script
from ingot.features.ci.config.shapes import Entry
from ingot.features.ci.config.values import Mapping

WHEN = ("on_success", "on_failure", "always", "manual", "delayed")
_SHARED_KEYS = (
    "extends", "stage", "only", "except", "rules", "variables", "inherit", "allow_failure", "when", "needs",
    "resource_group", "parallel", "environment", "start_in", "interruptible", "manual_confirmation",
)  # fmt: skip
_BUILD_KEYS = frozenset((
    *_SHARED_KEYS, "tags", "script", "run", "image", "services", "artifacts", "cache", "dependencies", "before_script",
    "after_script", "coverage", "retry", "timeout", "release", "secrets", "id_tokens", "identity", "hooks", "pages",
    "publish", "dast_configuration", "inputs",
))  # fmt: skip
_BRIDGE_KEYS = frozenset((*_SHARED_KEYS, "trigger"))
_MAX_NAME = 255
_RESERVED = ("true", "false", "nil")
_WARNING = "may allow multiple pipelines to run for a single action due to `rules:when` clause with no `workflow:rules`"


class JobRule(msgspec.Struct, frozen=True, kw_only=True):
    """A job of the file; parallel copies, variables and rules are not applied yet."""

    name: str
    stage: str
    is_bridge: bool
    when: str | None
    start_in: int | None
    allow_failure: bool | None
    exit_codes: tuple[int, ...]
    rules: tuple[Rule, ...] | None
    only: Policy | None
    excluded: Policy | None
    variables: tuple[PlannedVariable, ...]
    inherit: Inherit
    needs: Needs | None
    dependencies: tuple[str, ...] | None
    parallel: int | list[dict[str, str]] | None
    resource_group: str | None
    interruptible: bool | None
    environment: EnvironmentRule | None
    trigger: Trigger | None
    script: tuple[str, ...]
    before_script: tuple[str, ...]
    after_script: tuple[str, ...]
    run: tuple[dict[str, Any], ...] | None
    hooks: tuple[str, ...]
    image: Image | None
    services: tuple[Service, ...]
    tags: tuple[str, ...]
    artifacts: Artifacts | None
    caches: tuple[Cache, ...]
    retry: Retry
    timeout: int | None
    coverage: str | None
    release: dict[str, Any] | None
    id_tokens: dict[str, str | list[str]]
    pages: dict[str, Any] | None
    manual_confirmation: str | None


def parse_job(
    name: str, written: object, defaults: Mapping, problems: Problems, budget: Budget, *, has_workflow_rules: bool
) -> JobRule | None:
    where = f"jobs:{name}"
    if not name or len(name) > _MAX_NAME:
        problems.add(where, f"name is too long (maximum is {_MAX_NAME} characters)" if name else "name can't be blank")
        return None
    if name in _RESERVED:
        problems.add(where, "name is a reserved word")
        return None
    if not isinstance(written, dict) or not _has_work(written):
        problems.add(where, "config should implement the script:, run:, or trigger: keyword")
        return None
    is_bridge = not any(key in written for key in ("script", "run"))
    inherit = parse_inherit(where, written.get("inherit"), problems)
    value = _with_defaults(written, defaults, inherit, is_bridge=is_bridge)
    _pay(value, budget)
    entry = Entry(where, value, problems)
    entry.allow_keys(_BRIDGE_KEYS if is_bridge else _BUILD_KEYS)
    entry.forbid_together(("script", "run"))
    rules = parse_rules(where, value.get("rules"), problems, budget)
    _check_rules(entry, rules, has_workflow_rules=has_workflow_rules)
    when = entry.one_of("when", WHEN)
    allow_failure, exit_codes = parse_allow_failure(where, value.get("allow_failure"), problems)
    script = parse_script(where, "script", value.get("script"), problems, budget)
    for key in ("script", "run", "trigger"):
        if key in written and not written[key] and written[key] is not False:
            entry.fail(f"{key} can't be blank")
    needs = parse_needs(where, value.get("needs"), problems, budget, bridge=is_bridge)
    check_secrets(where, value, problems)
    return JobRule(
        name=name,
        stage=_stage(entry),
        is_bridge=is_bridge,
        when=when,
        start_in=parse_start_in(entry, delayed=when == "delayed") if rules is None else None,
        allow_failure=allow_failure,
        exit_codes=exit_codes,
        rules=rules,
        only=_only(entry, rules, has_workflow_rules=has_workflow_rules),
        excluded=parse_policy(where, "except", value.get("except"), problems),
        variables=parse_variables(where, value.get("variables"), problems),
        inherit=inherit,
        needs=needs,
        dependencies=_dependencies(entry, needs),
        parallel=parse_parallel(where, value.get("parallel"), problems),
        resource_group=entry.text("resource_group"),
        interruptible=entry.boolean("interruptible"),
        environment=parse_environment(where, value.get("environment"), problems),
        trigger=_trigger(where, value, needs, problems),
        script=script,
        before_script=parse_script(where, "before_script", value.get("before_script"), problems, budget),
        after_script=parse_script(where, "after_script", value.get("after_script"), problems, budget),
        run=parse_run(where, value.get("run"), problems),
        hooks=parse_hooks(where, value.get("hooks"), problems, budget),
        image=parse_image(where, value.get("image"), problems),
        services=parse_services(where, value.get("services"), problems),
        tags=parse_tags(where, value.get("tags"), problems),
        artifacts=parse_artifacts(where, value.get("artifacts"), problems),
        caches=parse_caches(where, value.get("cache"), problems),
        retry=parse_retry(where, value.get("retry"), problems),
        timeout=parse_timeout(where, value.get("timeout"), problems),
        coverage=parse_coverage(where, value.get("coverage"), problems),
        release=parse_release(where, value.get("release"), problems),
        id_tokens=parse_id_tokens(where, value.get("id_tokens"), problems),
        pages=_pages(entry),
        manual_confirmation=entry.text("manual_confirmation"),
    )


def _has_work(written: Mapping) -> bool:
    return any(key in written for key in ("script", "run", "trigger")) or _mirrors_upstream(written)


def _mirrors_upstream(written: Mapping) -> bool:
    needs = written.get("needs")
    return isinstance(needs, dict) and "pipeline" in needs and "job" not in needs


def _with_defaults(written: Mapping, defaults: Mapping, inherit: Inherit, *, is_bridge: bool) -> Mapping:
    taken = {
        key: value
        for key, value in defaults.items()
        if inherit.takes_default(key) and (not is_bridge or key == "interruptible")
    }
    return taken | {key: value for key, value in written.items() if value is not None or key not in taken}


def _pay(value: object, budget: Budget) -> None:
    """Count the job's whole size: parts shared through `extends` and anchors are walked once per job."""
    stack = [value]
    while stack:
        item = stack.pop()
        budget.spend()
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def _check_rules(entry: Entry, rules: tuple[Rule, ...] | None, *, has_workflow_rules: bool) -> None:
    if entry.get("rules") is None:
        return
    clashing = [key for key in ("only", "except", "start_in") if entry.get(key) is not None]
    if clashing:
        entry.fail(f"config key may not be used with `rules`: {', '.join(clashing)}")
    written = entry.get("rules")
    last = written[-1] if isinstance(written, list) and written else None
    if (
        rules
        and not has_workflow_rules
        and isinstance(last, dict)
        and set(last) == {"when"}
        and last["when"] != "never"
    ):
        entry.problems.warn(entry.where, _WARNING)


def _only(entry: Entry, rules: tuple[Rule, ...] | None, *, has_workflow_rules: bool) -> Policy | None:
    if entry.get("only") is not None:
        return parse_policy(entry.where, "only", entry.get("only"), entry.problems)
    return None if rules is not None or has_workflow_rules else DEFAULT_ONLY


def _stage(entry: Entry) -> str:
    stage = entry.get("stage")
    if stage is None:
        return "test"
    if not isinstance(stage, str):
        entry.problems.add(f"{entry.where}:stage", "config should be a string")
        return "test"
    return stage


def _dependencies(entry: Entry, needs: Needs | None) -> tuple[str, ...] | None:
    dependencies = entry.strings("dependencies")
    if dependencies and needs is not None and needs.jobs:
        named = {need.job for need in needs.jobs}
        missing = [name for name in dependencies if name not in named]
        if missing:
            entry.fail(f"dependencies the {', '.join(missing)} should be part of needs")
    return dependencies


def _trigger(where: str, value: Mapping, needs: Needs | None, problems: Problems) -> Trigger | None:
    if "trigger" in value:
        return parse_trigger(where, value.get("trigger"), problems)
    return Trigger(upstream=needs.upstream) if needs is not None and needs.upstream else None


def _pages(entry: Entry) -> dict[str, Any] | None:
    value = entry.get("pages")
    if value is None or value is False:
        return {} if entry.where == "jobs:pages" and value is None else None
    if value is True:
        return {}
    if not isinstance(value, dict):
        entry.problems.add(f"{entry.where}:pages", "config should be a hash or a boolean value")
        return None
    Entry(f"{entry.where}:pages", value, entry.problems).allow_keys(("path_prefix", "expire_in", "publish"))
    return value
