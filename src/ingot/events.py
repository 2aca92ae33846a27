"""Events of projects and users, announced to listeners (kit.events)."""

from dataclasses import dataclass

ZERO_SHA = "0" * 40


@dataclass(frozen=True, slots=True)
class RefChange:
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


@dataclass(frozen=True, slots=True)
class Pushed:
    """Refs of a project changed: by git push, by a merge, or by an endpoint that commits."""

    project_id: int
    user_id: int | None
    changes: tuple[RefChange, ...]
    options: tuple[str, ...] = ()
    # Of a push that is announced late: its own positions of refs that have moved since.
    overtaken: tuple[RefChange, ...] = ()


@dataclass(frozen=True, slots=True)
class RepositoryFilled:
    """A fork or an import brought a project its git data, without a push."""

    project_id: int


@dataclass(frozen=True, slots=True)
class ProjectSettingsChanged:
    """Settings of a project were edited."""

    project_id: int
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class ProjectDeleted:
    """A project is gone for good (its rows are deleted; storage is being cleaned)."""

    project_id: int


@dataclass(frozen=True, slots=True)
class GroupDeleted:
    """A group is gone for good, with all that was in it."""

    group_id: int


@dataclass(frozen=True, slots=True)
class MembersChanged:
    """Somebody's role changed in a group or project."""

    user_id: int
    project_id: int | None = None
    group_id: int | None = None


@dataclass(frozen=True, slots=True)
class PipelineChanged:
    """A pipeline got a new status."""

    pipeline_id: int
    project_id: int
    sha: str
    status: str


@dataclass(frozen=True, slots=True)
class MergeRequestChanged:
    """A merge request was opened, pushed to, merged, closed or reopened."""

    merge_request_id: int
    project_id: int
    # opened | updated | retargeted | pushed | commented | resolved | unresolved | merged | closed | reopened
    what: str
    user_id: int | None


@dataclass(frozen=True, slots=True)
class TextWritten:
    """A title, description or comment of an issue or merge request; internal comments are not announced."""

    noteable_type: str  # Issue | MergeRequest
    noteable_id: int
    project_id: int
    text: str
    user_id: int | None
