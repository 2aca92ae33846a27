"""The last pipelines of commits: CI features register their source."""

from collections.abc import Callable, Collection

from ingot.access.call import Call
from ingot.access.subjects import Project
from ingot.features.code.repository.entities import LastPipeline

# By the id of the project and that of the commit.
LastPipelines = dict[tuple[int, str], LastPipeline]
FindLastPipelines = Callable[[Call, Collection[tuple[Project, str]]], LastPipelines]
_sources: list[FindLastPipelines] = []


def pipeline_source(source: FindLastPipelines) -> FindLastPipelines:
    """Register how the newest pipelines of commits are found."""
    _sources[:] = [source]
    return source


def last_pipelines(call: Call, shas: Collection[str]) -> dict[str, LastPipeline]:
    """By commit of the call's project, the newest pipeline that the caller may see; commits without are left out."""
    pipelines = last_pipelines_in(call, [(call.project, sha) for sha in shas])
    return {sha: pipeline for (_, sha), pipeline in pipelines.items()}


def last_pipelines_in(call: Call, commits: Collection[tuple[Project, str]]) -> LastPipelines:
    """The same for commits of several projects."""
    return _sources[0](call, commits) if _sources and commits else {}
