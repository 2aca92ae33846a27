"""Needs and dependencies by final job names: parallel jobs expanded, missing optional jobs dropped."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ingot.features.ci.config.jobs import JobRule
from ingot.features.ci.config.keywords.needs import NeedRule, Needs
from ingot.features.ci.config.keywords.parallel import copies, selects
from ingot.features.ci.config.plan import Need, PlannedJob
from ingot.features.ci.config.problems import ConfigInvalid

_ABSENT = (
    "'{job}' job needs '{need}' job, but '{need}' does not exist in the pipeline. This might be because of the only, "
    "except, or rules keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional."
)
_TOO_MANY = (
    "{job}: one job can only need {limit} others, but you have listed {count}. "
    "See needs keyword documentation for more details"
)


def link_needs(
    planned: list[tuple[PlannedJob, Needs | None]], written: Mapping[str, JobRule], limit: int
) -> list[PlannedJob]:
    """The jobs with their needs resolved; raises `ConfigInvalid` for one that needs an absent job or too many."""
    present: dict[str, list[str]] = {}
    for job, _ in planned:
        present.setdefault(job.group_name, []).append(job.name)
        if job.name != job.group_name:
            present[job.name] = [job.name]
    linked, errors = [], []
    for job, needs in planned:
        try:
            linked.append(_linked(job, needs, present, written, limit))
        except ConfigInvalid as error:
            errors += error.errors
    if errors:
        raise ConfigInvalid(errors)
    return linked


def _linked(
    job: PlannedJob,
    needs: Needs | None,
    present: Mapping[str, list[str]],
    written: Mapping[str, JobRule],
    limit: int,
) -> PlannedJob:
    dependencies = job.dependencies
    if dependencies is not None:
        dependencies = tuple(dict.fromkeys(name for given in dependencies for name in present.get(given, ())))
    if needs is None:
        return msgspec.structs.replace(job, dependencies=dependencies)
    result: dict[str, Need] = {}
    for need in needs.jobs:
        names = _names(need, present, written)
        if not names and not need.optional:
            raise ConfigInvalid([_ABSENT.format(job=job.name, need=need.job)])
        for name in names:
            result[name] = Need(name=name, artifacts=need.artifacts, optional=need.optional)
    count = len(result) + len(needs.cross)
    if count > limit:
        raise ConfigInvalid([_TOO_MANY.format(job=job.name, limit=limit, count=count)])
    return msgspec.structs.replace(
        job,
        # A bridge that only mirrors another project's status still waits for its stage.
        needs=None if needs.upstream and not result else tuple(result.values()),
        cross_needs=needs.cross,
        dependencies=dependencies,
    )


def _names(need: NeedRule, present: Mapping[str, list[str]], written: Mapping[str, JobRule]) -> list[str]:
    names = present.get(need.job, [])
    if need.matrix is None or need.job not in written:
        return names
    chosen = {copy.name for copy in copies(need.job, written[need.job].parallel) or () if selects(need.matrix, copy)}
    return [name for name in names if name in chosen]
