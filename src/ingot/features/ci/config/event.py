"""The event that creates a pipeline: everything that decides which jobs it gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ingot.features.ci.config.files import Files, FilesInMemory

ChangedPaths = Callable[[str | None], Sequence[str] | None]
ReadArtifact = Callable[[str, str], str | None]


def _unknown_changes(_compare_to: str | None) -> Sequence[str] | None:
    return None


def _no_artifact(_job: str, _path: str) -> str | None:
    return None


@dataclass(frozen=True, kw_only=True)
class PipelineEvent:
    """One creation of a pipeline.

    `predefined` holds the CI_* variables known before jobs exist; `variables` those of instance, group, project,
    schedule, trigger and caller, already merged. Variables of the file lie between the two.
    """

    ref: str
    source: str = "push"
    is_tag: bool = False
    is_merge_request: bool = False
    project_path: str = ""
    predefined: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    masked: frozenset[str] = frozenset()
    """The names of those whose values must not be shown anywhere, not even in a job's name."""
    files: Files = field(default_factory=FilesInMemory)
    changed_paths: ChangedPaths = _unknown_changes
    """Paths changed since the given ref, or by this event when None is given; None: unknown, all patterns match."""
    read_artifact: ReadArtifact = _no_artifact
    """The text of a file in the archive of a job of the parent pipeline, for child pipelines made from artifacts."""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    needs_limit: int = 50

    @property
    def is_branch(self) -> bool:
        return not self.is_tag and not self.for_merge_request

    @property
    def for_merge_request(self) -> bool:
        return self.is_merge_request or self.source == "merge_request_event"
