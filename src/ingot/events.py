"""Events of projects and users, announced to listeners (kit.events)."""

import msgspec

ZERO_SHA = "0" * 40


class RefChange(msgspec.Struct, frozen=True):
    """One ref moved: `old` is all zeroes for a new ref, `new` for a deleted one."""

    ref: str
    old: str
    new: str

    @property
    def branch(self) -> str | None:
        """The branch name, for branches."""
        return self.ref.removeprefix("refs/heads/") if self.ref.startswith("refs/heads/") else None

    @property
    def tag(self) -> str | None:
        """The tag name, for tags."""
        return self.ref.removeprefix("refs/tags/") if self.ref.startswith("refs/tags/") else None

    @property
    def is_creation(self) -> bool:
        """The ref is new."""
        return set(self.old) == {"0"}

    @property
    def is_deletion(self) -> bool:
        """The ref is gone."""
        return set(self.new) == {"0"}


class Pushed(msgspec.Struct, frozen=True):
    """Refs of a project changed: by git push, by a merge, or by an endpoint that commits."""

    project_id: int
    user_id: int | None
    changes: tuple[RefChange, ...]
    options: tuple[str, ...] = ()
    # Of a push that is announced late: its own positions of refs that have moved since.
    overtaken: tuple[RefChange, ...] = ()


class RepositoryFilled(msgspec.Struct, frozen=True):
    """A fork or an import brought a project its git data, without a push."""

    project_id: int


class ProjectSettingsChanged(msgspec.Struct, frozen=True):
    """Settings of a project were edited."""

    project_id: int
    names: frozenset[str]


class ProjectDeleted(msgspec.Struct, frozen=True):
    """A project is gone for good (its rows are deleted; storage is being cleaned)."""

    project_id: int


class GroupDeleted(msgspec.Struct, frozen=True):
    """A group is gone for good, with all that was in it."""

    group_id: int


class MembersChanged(msgspec.Struct, frozen=True):
    """Somebody's role changed in a group or project."""

    user_id: int
    project_id: int | None = None
    group_id: int | None = None


class PipelineChanged(msgspec.Struct, frozen=True):
    """A pipeline got a new status."""

    pipeline_id: int
    project_id: int
    sha: str
    status: str


class MergeRequestChanged(msgspec.Struct, frozen=True):
    """A merge request was opened, pushed to, merged, closed or reopened."""

    merge_request_id: int
    project_id: int
    # opened | updated | retargeted | pushed | commented | resolved | unresolved | merged | closed | reopened
    what: str
    user_id: int | None


class TextWritten(msgspec.Struct, frozen=True):
    """A title, description or comment of an issue or merge request; internal comments are not announced."""

    noteable_type: str  # Issue | MergeRequest
    noteable_id: int
    project_id: int
    text: str
    user_id: int | None
