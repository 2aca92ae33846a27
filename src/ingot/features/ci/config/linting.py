"""Checking a configuration: problems are returned instead of raised."""

from __future__ import annotations

import msgspec

from ingot.features.ci.config.configuration import Configuration, parse_configuration
from ingot.features.ci.config.event import PipelineEvent
from ingot.features.ci.config.hiding import InputScope, showable
from ingot.features.ci.config.includes import Included
from ingot.features.ci.config.plan import PlannedJob
from ingot.features.ci.config.planning import plan_pipeline
from ingot.features.ci.config.problems import ConfigInvalid, PipelineNotCreated
from ingot.features.ci.config.regexps import SECONDS
from ingot.kit.regexps import limited_work


class LintResult(msgspec.Struct, frozen=True, kw_only=True):
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    merged_yaml: str | None = None
    included: tuple[Included, ...] = ()
    configuration: Configuration | None = None
    jobs: tuple[PlannedJob, ...] = ()
    """The jobs of the event; only filled when a pipeline was simulated."""

    @property
    def valid(self) -> bool:
        return not self.errors


def lint(text: str, event: PipelineEvent | None = None, *, simulate: bool = False) -> LintResult:
    """Check a text as the file of this event; `simulate` also plans the pipeline without creating it."""
    with limited_work(SECONDS):
        return _lint(text, event or PipelineEvent(ref=""), simulate=simulate)


def _lint(text: str, event: PipelineEvent, *, simulate: bool) -> LintResult:
    scope = InputScope(event)
    try:
        configuration, merged = _parsed(text, event, scope)
    except ConfigInvalid as error:
        problem = showable(error, scope, lambda written: _parsed(text, event, written))
        return LintResult(errors=tuple(problem.errors), warnings=tuple(problem.warnings))
    checked = LintResult(
        warnings=configuration.warnings,
        merged_yaml=merged,
        included=configuration.included,
        configuration=configuration,
    )
    if not simulate:
        return checked
    try:
        return msgspec.structs.replace(checked, jobs=plan_pipeline(configuration, event).jobs)
    except ConfigInvalid as error:
        problem = showable(error, scope, lambda written: plan_pipeline(_parsed(text, event, written)[0], event))
        return msgspec.structs.replace(checked, errors=tuple(problem.errors))
    except PipelineNotCreated as error:
        return msgspec.structs.replace(checked, errors=(str(error),))


def _parsed(text: str, event: PipelineEvent, scope: InputScope) -> tuple[Configuration, str]:
    configuration = parse_configuration(text, event, scope=scope)
    return configuration, configuration.merged_yaml()
