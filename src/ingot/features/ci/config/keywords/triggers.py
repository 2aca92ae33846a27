"""`trigger`: bridge jobs that start child pipelines or pipelines of other projects."""

from __future__ import annotations

from typing import Literal, cast

from ingot.features.ci.config.plan import Trigger, TriggerInclude
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.shapes import Entry, as_list, is_strings_or_string

_KEYS = ("project", "branch", "include", "strategy", "forward", "inputs")
_INCLUDE_KEYS = ("local", "artifact", "job", "project", "file", "ref", "inputs", "template", "remote", "component")
_SOURCES = ("local", "artifact", "project", "remote", "component")
_STRATEGIES = ("depend", "mirror")
_MAX_INCLUDES = 3


def parse_trigger(where: str, value: object, problems: Problems) -> Trigger | None:
    if value is None:
        return None
    place = f"{where}:trigger"
    if isinstance(value, str):
        return Trigger(project=value)
    if not isinstance(value, dict):
        problems.add(place, "has to be either a string or a hash")
        return None
    entry = Entry(place, value, problems)
    entry.allow_keys(_KEYS)
    entry.forbid_together(("project", "include"))
    if value.get("project") in (None, "") and value.get("include") in (None, ""):
        entry.fail("config must specify one of: project, include")
    if "branch" in value and "project" not in value:
        entry.fail("project can't be blank")
    strategy = value.get("strategy")
    if strategy is not None and strategy not in _STRATEGIES:
        entry.fail("strategy should be depend or mirror")
    yaml_variables, pipeline_variables = _forward(entry)
    inputs = value.get("inputs")
    if inputs is not None and not isinstance(inputs, dict):
        entry.fail("inputs should be a hash")
    return Trigger(
        project=entry.text("project"),
        branch=entry.text("branch"),
        include=_includes(entry),
        strategy=cast("Literal['depend', 'mirror'] | None", strategy) if strategy in _STRATEGIES else None,
        forward_yaml_variables=yaml_variables,
        forward_pipeline_variables=pipeline_variables,
        inputs=inputs if isinstance(inputs, dict) else {},
    )


def _forward(entry: Entry) -> tuple[bool, bool]:
    value = entry.get("forward")
    if value is None:
        return True, False
    place = f"{entry.where}:forward"
    if not isinstance(value, dict):
        entry.problems.add(place, "config should be a hash")
        return True, False
    forward = Entry(place, value, entry.problems)
    forward.allow_keys(("yaml_variables", "pipeline_variables"))
    return forward.boolean("yaml_variables") is not False, forward.boolean("pipeline_variables") is True


def _includes(entry: Entry) -> tuple[TriggerInclude, ...]:
    value = entry.get("include")
    if value is None:
        return ()
    items = as_list(value)
    if not items:
        entry.fail("include can't be blank")
    if len(items) > _MAX_INCLUDES:
        entry.fail(f"include config is too long (maximum is {_MAX_INCLUDES})")
        return ()
    return tuple(result for item in items if (result := _include(entry, item)) is not None)


def _include(entry: Entry, item: object) -> TriggerInclude | None:
    if isinstance(item, str):
        if not item:
            entry.fail("include can't be blank")
        return TriggerInclude(remote=item) if item.startswith(("http://", "https://")) else TriggerInclude(local=item)
    place = f"{entry.where}:include"
    if not isinstance(item, dict):
        entry.problems.add(place, "config should be a hash or a string")
        return None
    include = Entry(place, item, entry.problems)
    include.allow_keys(_INCLUDE_KEYS)
    if "template" in item:
        include.fail(
            "config `template` is not available on this server: use local, artifact, project, remote or component"
        )
    if not any(item.get(key) for key in (*_SOURCES, "template")):
        include.fail(f"config must specify one of: {', '.join(_SOURCES)}")
    if ("artifact" in item) != ("job" in item):
        include.fail("config must specify the job where to fetch the artifact from")
    if ("project" in item) != ("file" in item):
        include.fail("config must specify the file where to fetch the config from")
    files = item.get("file")
    if files is not None and not is_strings_or_string(files):
        include.fail("file should be an array of strings or a string")
        files = None
    inputs = item.get("inputs")
    return TriggerInclude(
        local=include.text("local"),
        artifact=include.text("artifact"),
        job=include.text("job"),
        project=include.text("project"),
        remote=include.text("remote"),
        component=include.text("component"),
        file=tuple(as_list(files)) if files else (),
        ref=include.text("ref"),
        inputs=inputs if isinstance(inputs, dict) else {},
    )
