"""Short ways to compile a configuration in these tests."""

from __future__ import annotations

import textwrap
from typing import Any

from ingot.features.ci.config import ConfigInvalid, PipelineEvent, PipelinePlan, compile_pipeline
from ingot.features.ci.config.files import FilesInMemory


def event(**given: Any) -> PipelineEvent:
    ref = given.pop("ref", "main")
    predefined = {"CI_COMMIT_REF_NAME": ref, "CI_DEFAULT_BRANCH": "main"}
    if not given.get("is_tag"):
        predefined["CI_COMMIT_BRANCH"] = ref
    if "files" in given:
        more = {name: given.pop(name, None) for name in ("projects", "remote", "templates")}
        given["files"] = FilesInMemory(given["files"], **more)
    if "changed" in given:
        changed = given.pop("changed")
        given["changed_paths"] = lambda _compare_to: changed
    return PipelineEvent(ref=ref, predefined=predefined | given.pop("predefined", {}), **given)


def plan(text: str, **given: Any) -> PipelinePlan:
    return compile_pipeline(textwrap.dedent(text), event(**given))


def names(text: str, **given: Any) -> list[str]:
    return [job.name for job in plan(text, **given).jobs]


def errors(text: str, **given: Any) -> list[str]:
    try:
        plan(text, **given)
    except ConfigInvalid as invalid:
        return invalid.errors
    return []
