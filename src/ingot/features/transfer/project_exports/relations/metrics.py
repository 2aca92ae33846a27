"""`metrics` of a merge request: when it was merged, closed, approved and committed to, and how much it changes."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ingot.features.review.merge_requests import MergeRequestRow
from ingot.features.transfer.project_exports.records import listed, stamp, times

# Metrics of GitLab that are not computed here; null unless imported.
UNMEASURED = (
    "latest_build_started_at", "latest_build_finished_at", "first_deployed_to_production_at", "first_comment_at",
    "diff_size", "first_reassigned_at",
)  # fmt: skip


def metrics_of(
    row: MergeRequestRow,
    first_approved_at: datetime | None,
    diff: Mapping[str, object] | None,
    remaining: Mapping[str, object],
) -> dict[str, Any]:
    """The stored metrics, and those of the newest diff; for an imported request, those of its archive."""
    is_imported = row.imported_from not in (None, "none")
    return {
        **dict.fromkeys(UNMEASURED),
        **times(row),
        "latest_closed_at": None,
        "latest_closed_by_id": None,
        "first_approved_at": stamp(None if is_imported else first_approved_at),
        **_changes({} if diff is None or is_imported else diff),
        **remaining,
        "merged_at": stamp(row.merged_at),
        "merged_by_id": row.merged_by_id,
        **({"latest_closed_at": stamp(row.closed_at)} if row.closed_at else {}),
        **({"latest_closed_by_id": row.closed_by_id} if row.closed_by_id else {}),
        "commits_count": row.commits_count,
        "target_project_id": row.project_id,
    }


def _changes(diff: Mapping[str, object]) -> dict[str, Any]:
    """The newest commit comes first."""
    commits, files = listed(diff, "merge_request_diff_commits"), listed(diff, "merge_request_diff_files")
    texts = [str(file.get("utf8_diff") or "") for file in files]
    return {
        "first_commit_at": commits[-1].get("authored_date") if commits else None,
        "last_commit_at": commits[0].get("committed_date") if commits else None,
        "modified_paths_size": len(files) if files else None,
        "added_lines": _count(texts, "+") if files else None,
        "removed_lines": _count(texts, "-") if files else None,
    }


def _count(texts: list[str], mark: str) -> int:
    """Lines that begin with the mark, without the heads that old archives have."""
    head = mark * 3 + " "
    return sum(line.startswith(mark) and not line.startswith(head) for text in texts for line in text.split("\n"))
