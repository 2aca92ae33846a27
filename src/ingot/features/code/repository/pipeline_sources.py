"""The last pipelines of commits: CI features register their source."""

from collections.abc import Callable, Collection

from ingot.access.call import Call
from ingot.features.code.repository.entities import LastPipeline

FindLastPipelines = Callable[[Call, Collection[str]], dict[str, LastPipeline]]
_sources: list[FindLastPipelines] = []


def pipeline_source(source: FindLastPipelines) -> FindLastPipelines:
    """Register how the newest pipelines of commits in the call's project are found."""
    _sources[:] = [source]
    return source


def last_pipelines(call: Call, shas: Collection[str]) -> dict[str, LastPipeline]:
    """By commit, the newest pipeline that the caller may see; commits without one are left out."""
    return _sources[0](call, shas) if _sources and shas else {}
