"""Commits, branches, tags, trees and diffs on the wire. Nothing here reads a repository."""

from datetime import datetime
from typing import Any
from urllib.parse import quote

from ingot.access.rows import ProjectRow
from ingot.gitstore import Commit
from ingot.gitstore.diff import FileDiff
from ingot.gitstore.log import CommitStats
from ingot.kit.entity import UNSET, Entity, UnsetType, wire


class Stats(Entity):
    """Added and removed lines."""

    additions: int
    deletions: int
    total: int


class CommitBasic(Entity, kw_only=True):
    """A commit as lists and other resources show it."""

    id: str
    short_id: str
    created_at: datetime
    parent_ids: list[str]
    title: str
    message: str
    author_name: str
    author_email: str
    authored_date: datetime
    committer_name: str
    committer_email: str
    committed_date: datetime
    trailers: dict[str, str]
    extended_trailers: dict[str, list[str]]
    web_url: str
    stats: Stats | UnsetType = UNSET


class LastPipeline(Entity):
    """The newest pipeline of a commit."""

    id: int
    iid: int
    project_id: int
    sha: str
    ref: str
    status: str
    source: str
    created_at: datetime
    updated_at: datetime
    web_url: str


class CommitDetail(CommitBasic, kw_only=True):
    """A single commit."""

    status: str | None
    project_id: int
    last_pipeline: LastPipeline | None


class Branch(Entity):
    """A branch with its head."""

    name: str
    commit: CommitBasic
    merged: bool
    protected: bool
    developers_can_push: bool
    developers_can_merge: bool
    can_push: bool
    default: bool
    web_url: str


class TagRelease(Entity):
    """The release of a tag."""

    tag_name: str
    description: str | None


class Tag(Entity):
    """A tag, light or annotated."""

    name: str
    message: str | None
    target: str
    commit: CommitBasic | None
    release: TagRelease | None
    protected: bool
    created_at: datetime | None


class FileDiffEntity(Entity, kw_only=True):
    """One file of a difference."""

    diff: str
    collapsed: bool | UnsetType = UNSET
    too_large: bool | UnsetType = UNSET
    new_path: str
    old_path: str
    a_mode: str
    b_mode: str
    new_file: bool
    renamed_file: bool
    deleted_file: bool
    generated_file: bool | UnsetType | None = UNSET


def project_url(base_url: str, project: ProjectRow) -> str:
    """The project's page."""
    return f"{base_url}/{project.full_path}"


def commit_url(base_url: str, project: ProjectRow, sha: str) -> str:
    """The commit's page."""
    return f"{project_url(base_url, project)}/-/commit/{sha}"


def branch_url(base_url: str, project: ProjectRow, name: str) -> str:
    """The page of a branch's files."""
    return f"{project_url(base_url, project)}/-/tree/{quote(name)}"


def commit_fields(commit: Commit, base_url: str, project: ProjectRow) -> dict[str, Any]:
    """The fields of the basic form."""
    committed = wire(commit.committer.when)
    return {
        "id": commit.id,
        "short_id": commit.short_id,
        "created_at": committed,
        "parent_ids": list(commit.parent_ids),
        "title": commit.title,
        "message": commit.message,
        "author_name": commit.author.name,
        "author_email": commit.author.email,
        "authored_date": wire(commit.author.when),
        "committer_name": commit.committer.name,
        "committer_email": commit.committer.email,
        "committed_date": committed,
        "trailers": commit.trailers,
        "extended_trailers": commit.extended_trailers,
        "web_url": commit_url(base_url, project, commit.id),
    }


def commit_basic(commit: Commit, base_url: str, project: ProjectRow, stats: CommitStats | None = None) -> CommitBasic:
    """A commit of a project (a row with `full_path`)."""
    return CommitBasic(**commit_fields(commit, base_url, project), stats=stats_of(stats))


def stats_of(stats: CommitStats | None) -> Stats | UnsetType:
    """The line counts, if requested."""
    return UNSET if stats is None else Stats(additions=stats.additions, deletions=stats.deletions, total=stats.total)


def file_diff(result: FileDiff, *, unidiff: bool = False) -> FileDiffEntity:
    """One file of a difference; with `unidiff` the text carries its file headers."""
    return FileDiffEntity(
        diff=result.unidiff if unidiff else result.diff,
        collapsed=result.collapsed,
        too_large=result.too_large,
        new_path=result.new_path,
        old_path=result.old_path,
        a_mode=result.a_mode,
        b_mode=result.b_mode,
        new_file=result.new_file,
        renamed_file=result.renamed_file,
        deleted_file=result.deleted_file,
        generated_file=result.generated_file,
    )
