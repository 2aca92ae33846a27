"""The last pipeline of a commit: CI features register its source."""

from collections.abc import Callable

from ingot.access.call import Call
from ingot.features.code.repository.entities import LastPipeline

FindLastPipeline = Callable[[Call, str], LastPipeline | None]
_sources: list[FindLastPipeline] = []


def pipeline_source(source: FindLastPipeline) -> FindLastPipeline:
    """Register how the newest pipeline of a commit in the call's project is found."""
    _sources[:] = [source]
    return source


def last_pipeline(call: Call, sha: str) -> LastPipeline | None:
    """The newest pipeline of the commit that the caller may see."""
    return _sources[0](call, sha) if _sources else None
