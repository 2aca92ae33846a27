"""Where a job token may act outside its own project; checked wherever a call names a project."""

from collections.abc import Callable

from ingot.access.call import Call
from ingot.access.subjects import Project

Rule = Callable[[Call, Project], None]
_rules: list[Rule] = []


def limits_job_tokens(rule: Rule) -> Rule:
    """Register a rule that raises where the token may not act, from a feature's `listeners` module."""
    _rules.append(rule)
    return rule


def require_in_reach(call: Call, project: Project) -> None:
    """Raise for a job token of another project that this project does not admit."""
    if call.actor.token_kind == "job" and call.actor.job_project_id != project.id:
        for rule in _rules:
            rule(call, project)
