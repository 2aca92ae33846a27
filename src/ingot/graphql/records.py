"""What queries take from the answers of the REST endpoints; the schema's fields are read from these by name."""

from typing import Generic, TypeVar
from urllib.parse import urlsplit

import msgspec

T = TypeVar("T")


class Person(msgspec.Struct):
    """A user, in the basic form; the caller has the rest."""

    id: int
    username: str
    name: str
    state: str
    web_url: str
    avatar_url: str | None = None
    public_email: str | None = None
    created_at: str | None = None
    bot: bool = False

    @property
    def active(self) -> bool:
        """The account can be used."""
        return self.state == "active"

    @property
    def web_path(self) -> str:
        """The page of the person, without the host."""
        return urlsplit(self.web_url).path


class Label(msgspec.Struct):
    """A label."""

    id: int
    title: str = msgspec.field(name="name")
    color: str
    text_color: str
    description: str | None = None


class Milestone(msgspec.Struct):
    """A milestone."""

    id: int
    iid: int
    title: str
    state: str
    web_url: str
    description: str | None = None

    @property
    def web_path(self) -> str:
        """Its page, without the host."""
        return urlsplit(self.web_url).path


class References(msgspec.Struct):
    """The short and the long name of a record: `#1`, `group/project#1`."""

    short: str
    full: str


class Issuable(msgspec.Struct, kw_only=True):
    """What issues and merge requests share."""

    id: int
    iid: int
    title: str
    description: str | None
    state: str
    author: Person | None
    assignees: list[Person]
    labels: list[Label]
    milestone: Milestone | None
    user_notes_count: int
    upvotes: int
    downvotes: int
    created_at: str
    updated_at: str
    web_url: str
    references: References


class Issue(Issuable, kw_only=True):
    """An issue, which is a work item too."""

    type: str
    confidential: bool
    due_date: str | None
    closed_at: str | None
    weight: int | None = None


class MergeRequest(Issuable, kw_only=True):
    """A merge request."""

    draft: bool
    reviewers: list[Person]
    source_branch: str
    target_branch: str
    diff_head_sha: str | None = msgspec.field(name="sha")
    merge_commit_sha: str | None
    merged_at: str | None


class Statistics(msgspec.Struct):
    """Sizes of a project in bytes."""

    commit_count: int
    storage_size: int
    repository_size: int
    wiki_size: int
    lfs_objects_size: int
    build_artifacts_size: int = msgspec.field(name="job_artifacts_size")
    packages_size: int
    snippets_size: int
    uploads_size: int


class Place(msgspec.Struct):
    """The namespace of a project."""

    id: int
    kind: str
    full_path: str


class Project(msgspec.Struct, kw_only=True):
    """A project."""

    id: int
    name: str
    path: str
    full_path: str = msgspec.field(name="path_with_namespace")
    name_with_namespace: str
    description: str | None
    visibility: str = "public"
    archived: bool | None = None
    created_at: str
    last_activity_at: str | None = None
    web_url: str
    http_url_to_repo: str | None = None
    ssh_url_to_repo: str | None = None
    star_count: int
    forks_count: int = 0
    issues_enabled: bool | None = None
    merge_requests_enabled: bool | None = None
    namespace: Place
    statistics: Statistics | None = None


class Group(msgspec.Struct):
    """A group."""

    id: int
    name: str
    path: str
    full_path: str
    full_name: str
    web_url: str
    description: str | None = None
    visibility: str | None = None
    created_at: str | None = None
    parent_id: int | None = None


class Namespace(msgspec.Struct):
    """A group, a project or a person's namespace, by the address of its issues."""

    id: str
    name: str
    path: str
    full_path: str
    is_group: bool = False
    issues: str | None = None
    record_id: int = 0


class Board(msgspec.Struct):
    """An issue board."""

    id: int
    name: str
    web_url: str = ""


class Metadata(msgspec.Struct):
    """The server."""

    version: str
    revision: str
    enterprise: bool


class Edge(msgspec.Struct, Generic[T]):
    """An entry of a page with its place."""

    cursor: str
    node: T


class PageInfo(msgspec.Struct):
    """What lies beside a page."""

    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


class Connection(msgspec.Struct, Generic[T]):
    """A page of a list."""

    count: int | None
    edges: list[Edge[T]]
    page_info: PageInfo

    @property
    def nodes(self) -> list[T]:
        """The entries alone."""
        return [edge.node for edge in self.edges]


class Collection(msgspec.Struct, Generic[T]):
    """A short list that came whole with its record."""

    nodes: list[T]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.nodes)
