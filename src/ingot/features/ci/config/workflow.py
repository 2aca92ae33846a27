"""`workflow`: whether a pipeline is created, its name, and what a newer one cancels."""

from __future__ import annotations

import msgspec

from ingot.features.ci.config.budget import Budget
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.rules import Rule, parse_rules
from ingot.features.ci.config.shapes import Entry

_ON_NEW_COMMIT = ("conservative", "interruptible", "none")
_ON_JOB_FAILURE = ("none", "all")
_MAX_NAME = 255


class Workflow(msgspec.Struct, frozen=True, kw_only=True):
    rules: tuple[Rule, ...] | None = None
    name: str | None = None
    on_new_commit: str = "conservative"
    on_job_failure: str = "none"


def parse_workflow(value: object, problems: Problems, budget: Budget) -> Workflow:
    if value is None:
        return Workflow()
    if not isinstance(value, dict):
        problems.add("workflow", "config should be a hash")
        return Workflow()
    entry = Entry("workflow", value, problems)
    entry.allow_keys(("rules", "name", "auto_cancel"))
    name = entry.text("name")
    if name is not None and len(name) > _MAX_NAME:
        entry.fail(f"name is too long (maximum is {_MAX_NAME} characters)")
    on_new_commit, on_job_failure = _auto_cancel(value.get("auto_cancel"), problems)
    return Workflow(
        rules=parse_rules("workflow", value.get("rules"), problems, budget, workflow=True),
        name=name,
        on_new_commit=on_new_commit,
        on_job_failure=on_job_failure,
    )


def _auto_cancel(value: object, problems: Problems) -> tuple[str, str]:
    if value is None:
        return "conservative", "none"
    if not isinstance(value, dict):
        problems.add("workflow:auto_cancel", "config should be a hash")
        return "conservative", "none"
    entry = Entry("workflow:auto_cancel", value, problems)
    entry.allow_keys(("on_new_commit", "on_job_failure"))
    for key, allowed in (("on_new_commit", _ON_NEW_COMMIT), ("on_job_failure", _ON_JOB_FAILURE)):
        if value.get(key) is not None and value[key] not in allowed:
            entry.fail(f"{key.replace('_', ' ')} must be one of: {', '.join(allowed)}")
    return str(value.get("on_new_commit") or "conservative"), str(value.get("on_job_failure") or "none")
