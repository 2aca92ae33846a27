"""The options of a new pipeline."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ingot.features.ci.engine.rows import PipelineRow
from ingot.features.ci.variables import GivenVariable, MergeRequestFacts
from ingot.gitstore import Repository, refs, revisions
from ingot.gitstore.model import ZERO_ID


class Ref(msgspec.Struct, frozen=True):
    """A branch or tag and its commit; `name` is a full ref name for merge requests."""

    name: str
    sha: str
    is_tag: bool = False


class Upstream(msgspec.Struct, frozen=True):
    """The bridge that triggers a pipeline, and the pipeline it is in."""

    bridge_id: int
    pipeline: PipelineRow


class PipelineOptions(msgspec.Struct, frozen=True, kw_only=True):
    """All options of a new pipeline besides the project and the user."""

    source: str
    ref: Ref
    before_sha: str = ZERO_ID
    variables: Sequence[GivenVariable] = ()
    inputs: Mapping[str, Any] = msgspec.field(default_factory=dict)
    schedule_id: int | None = None
    schedule_description: str | None = None
    trigger_id: int | None = None
    trigger_short_token: str | None = None
    merge_request: MergeRequestFacts | None = None
    upstream: Upstream | None = None
    config: dict[str, Any] | None = None
    """Of a child pipeline; otherwise the project's file is read."""
    saves_failures: bool = False
    """Invalid files and exceeded limits create a failed pipeline (pushes) instead of raising."""
    skip: bool = False
    is_overtaken: bool = False
    """The branch has moved on already: this pipeline makes no other redundant."""

    @property
    def is_child(self) -> bool:
        """It has the project and commit of its parent pipeline."""
        return self.source == "parent_pipeline"


def find_ref(repository: Repository, name: str) -> Ref | None:
    """A branch or tag by its short or full name; branches come first."""
    if not repository.exists():
        return None
    for prefix, is_tag in (("refs/heads/", False), ("refs/tags/", True)):
        short = name.removeprefix(prefix)
        if name.startswith("refs/") and not name.startswith(prefix):
            continue
        # Only a ref that is there: `main~1` is a commit, not a branch.
        if refs.find_ref(repository, prefix + short) is not None:
            sha = revisions.find(repository, prefix + short)
            if sha is not None:
                return Ref(short, sha, is_tag)
    return None


def is_ambiguous(repository: Repository, name: str) -> bool:
    """A branch and a tag have this short name."""
    return not name.startswith("refs/") and all(
        refs.find_ref(repository, prefix + name) is not None for prefix in ("refs/heads/", "refs/tags/")
    )
