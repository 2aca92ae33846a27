"""The commit of a pipeline as it is stored beside it."""

from datetime import datetime

import msgspec

from ingot.features.ci.variables import CommitFacts
from ingot.gitstore import Commit


class CommitRecord(msgspec.Struct, kw_only=True):
    """The stored parts of a commit."""

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
    """The record of a commit."""
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


def stored_commit(record: CommitRecord) -> object:
    """For the column."""
    return msgspec.to_builtins(record)


def read_commit(column: object) -> CommitRecord | None:
    """From the column; imported pipelines may have none."""
    return msgspec.convert(column, CommitRecord) if column else None


def commit_facts(record: CommitRecord | None, sha: str, before_sha: str) -> CommitFacts:
    """The commit in the form of the CI_COMMIT_* variables."""
    if record is None:
        return CommitFacts(sha=sha, before_sha=before_sha, message="", author="", timestamp="")
    return CommitFacts(
        sha=sha,
        before_sha=before_sha,
        message=record.message,
        author=f"{record.author_name} <{record.author_email}>",
        timestamp=record.committed_date.strftime("%Y-%m-%dT%H:%M:%SZ"),
    )
