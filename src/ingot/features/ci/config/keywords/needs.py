"""`needs`: the jobs, or other pipelines' artifacts, that a job waits for."""

from __future__ import annotations

import msgspec

from ingot.features.ci.config.budget import Budget
from ingot.features.ci.config.keywords.parallel import parse_parallel
from ingot.features.ci.config.plan import CrossNeed
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.shapes import Entry, as_list, flatten

_JOB_KEYS = ("job", "artifacts", "optional", "parallel")
_CROSS_KEYS = ("job", "pipeline", "project", "ref", "artifacts", "optional")


class NeedRule(msgspec.Struct, frozen=True, kw_only=True):
    """A need of this pipeline, before parallel jobs are written out."""

    job: str
    artifacts: bool = True
    optional: bool = False
    matrix: list[dict[str, str]] | None = None


class Needs(msgspec.Struct, frozen=True, kw_only=True):
    jobs: tuple[NeedRule, ...] = ()
    cross: tuple[CrossNeed, ...] = ()
    upstream: str | None = None


def parse_needs(where: str, value: object, problems: Problems, budget: Budget, *, bridge: bool = False) -> Needs | None:
    if value is None:
        return None
    place = f"{where}:needs"
    if not isinstance(value, str | dict | list):
        problems.add(place, "config can only be a hash or an array")
        return None
    items = flatten(as_list(value), budget)
    if items is None:
        problems.add(place, "config is nested too deeply")
        return None
    jobs: list[NeedRule] = []
    cross: list[CrossNeed] = []
    upstream: str | None = None
    for item in items:
        match _need(place, item, problems):
            case NeedRule() as need:
                jobs.append(need)
            case CrossNeed() as need:
                cross.append(need)
            case str() as upstream:
                if not bridge:
                    problems.add(place, "config uses invalid types: bridge")
    names = [(need.job, str(need.matrix)) for need in jobs]
    duplicates = sorted({name[0] for name in names if names.count(name) > 1}) if len(names) <= 500 else []
    if duplicates:
        problems.add(place, f"config has the following needs duplicates: {', '.join(duplicates)}.")
    if bridge and cross:
        problems.add(place, "config uses invalid types: cross_dependency")
    return Needs(jobs=tuple(jobs), cross=tuple(cross), upstream=upstream)


def _need(place: str, item: object, problems: Problems) -> NeedRule | CrossNeed | str | None:
    if isinstance(item, str):
        if not item:
            problems.add(f"{place}:need", "config can't be blank")
            return None
        return NeedRule(job=item)
    if not isinstance(item, dict):
        problems.add(place, "config contains an unknown type of need" if item is not None else "config can't be blank")
        return None
    entry = Entry(f"{place}:need", item, problems)
    if "pipeline" in item and "job" not in item:
        entry.allow_keys(("pipeline",))
        return entry.text("pipeline")
    job = entry.text("job")
    if not job:
        entry.fail("job can't be blank")
        return None
    artifacts, optional = entry.boolean("artifacts"), entry.boolean("optional") or False
    if "pipeline" in item or "project" in item:
        entry.allow_keys(_CROSS_KEYS)
        if "project" in item and not entry.text("ref"):
            entry.fail("ref should be a string")
        pipeline = item.get("pipeline")
        if pipeline is not None and (isinstance(pipeline, bool) or not isinstance(pipeline, str | int)):
            entry.fail("pipeline should be a string")
        return CrossNeed(
            job=job,
            pipeline=None if pipeline is None else str(pipeline),
            project=entry.text("project"),
            ref=entry.text("ref"),
            artifacts=artifacts is not False,
            optional=optional,
        )
    entry.allow_keys(_JOB_KEYS)
    parallel = parse_parallel(entry.where, item.get("parallel"), problems)
    if isinstance(parallel, int):
        entry.fail("parallel should be a hash")
        parallel = None
    return NeedRule(job=job, artifacts=artifacts is not False, optional=optional, matrix=parallel)
