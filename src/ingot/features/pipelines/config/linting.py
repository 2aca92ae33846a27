"""What is wrong with a configuration, as an answer rather than an exception."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from .configuration import Configuration, parse_configuration
from .event import PipelineEvent
from .files import Files
from .includes import Included
from .plan import PlannedJob
from .planning import plan_pipeline
from .problems import ConfigInvalid, PipelineNotCreated


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


def lint(
    text: str,
    *,
    files: Files | None = None,
    variables: Mapping[str, str] | None = None,
    inputs: Mapping[str, Any] | None = None,
    event: PipelineEvent | None = None,
) -> LintResult:
    """Check a text; with an event, also simulate the pipeline it would create."""
    try:
        configuration = parse_configuration(text, files=files, variables=variables, inputs=inputs)
        merged = configuration.merged_yaml()
    except ConfigInvalid as error:
        return LintResult(errors=tuple(error.errors), warnings=tuple(error.warnings))
    checked = LintResult(
        warnings=configuration.warnings,
        merged_yaml=merged,
        included=configuration.included,
        configuration=configuration,
    )
    if event is None:
        return checked
    try:
        return msgspec.structs.replace(checked, jobs=plan_pipeline(configuration, event).jobs)
    except ConfigInvalid as error:
        return msgspec.structs.replace(checked, errors=tuple(error.errors))
    except PipelineNotCreated as error:
        return msgspec.structs.replace(checked, errors=(str(error),))
