"""From the options that an archive has for a job back to a plan, through the same checks as a configuration file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ingot.features.ci.config import (
    WHEN,
    Budget,
    ConfigInvalid,
    CrossNeed,
    Environment,
    Need,
    PlannedJob,
    PlannedVariable,
    Problems,
    When,
    expand,
    expand_scope,
    parse_allow_failure,
    parse_artifacts,
    parse_caches,
    parse_coverage,
    parse_environment,
    parse_hooks,
    parse_image,
    parse_retry,
    parse_run,
    parse_script,
    parse_services,
    parse_trigger,
    parse_variables,
    planned_environment,
)
from ingot.kit.slugs import ref_slug
from ingot.kit.time_spans import parse_duration

_LONGEST = 2**31 - 1


def read_job(record: Mapping[str, object], *, name: str, stage: str, stage_index: int, kind: str) -> PlannedJob | None:
    """The plan of an archived job; None where its options are missing, damaged, or nothing that could run."""
    options = record.get("options")
    if not isinstance(options, dict) or not options or kind not in ("build", "bridge"):
        return None
    try:
        plan = _plan(record, options, name, stage, stage_index, kind)
        # Written out and checked whole: what is stored can be read again.
        return msgspec.convert(msgspec.to_builtins(plan), PlannedJob)
    except (ConfigInvalid, msgspec.ValidationError, TypeError, ValueError, RecursionError):
        return None


def _plan(
    record: Mapping[str, object], options: dict[str, object], name: str, stage: str, stage_index: int, kind: str
) -> PlannedJob:
    problems, budget, where = Problems(), Budget(), f"jobs:{name}"
    variables = _variables(record.get("yaml_variables"), problems)
    _, exit_codes = parse_allow_failure(where, options.get("allow_failure_criteria"), problems)
    trigger = parse_trigger(where, options.get("trigger"), problems)
    parallel, needs = options.get("parallel"), record.get("needs")
    upstream, release, pages = options.get("bridge_needs"), options.get("release"), options.get("pages")
    plan = PlannedJob(
        name=name,
        group_name=_text(record.get("group_name")) or name,
        stage=stage,
        stage_index=stage_index,
        kind="bridge" if kind == "bridge" else "build",
        when=msgspec.convert(record["when"], When) if record.get("when") in WHEN else "on_success",
        start_in=parse_duration(options.get("start_in")),
        allow_failure=record.get("allow_failure") is True,
        allow_failure_exit_codes=exit_codes,
        script=parse_script(where, "script", options.get("script"), problems, budget),
        before_script=parse_script(where, "before_script", options.get("before_script"), problems, budget),
        after_script=parse_script(where, "after_script", options.get("after_script"), problems, budget),
        run=parse_run(where, options.get("run"), problems),
        pre_get_sources_script=parse_hooks(where, options.get("hooks"), problems, budget),
        image=parse_image(where, _as_written(options.get("image")), problems),
        services=parse_services(where, _as_written(options.get("services")), problems),
        variables=variables,
        tags=_texts(record.get("tag_list")),
        needs=None if needs is None else tuple(msgspec.convert(needs, list[Need])),
        cross_needs=tuple(msgspec.convert(options.get("cross_dependencies") or [], list[CrossNeed])),
        dependencies=_texts(options["dependencies"]) if isinstance(options.get("dependencies"), list) else None,
        artifacts=parse_artifacts(where, options.get("artifacts"), problems),
        caches=parse_caches(where, options.get("cache"), problems),
        environment=_environment(record, options, variables, name, stage, problems),
        trigger=trigger,
        retry=parse_retry(where, options.get("retry"), problems),
        timeout=_number(options.get("job_timeout")),
        interruptible=record.get("interruptible") is True,
        resource_group=_text(record.get("resource_group")),
        coverage=_coverage(record.get("coverage_regex"), problems),
        parallel_index=_number(options.get("instance")),
        parallel_total=_number(parallel.get("total") if isinstance(parallel, dict) else parallel),
        release=release if isinstance(release, dict) else None,
        pages=pages if isinstance(pages, dict) else None,
        manual_confirmation=_text(options.get("manual_confirmation")),
    )
    if isinstance(upstream, dict) and trigger is not None and _text(upstream.get("pipeline")):
        plan = msgspec.structs.replace(plan, trigger=msgspec.structs.replace(trigger, upstream=upstream["pipeline"]))
    if not (plan.script or plan.run or plan.trigger):
        problems.add(where, "has nothing to run")
    problems.raise_if_any()
    return plan


def _variables(value: object, problems: Problems) -> tuple[PlannedVariable, ...]:
    """`yaml_variables`: a list of names and values, in very old archives a mapping."""
    if isinstance(value, list):
        pairs = [one for one in value if isinstance(one, dict) and isinstance(one.get("key"), str)]
        value = {
            one["key"]: {"value": one.get("value"), "expand": False} if one.get("raw") is True else one.get("value")
            for one in pairs
        }
    return parse_variables("jobs", value, problems)


def _environment(
    record: Mapping[str, object],
    options: Mapping[str, object],
    variables: tuple[PlannedVariable, ...],
    name: str,
    stage: str,
    problems: Problems,
) -> Environment | None:
    rule = parse_environment(f"jobs:{name}", options.get("environment") or record.get("environment"), problems)
    if rule is None:
        return None
    ref = str(record.get("ref") or "")
    known = {"CI_COMMIT_REF_NAME": ref, "CI_COMMIT_REF_SLUG": ref_slug(ref), "CI_JOB_NAME": name, "CI_JOB_STAGE": stage}
    known["CI_COMMIT_TAG" if record.get("tag") is True else "CI_COMMIT_BRANCH"] = ref
    scope = expand_scope({**known, **{variable.key: variable.value for variable in variables}})
    expanded = _text(record.get("expanded_environment_name")) or expand(rule.name, scope)
    if not expanded.strip():
        return None
    return planned_environment(rule, expanded, rule.auto_stop_in)


def _as_written(value: object) -> Any:
    """Images in the form of configuration files; archives group executor options."""
    if isinstance(value, list):
        return [_as_written(one) for one in value]
    if isinstance(value, dict) and isinstance(value.get("executor_opts"), dict):
        return {**{key: inner for key, inner in value.items() if key != "executor_opts"}, **value["executor_opts"]}
    return value


def _coverage(value: object, problems: Problems) -> str | None:
    return parse_coverage("jobs", f"/{value}/", problems) if isinstance(value, str) and value else None


def _text(value: object) -> str | None:
    return value.replace("\x00", "")[:255] if isinstance(value, str) and value else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(one)[:255] for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _LONGEST else None
