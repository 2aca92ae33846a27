"""What messages need of the payloads of web hooks."""

import msgspec


class Person(msgspec.Struct, frozen=True):
    """Somebody."""

    name: str = ""
    email: str | None = None


class Place(msgspec.Struct, frozen=True):
    """The project."""

    web_url: str
    path_with_namespace: str
    default_branch: str | None = None


class ToldCommit(msgspec.Struct, frozen=True):
    """A commit of a push."""

    id: str
    title: str
    url: str
    author: Person


class Record(msgspec.Struct, frozen=True):
    """What was changed."""

    id: int | None = None
    iid: int | None = None
    title: str = ""
    url: str = ""
    description: str | None = None
    action: str | None = None
    note: str | None = None
    noteable_type: str | None = None
    status: str = ""
    ref: str | None = None
    tag: bool = False
    sha: str = ""
    duration: float | None = None


class About(msgspec.Struct, frozen=True):
    """What was commented on."""

    id: int | str = ""
    iid: int | None = None
    title: str | None = None


class Build(msgspec.Struct, frozen=True):
    """A job of a pipeline."""

    name: str
    status: str
    allow_failure: bool = False


class Told(msgspec.Struct, frozen=True):
    """One message."""

    object_kind: str
    project: Place
    user: Person | None = None
    user_name: str | None = None
    ref: str | None = None
    before: str = ""
    after: str = ""
    commits: list[ToldCommit] = msgspec.field(default_factory=list)
    total_commits_count: int = 0
    object_attributes: Record = msgspec.field(default_factory=Record)
    issue: About | None = None
    merge_request: About | None = None
    snippet: About | None = None
    commit: About | None = None
    builds: list[Build] = msgspec.field(default_factory=list)
    status: str = ""
    environment: str = ""
    commit_url: str = ""
    short_sha: str = ""
    commit_title: str | None = None

    @property
    def who(self) -> str:
        """The name of who did it."""
        return self.user_name or (self.user.name if self.user else "") or "Somebody"

    @property
    def ref_name(self) -> str:
        """The short name of a pushed ref."""
        return (self.ref or "").removeprefix("refs/heads/").removeprefix("refs/tags/")

    @property
    def branch(self) -> str | None:
        """The branch that was pushed, or for which a pipeline ran."""
        if self.object_kind == "pipeline":
            return None if self.object_attributes.tag else self.object_attributes.ref
        return self.ref_name if self.object_kind == "push" else None

    @property
    def is_creation(self) -> bool:
        """The ref is new."""
        return set(self.before) == {"0"}

    @property
    def is_deletion(self) -> bool:
        """The ref is gone."""
        return set(self.after) == {"0"}
