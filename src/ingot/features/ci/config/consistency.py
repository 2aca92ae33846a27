"""Checks that look at more than one job: stages, needs, dependencies, stop jobs, circles."""

from __future__ import annotations

from collections.abc import Mapping

from ingot.features.ci.config.jobs import JobRule
from ingot.features.ci.config.keywords.needs import Needs
from ingot.features.ci.config.keywords.parallel import copies
from ingot.features.ci.config.problems import ConfigInvalid


def check_jobs(jobs: Mapping[str, JobRule], stages: tuple[str, ...]) -> None:
    """Raise `ConfigInvalid` with one sentence for each job that does not fit the others."""
    names = _final_names(jobs)
    order = {stage: index for index, stage in enumerate(stages)}
    errors = [
        f"{job.name} job: chosen stage does not exist; available stages are {', '.join(stages)}"
        for job in jobs.values()
        if job.stage not in order
    ]
    if errors:
        raise ConfigInvalid(errors)
    for job in jobs.values():
        errors += _need_errors(job, jobs, names, order)
        errors += _dependency_errors(job, jobs, names, order)
        errors += _environment_errors(job, jobs)
    if errors:
        raise ConfigInvalid(errors)
    _check_circles(jobs, names)


def _final_names(jobs: Mapping[str, JobRule]) -> dict[str, str]:
    """Maps every name of a job, its own and those of its copies, to the name in the file."""
    names = {name: name for name in jobs}
    for name, job in jobs.items():
        for copy in copies(name, job.parallel) or ():
            if copy.name in names and names[copy.name] != name:
                raise ConfigInvalid([f"{name} job: the name {copy.name} is used twice"])
            names[copy.name] = name
    return names


def _all_needs(job: JobRule) -> list[Needs]:
    needs = [] if job.needs is None else [job.needs]
    return needs + [rule.needs for rule in job.rules or () if rule.needs is not None]


def _need_errors(
    job: JobRule, jobs: Mapping[str, JobRule], names: Mapping[str, str], order: Mapping[str, int]
) -> list[str]:
    for needs in _all_needs(job):
        for need in needs.jobs:
            target = names.get(need.job)
            if target is None:
                if not need.optional:
                    return [f"{job.name} job: undefined need: {need.job}"]
            elif order[jobs[target].stage] > order[job.stage]:
                return [f"{job.name} job: need {need.job} is not defined in current or prior stages"]
    return []


def _dependency_errors(
    job: JobRule, jobs: Mapping[str, JobRule], names: Mapping[str, str], order: Mapping[str, int]
) -> list[str]:
    for name in job.dependencies or ():
        target = names.get(name)
        if target is None:
            return [f"{job.name} job: undefined dependency: {name}"]
        later_or_same = order[jobs[target].stage] >= order[job.stage]
        if order[jobs[target].stage] > order[job.stage] or (later_or_same and job.needs is None):
            return [f"{job.name} job: dependency {name} is not defined in current or prior stages"]
    return []


def _environment_errors(job: JobRule, jobs: Mapping[str, JobRule]) -> list[str]:
    environment = job.environment
    if environment is None or environment.on_stop is None:
        return []
    start = f"{job.name} job: on_stop job {environment.on_stop}"
    stop = jobs.get(environment.on_stop)
    if stop is None:
        return [f"{start} is not defined"]
    if stop.environment is None:
        return [f"{start} does not have environment defined"]
    if stop.environment.name != environment.name:
        return [f"{start} have different environment name"]
    if stop.environment.action != "stop":
        return [f"{start} needs to have action stop defined"]
    return []


def _check_circles(jobs: Mapping[str, JobRule], names: Mapping[str, str]) -> None:
    edges = {
        name: {names[need.job] for needs in _all_needs(job) for need in needs.jobs if need.job in names}
        for name, job in jobs.items()
    }
    alone = [name for name, targets in edges.items() if name in targets]
    if alone:
        raise ConfigInvalid([f"The pipeline has circular dependencies: self-dependency: {alone[0]}"])
    waiting = {name: len(targets) for name, targets in edges.items()}
    dependents: dict[str, list[str]] = {name: [] for name in edges}
    for name, targets in edges.items():
        for target in targets:
            dependents[target].append(name)
    ready = [name for name, count in waiting.items() if count == 0]
    while ready:
        done = ready.pop()
        del waiting[done]
        for name in dependents[done]:
            waiting[name] -= 1
            if waiting[name] == 0:
                ready.append(name)
    if waiting:
        shown = ", ".join(sorted(waiting)[:10])
        raise ConfigInvalid([f"The pipeline has circular dependencies: topological sort failed: {shown}"])
