"""What the visitor has already reviewed of a request, by what they said about it."""

from collections.abc import Sequence

from ingot.web.answers import Approvals, DiffVersion, Note

VERDICT = "requested changes"  # how the system notes it


def approved_at(approvals: Approvals | None, user: int | None) -> str:
    """When the person approved; empty for those who did not."""
    rows = (approvals or {}).get("approved_by") or []
    return next((row["approved_at"] for row in rows if row["user"]["id"] == user), "")


def last_reviewed(versions: Sequence[DiffVersion], mine: Sequence[Note], approved: str) -> DiffVersion | None:
    """The newest version that the visitor said something about or approved; None for none.

    A comment on a line names its version; all else is about the newest one of its time.
    """
    seen = [_version_of(versions, note) for note in mine if not note["system"] or note["body"].startswith(VERDICT)]
    seen.append(_newest_at(versions, approved))
    return next((version for version in versions if version in seen), None)


def _version_of(versions: Sequence[DiffVersion], note: Note) -> DiffVersion | None:
    head = (note.get("position") or {}).get("head_sha")
    named = next((version for version in versions if head and version["head_commit_sha"] == head), None)
    return named or _newest_at(versions, note["created_at"])


def _newest_at(versions: Sequence[DiffVersion], moment: str) -> DiffVersion | None:
    return next((version for version in versions if version["created_at"] <= moment), None)
