"""Files that a job of the parent pipeline wrote, as configuration of a child pipeline.

Artifacts belong to a room above the engine, which registers how a file is read.
"""

from collections.abc import Callable

from sqlalchemy import Connection

from ingot.kit.services import Services

# Reads a file in the archive of the job of this name in a pipeline; None where there is none.
ReadArtifact = Callable[[Services, Connection, int, str, str], str | None]
_sources: list[ReadArtifact] = []


def artifact_source(source: ReadArtifact) -> ReadArtifact:
    """Register how files in archives of jobs are read."""
    _sources[:] = [source]
    return source


def artifact_reader(services: Services, conn: Connection, pipeline_id: int | None) -> Callable[[str, str], str | None]:
    """Reads `path` out of the archive of job `name` in the parent pipeline."""

    def read(name: str, path: str) -> str | None:
        if pipeline_id is None or not _sources:
            return None
        return _sources[0](services, conn, pipeline_id, name, path)

    return read
