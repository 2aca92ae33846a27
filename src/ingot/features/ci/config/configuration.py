"""The whole file: includes, references and extends resolved, every entry checked, jobs checked against each other."""

from __future__ import annotations

from typing import Any

import msgspec

from ingot.features.ci.config.budget import Budget
from ingot.features.ci.config.consistency import check_jobs
from ingot.features.ci.config.event import PipelineEvent
from ingot.features.ci.config.hiding import InputScope
from ingot.features.ci.config.includes import Included, IncludeExpander
from ingot.features.ci.config.inheritance import TOP_LEVEL, collect_defaults
from ingot.features.ci.config.inputs import load_with_inputs
from ingot.features.ci.config.jobs import JobRule, parse_job
from ingot.features.ci.config.keywords.variables import parse_variables
from ingot.features.ci.config.merging import resolve_extends, resolve_references
from ingot.features.ci.config.plan import PlannedVariable
from ingot.features.ci.config.problems import ConfigInvalid, Problems
from ingot.features.ci.config.shapes import is_strings
from ingot.features.ci.config.values import Mapping
from ingot.features.ci.config.workflow import Workflow, parse_workflow

_KEYWORDS = frozenset((*TOP_LEVEL, "default", "include", "stages", "variables", "workflow", "spec", "types"))
DEFAULT_STAGES = ("build", "test", "deploy")
_MAX_MERGED = 400_000


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """A valid configuration, usable for any number of events."""

    stages: tuple[str, ...]
    jobs: dict[str, JobRule]
    variables: tuple[PlannedVariable, ...]
    workflow: Workflow
    warnings: tuple[str, ...]
    included: tuple[Included, ...]
    merged: dict[str, Any]

    def merged_yaml(self) -> str:
        """The file with all includes, extensions and references resolved."""
        _check_size(self.merged)
        from ingot.features.ci.config.yaml_text import write_plain

        return write_plain(self.merged)


def parse_configuration(
    source: str | Mapping,
    event: PipelineEvent,
    budget: Budget | None = None,
    scope: InputScope | None = None,
) -> Configuration:
    """The checked configuration of a text (or of an already loaded mapping); raises `ConfigInvalid`.

    Only what `include` and `spec:inputs` use of the event matters here.
    """
    budget, scope = budget or Budget(), scope or InputScope(event)
    if isinstance(source, str):
        if not source.strip():
            raise ConfigInvalid(["Please provide content of .gitlab-ci.yml"])
        budget.spend(len(source) // 16)
        loaded = load_with_inputs(source, event.inputs, scope)
    else:
        loaded = source
    expander = IncludeExpander(event, budget, scope)
    config = expander.expand(loaded, event.files)
    config = resolve_references(config, budget)
    config = resolve_extends(config, budget)
    return _check(config, tuple(expander.included), budget)


def _check(config: Mapping, included: tuple[Included, ...], budget: Budget) -> Configuration:
    problems = Problems()
    defaults = collect_defaults(config, problems, budget)
    stages = _stages(config.get("stages", config.get("types")), problems)
    workflow = parse_workflow(config.get("workflow"), problems, budget)
    variables = _root_variables(config.get("variables"), problems)
    problems.raise_if_any()
    jobs: dict[str, JobRule] = {}
    visible = 0
    for name, written in config.items():
        if name in _KEYWORDS or name.startswith("."):
            continue
        visible += 1
        job = parse_job(name, written, defaults, problems, budget, has_workflow_rules=workflow.rules is not None)
        if job is not None:
            jobs[name] = job
    if not visible:
        problems.add("jobs", "config should contain at least one visible job")
    problems.raise_if_any()
    check_jobs(jobs, stages)
    return Configuration(
        stages=stages,
        jobs=jobs,
        variables=variables,
        workflow=workflow,
        warnings=tuple(problems.warnings),
        included=included,
        merged=config,
    )


def _stages(value: object, problems: Problems) -> tuple[str, ...]:
    """`.pre` and `.post` are the first and last stages, whether written or not."""
    if value is None:
        value = list(DEFAULT_STAGES)
    if not is_strings(value):
        problems.add("stages", "config should be an array of strings")
        return ()
    return (".pre", *(stage for stage in dict.fromkeys(value) if stage not in (".pre", ".post")), ".post")


def _root_variables(value: object, problems: Problems) -> tuple[PlannedVariable, ...]:
    located = Problems()
    parsed = parse_variables("", value, located, allowed=("value", "description", "expand", "options"))
    problems.errors += [error.removeprefix(":") for error in located.errors]
    return parsed


def _check_size(value: object) -> None:
    stack, seen = [value], 0
    while stack:
        item = stack.pop()
        seen += 1
        if seen > _MAX_MERGED:
            raise ConfigInvalid(["The parsed YAML is too big"])
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
