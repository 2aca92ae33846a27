"""From a configuration and an event to the pipeline: which jobs, under which names, with which variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from ingot.features.ci.config.budget import Budget
from ingot.features.ci.config.configuration import Configuration, parse_configuration
from ingot.features.ci.config.event import PipelineEvent
from ingot.features.ci.config.expansion import expand, expand_scope
from ingot.features.ci.config.hiding import InputScope, showable
from ingot.features.ci.config.jobs import JobRule
from ingot.features.ci.config.keywords.needs import Needs
from ingot.features.ci.config.keywords.parallel import Copy, copies
from ingot.features.ci.config.keywords.variables import merge_variables
from ingot.features.ci.config.linking import link_needs
from ingot.features.ci.config.plan import (
    PipelinePlan,
    PlannedJob,
    PlannedVariable,
    When,
)
from ingot.features.ci.config.planned_keywords import artifacts_of, environment_of, expanded_needs, trigger_of
from ingot.features.ci.config.policies import admits
from ingot.features.ci.config.problems import ConfigInvalid, PipelineEmpty, PipelineFiltered
from ingot.features.ci.config.regexps import SECONDS
from ingot.features.ci.config.rules import Rule, first_match
from ingot.features.ci.config.values import Mapping as ConfigMapping
from ingot.kit.regexps import limited_work

_JOB_COST = 40
MAX_WORD = 255  # characters of the columns


def compile_pipeline(source: str | ConfigMapping, event: PipelineEvent) -> PipelinePlan:
    """The pipeline that a configuration produces for an event.

    Raises `ConfigInvalid` for a faulty file, `PipelineFiltered` or `PipelineEmpty` when there is none.
    """

    def run(scope: InputScope) -> PipelinePlan:
        budget = Budget()
        return plan_pipeline(parse_configuration(source, event, budget, scope), event, budget)

    scope = InputScope(event)
    with limited_work(SECONDS):
        try:
            return run(scope)
        except ConfigInvalid as error:
            raise showable(error, scope, run) from error


def plan_pipeline(configuration: Configuration, event: PipelineEvent, budget: Budget | None = None) -> PipelinePlan:
    """The jobs of the configuration that run for this event."""
    return _Planner(configuration, event, budget or Budget()).plan()


class _Decision(msgspec.Struct, frozen=True):
    """How a job that takes part will run."""

    when: str
    rule: Rule | None


class _Planner:
    def __init__(self, configuration: Configuration, event: PipelineEvent, budget: Budget) -> None:
        self._configuration = configuration
        self._event = event
        self._budget = budget
        self._root = configuration.variables

    def plan(self) -> PipelinePlan:
        rule = self._workflow_rule()
        planned: list[tuple[PlannedJob, Needs | None]] = []
        for job in self._configuration.jobs.values():
            planned += self._copies(job)
        inner = [job for job, _ in planned if job.stage not in (".pre", ".post")]
        if not inner:  # .pre and .post alone do not make a pipeline
            raise PipelineEmpty
        jobs = link_needs(planned, self._configuration.jobs, self._event.needs_limit)
        _check_lengths(jobs)
        jobs.sort(key=lambda job: job.stage_index)
        used = {job.stage for job in jobs}
        workflow = self._configuration.workflow
        cancel: dict[str, Any] = (rule.auto_cancel if rule else None) or {}
        return PipelinePlan(
            stages=tuple(stage for stage in self._configuration.stages if stage in used),
            jobs=tuple(jobs),
            variables=self._root,
            name=self._name(workflow.name),
            auto_cancel_on_new_commit=str(cancel.get("on_new_commit") or workflow.on_new_commit),
            auto_cancel_on_job_failure=str(cancel.get("on_job_failure") or workflow.on_job_failure),
            warnings=self._configuration.warnings,
        )

    def _workflow_rule(self) -> Rule | None:
        rules = self._configuration.workflow.rules
        if rules is None:
            return None
        rule = first_match(rules, self._scope(self._root), self._event)
        if rule is None or rule.when == "never":
            raise PipelineFiltered
        self._root = merge_variables(self._root, rule.variables)
        return rule

    def _name(self, template: str | None) -> str | None:
        if template is None:
            return None
        # Everyone who sees the pipeline sees its name.
        shown = dict.fromkeys(self._event.masked, "[MASKED]")
        return (
            expand(template, self._scope(self._root, outside={**self._event.variables, **shown})).strip()[:255] or None
        )

    def _scope(
        self,
        variables: tuple[PlannedVariable, ...],
        extra: Mapping[str, str] | None = None,
        outside: Mapping[str, str] | None = None,
    ) -> dict[str, str]:
        """Names to values as conditions see them: predefined, then the file's, then those set from outside."""
        self._budget.spend(len(variables) + 1)
        written = {variable.key: variable.value for variable in variables}
        raw = {variable.key for variable in variables if variable.raw}
        outside = self._event.variables if outside is None else outside
        scope = {**self._event.predefined, **(extra or {}), **written, **outside}
        return expand_scope(scope, raw)

    def _copies(self, job: JobRule) -> list[tuple[PlannedJob, Needs | None]]:
        inherited = tuple(variable for variable in self._root if job.inherit.takes_variable(variable.key))
        result = []
        each: list[Copy | None] = list(copies(job.name, job.parallel) or ()) or [None]
        for copy in each:
            self._budget.spend(_JOB_COST)
            variables = merge_variables(inherited, job.variables, copy.variables if copy else ())
            scope = self._scope(variables, _job_names(job, copy))
            decision = self._decide(job, scope)
            if decision is not None:
                result.append(self._planned(job, copy, variables, scope, decision))
        return result

    def _decide(self, job: JobRule, scope: Mapping[str, str]) -> _Decision | None:
        if job.rules is None:
            if not admits(job.only, job.excluded, scope, self._event):
                return None
            return _Decision(job.when or "on_success", None)
        rule = first_match(job.rules, scope, self._event)
        when = "never" if rule is None else rule.when or job.when or "on_success"
        return None if when == "never" else _Decision(when, rule)

    def _planned(
        self,
        job: JobRule,
        copy: Copy | None,
        variables: tuple[PlannedVariable, ...],
        scope: dict[str, str],
        decision: _Decision,
    ) -> tuple[PlannedJob, Needs | None]:
        rule = decision.rule
        if rule is not None and rule.variables:
            variables = merge_variables(variables, rule.variables)
            scope = self._scope(variables, _job_names(job, copy))
        allow_failure, exit_codes = _failure(job, decision)
        interruptible = job.interruptible if rule is None or rule.interruptible is None else rule.interruptible
        needs = job.needs if rule is None or rule.needs is None else rule.needs
        planned = PlannedJob(
            name=copy.name if copy else job.name,
            group_name=job.name,
            stage=job.stage,
            stage_index=self._configuration.stages.index(job.stage),
            kind="bridge" if job.is_bridge else "build",
            when=cast("When", decision.when),
            start_in=(rule.start_in if rule else None) or job.start_in if decision.when == "delayed" else None,
            allow_failure=allow_failure,
            allow_failure_exit_codes=exit_codes,
            script=job.script,
            before_script=job.before_script,
            after_script=job.after_script,
            run=job.run,
            pre_get_sources_script=job.hooks,
            image=job.image,
            services=job.services,
            variables=variables,
            tags=tuple(dict.fromkeys(tag for raw in job.tags if (tag := expand(raw, scope)))),
            dependencies=job.dependencies,
            artifacts=artifacts_of(job),
            caches=job.caches,
            environment=environment_of(job, scope),
            trigger=trigger_of(job, scope),
            retry=job.retry,
            timeout=job.timeout,
            interruptible=bool(interruptible),
            resource_group=None if job.resource_group is None else expand(job.resource_group, scope) or None,
            coverage=job.coverage,
            parallel_index=copy.index if copy else None,
            parallel_total=copy.total if copy else None,
            release=job.release,
            id_tokens=job.id_tokens,
            pages=job.pages,
            manual_confirmation=job.manual_confirmation,
        )
        return planned, needs and expanded_needs(needs, scope)


def _check_lengths(jobs: list[PlannedJob]) -> None:
    for job in jobs:
        if any(len(word) > MAX_WORD for word in (job.name, job.stage, *job.tags)):
            sentence = f"{job.name[:80]} job: name, stage and tags may have at most {MAX_WORD} characters"
            raise ConfigInvalid([sentence])


def _job_names(job: JobRule, copy: Copy | None) -> dict[str, str]:
    names = {"CI_JOB_NAME": copy.name if copy else job.name, "CI_JOB_STAGE": job.stage}
    if copy is not None:
        names |= {"CI_NODE_INDEX": str(copy.index), "CI_NODE_TOTAL": str(copy.total)}
    return names


def _failure(job: JobRule, decision: _Decision) -> tuple[bool, tuple[int, ...]]:
    rule = decision.rule
    if rule is not None and (rule.allow_failure is not None or rule.exit_codes):
        return rule.allow_failure or False, rule.exit_codes
    if job.allow_failure is not None:
        return job.allow_failure, job.exit_codes
    # spec: allow_failure is true by default only for manual jobs without rules
    return decision.when == "manual" and rule is None, ()
