"""The commit of a pipeline as it is kept beside it and shown with its jobs."""

from datetime import datetime

import msgspec

from ingot.features.ci.pipelines.predefined import CommitFacts
from ingot.features.code.repository import CommitBasic
from ingot.gitstore import Commit
from ingot.kit.entity import wire


class CommitRecord(msgspec.Struct, kw_only=True):
    """What is kept of a commit."""

    id: str
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


def record_of(commit: Commit) -> CommitRecord:
    """What to keep of a commit that was just read."""
    return CommitRecord(
        id=commit.id,
        parent_ids=list(commit.parent_ids),
        title=commit.title,
        message=commit.message,
        author_name=commit.author.name,
        author_email=commit.author.email,
        authored_date=commit.author.when,
        committer_name=commit.committer.name,
        committer_email=commit.committer.email,
        committed_date=commit.committer.when,
        trailers=dict(commit.trailers),
        extended_trailers={key: list(values) for key, values in commit.extended_trailers.items()},
    )


def stored(record: CommitRecord) -> object:
    """For the column."""
    return msgspec.to_builtins(record)


def read(column: object) -> CommitRecord | None:
    """From the column; imported pipelines may have none."""
    return msgspec.convert(column, CommitRecord) if column else None


def shown(record: CommitRecord | None, project_url: str) -> CommitBasic | None:
    """The commit on the wire."""
    if record is None:
        return None
    return CommitBasic(
        id=record.id,
        short_id=record.id[:8],
        created_at=wire(record.committed_date),
        parent_ids=record.parent_ids,
        title=record.title,
        message=record.message,
        author_name=record.author_name,
        author_email=record.author_email,
        authored_date=wire(record.authored_date),
        committer_name=record.committer_name,
        committer_email=record.committer_email,
        committed_date=wire(record.committed_date),
        trailers=record.trailers,
        extended_trailers=record.extended_trailers,
        web_url=f"{project_url}/-/commit/{record.id}",
    )


def facts(record: CommitRecord | None, sha: str, before_sha: str) -> CommitFacts:
    """The commit as the CI_COMMIT_* variables want it."""
    if record is None:
        return CommitFacts(sha=sha, before_sha=before_sha, message="", author="", timestamp="")
    return CommitFacts(
        sha=sha,
        before_sha=before_sha,
        message=record.message,
        author=f"{record.author_name} <{record.author_email}>",
        timestamp=record.committed_date.strftime("%Y-%m-%dT%H:%M:%SZ"),
    )
