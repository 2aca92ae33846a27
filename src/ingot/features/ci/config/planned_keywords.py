"""Keywords of a job in its pipeline, with their variables expanded."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ingot.features.ci.config.expansion import expand
from ingot.features.ci.config.jobs import JobRule
from ingot.features.ci.config.keywords.environments import EnvironmentRule
from ingot.features.ci.config.keywords.needs import Needs
from ingot.features.ci.config.plan import Artifacts, Environment, Trigger


def environment_of(job: JobRule, scope: Mapping[str, str]) -> Environment | None:
    """Where the job deploys to; None where the name turns out to be empty."""
    rule = job.environment
    if rule is None:
        return None
    name = expand(rule.name, scope)
    if not name.strip():
        return None
    return planned_environment(rule, name, None if rule.auto_stop_in is None else expand(rule.auto_stop_in, scope))


def planned_environment(rule: EnvironmentRule, name: str, auto_stop_in: str | None) -> Environment:
    """The keyword with its expanded name and lifetime."""
    return Environment(
        name=name,
        template=rule.name,
        url=rule.url,
        action=rule.action,
        on_stop=rule.on_stop,
        auto_stop_in=auto_stop_in,
        deployment_tier=rule.deployment_tier,
    )


def trigger_of(job: JobRule, scope: Mapping[str, str]) -> Trigger | None:
    """The pipeline that a bridge starts."""
    trigger = job.trigger
    if trigger is None:
        return None
    return msgspec.structs.replace(
        trigger,
        project=None if trigger.project is None else expand(trigger.project, scope),
        branch=None if trigger.branch is None else expand(trigger.branch, scope),
        upstream=None if trigger.upstream is None else expand(trigger.upstream, scope),
        include=tuple(
            msgspec.structs.replace(
                include,
                local=None if include.local is None else expand(include.local, scope),
                artifact=None if include.artifact is None else expand(include.artifact, scope),
                project=None if include.project is None else expand(include.project, scope),
                remote=None if include.remote is None else expand(include.remote, scope),
                component=None if include.component is None else expand(include.component, scope),
                ref=None if include.ref is None else expand(include.ref, scope),
                file=tuple(expand(path, scope) for path in include.file),
            )
            for include in trigger.include
        ),
    )


def artifacts_of(job: JobRule) -> Artifacts | None:
    """A pages job publishes its folder whether or not the file lists it among the paths."""
    if job.pages is None or job.is_bridge:
        return job.artifacts
    folder = job.pages.get("publish")
    folder = folder if isinstance(folder, str) and folder else "public"
    artifacts = job.artifacts or Artifacts()
    listed = {path.rstrip("/") for path in artifacts.paths}
    if folder.rstrip("/") in listed:
        return artifacts
    return msgspec.structs.replace(artifacts, paths=(*artifacts.paths, folder))


def expanded_needs(needs: Needs, scope: Mapping[str, str]) -> Needs:
    """Jobs of other pipelines by their real names."""
    if not needs.cross:
        return needs
    return msgspec.structs.replace(
        needs,
        cross=tuple(
            msgspec.structs.replace(
                need,
                job=expand(need.job, scope),
                pipeline=None if need.pipeline is None else expand(need.pipeline, scope),
                project=None if need.project is None else expand(need.project, scope),
                ref=None if need.ref is None else expand(need.ref, scope),
            )
            for need in needs.cross
        ),
    )
