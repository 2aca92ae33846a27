"""The commit of a pipeline on the wire."""

from ingot.features.ci.engine import CommitRecord
from ingot.features.code.repository import CommitBasic
from ingot.kit.entity import wire


def present_commit(record: CommitRecord | None, project_url: str) -> CommitBasic | None:
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
