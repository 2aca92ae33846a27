"""A planned job in the form of archives: `options`, `yaml_variables`, `environment` and the rest."""

from __future__ import annotations

from typing import Any

import msgspec

from ingot.features.ci.config import Artifacts, Cache, PlannedJob, PlannedVariable, Service, Trigger


def written_plan(plan: PlannedJob | None) -> dict[str, Any]:
    """The configuration of a job in an archive; readers ignore unknown keys."""
    if plan is None:
        return {}
    place = plan.environment
    return {
        "options": options_of(plan),
        "yaml_variables": [_variable(variable) for variable in plan.variables],
        "environment": None if place is None else place.template,
        "expanded_environment_name": None if place is None else place.name,
        "coverage_regex": None if plan.coverage is None else _expression(plan.coverage),
        "scheduling_type": "dag" if plan.uses_needs else "stage",
        "when": plan.when,
        "needs": None if plan.needs is None else [_plain(need) for need in plan.needs],
        "tag_list": list(plan.tags),
        "interruptible": plan.interruptible,
        "resource_group": plan.resource_group,
        "group_name": plan.group_name,
    }


def options_of(plan: PlannedJob) -> dict[str, Any]:
    """`options`: only what was said."""
    place = plan.environment
    result: dict[str, Any] = {
        "image": None if plan.image is None else _plain(plan.image),
        "services": [_service(service) for service in plan.services],
        "before_script": list(plan.before_script),
        "script": list(plan.script),
        "after_script": list(plan.after_script),
        "run": None if plan.run is None else list(plan.run),
        "hooks": {"pre_get_sources_script": list(plan.pre_get_sources_script)} if plan.pre_get_sources_script else None,
        "artifacts": None if plan.artifacts is None else _artifacts(plan.artifacts),
        "cache": [_cache(cache) for cache in plan.caches],
        "job_timeout": plan.timeout,
        "retry": None if not plan.retry.max else {"when": list(plan.retry.when), **_plain(plan.retry)},
        "allow_failure_criteria": {"exit_codes": list(codes)} if (codes := plan.allow_failure_exit_codes) else None,
        "start_in": None if plan.start_in is None else f"{plan.start_in} seconds",
        "environment": None if place is None else {**_plain(place), "name": place.template, "action": place.action},
        "trigger": None if plan.trigger is None else _trigger(plan.trigger),
        "bridge_needs": {"pipeline": plan.trigger.upstream} if plan.trigger and plan.trigger.upstream else None,
        "cross_dependencies": [{**_plain(need), "artifacts": need.artifacts} for need in plan.cross_needs],
        "parallel": None if plan.parallel_total is None else {"total": plan.parallel_total},
        "instance": plan.parallel_index,
        "release": plan.release,
        "manual_confirmation": plan.manual_confirmation,
    }
    result = {key: value for key, value in result.items() if value not in (None, [])}
    # Empty values have a meaning: no archives of other jobs, and pages in the default folder.
    if plan.dependencies is not None:
        result["dependencies"] = list(plan.dependencies)
    if plan.pages is not None:
        result["pages"] = plan.pages
    if result.get("environment"):
        result["environment"].pop("template", None)
    return result


def _expression(text: str) -> str:
    """Without its slashes; flags that stood behind them go inside."""
    pattern, _, flags = text[1:].rpartition("/")
    return f"(?{flags}){pattern}" if flags else pattern


def _plain(value: msgspec.Struct) -> dict[str, Any]:
    result: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))  # lists, as JSON has them
    return result


def _variable(variable: PlannedVariable) -> dict[str, Any]:
    return {"key": variable.key, "value": variable.value, "public": True, **({"raw": True} if variable.raw else {})}


def _service(service: Service) -> dict[str, Any]:
    result = _plain(service)
    if service.variables:
        result["variables"] = {
            one.key: {"value": one.value, "expand": False} if one.raw else one.value for one in service.variables
        }
    return result


def _artifacts(artifacts: Artifacts) -> dict[str, Any]:
    return {**_plain(artifacts), "when": artifacts.when}


def _cache(cache: Cache) -> dict[str, Any]:
    result = {**_plain(cache), "policy": cache.policy, "when": cache.when}
    files, commits = result.pop("key_files", None), result.pop("key_files_commits", False)
    prefix = result.pop("key_prefix", None)
    if files:
        result["key"] = {"files_commits" if commits else "files": files, **({"prefix": prefix} if prefix else {})}
    return result


def _trigger(trigger: Trigger) -> dict[str, Any]:
    result = _plain(trigger)
    result.pop("upstream", None)
    result.pop("forward_yaml_variables", None)
    result.pop("forward_pipeline_variables", None)
    result["forward"] = {
        "yaml_variables": trigger.forward_yaml_variables,
        "pipeline_variables": trigger.forward_pipeline_variables,
    }
    return result
