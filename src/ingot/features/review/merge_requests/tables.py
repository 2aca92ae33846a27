"""Merge requests, their people, labels, diff versions and history.

What lists show is stored here when it changes (counts, draft mark, git state), so that no list starts git.
"""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, SmallInteger, String, Table, Text, UniqueConstraint

from ingot.features.review.merge_requests import label_states as _label_states  # noqa: F401 - registers its triggers
from ingot.features.review.merge_requests import labelled_index as _labelled_index  # noqa: F401 - registers its triggers
from ingot.features.review.merge_requests import search_index as _search_index  # noqa: F401 - registers the index
from ingot.identity.departures import GOES_TO_GHOST, OWN_WRITING
from ingot.kit.db import Id, Json, UtcDateTime, metadata

merge_requests = Table(
    "merge_requests",
    metadata,
    Column("id", Id, primary_key=True),
    Column("iid", Integer, nullable=False),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),  # the target project
    Column("source_project_id", Id, ForeignKey("projects.id", ondelete="SET NULL"), nullable=True, index=True),
    Column("source_branch", String(255), nullable=False),
    Column("target_branch", String(255), nullable=False),
    Column("author_id", Id, nullable=True, info=OWN_WRITING),
    Column("title", String(255), nullable=False),
    Column("description", Text, nullable=True),
    Column("state", String(8), nullable=False, server_default="opened"),
    Column("is_draft", Boolean, nullable=False, server_default="0"),
    Column("milestone_id", Id, ForeignKey("milestones.id", ondelete="SET NULL"), nullable=True, index=True),
    Column("squash", Boolean, nullable=False, server_default="0"),
    Column("discussion_locked", Boolean, nullable=True),
    Column("force_remove_source_branch", Boolean, nullable=True),
    Column("should_remove_source_branch", Boolean, nullable=True),
    Column("allow_collaboration", Boolean, nullable=False, server_default="0"),
    Column("merge_after", UtcDateTime, nullable=True),
    Column("approvals_before_merge", Integer, nullable=True),
    # Auto-merge: the user, and the head and messages that it is bound to.
    Column("auto_merge", Boolean, nullable=False, server_default="0"),
    Column("auto_merge_user_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("auto_merge_options", Json, nullable=True),
    # Git state as of the last check; `merge_status` holds the internal values of the state machine.
    Column("merge_status", String(32), nullable=False, server_default="unchecked"),
    Column("merge_error", Text, nullable=True),
    Column("head_sha", String(64), nullable=True),
    Column("base_sha", String(64), nullable=True),
    Column("start_sha", String(64), nullable=True),
    Column("checked_target_sha", String(64), nullable=True),
    Column("source_branch_exists", Boolean, nullable=False, server_default="1"),
    Column("target_branch_exists", Boolean, nullable=False, server_default="1"),
    Column("needs_rebase", Boolean, nullable=False, server_default="0"),  # target head is no ancestor of the head
    Column("commits_count", Integer, nullable=False, server_default="0"),
    Column("changes_count", String(16), nullable=True),
    Column("rebase_in_progress", Boolean, nullable=False, server_default="0"),
    Column("head_pipeline_id", Id, nullable=True),
    Column("merge_commit_sha", String(64), nullable=True),
    Column("squash_commit_sha", String(64), nullable=True),
    Column("in_progress_merge_sha", String(64), nullable=True),  # written before the ref moves; repaired after a crash
    Column("locked_at", UtcDateTime, nullable=True),
    Column("prepared_at", UtcDateTime, nullable=True),
    Column("merged_at", UtcDateTime, nullable=True),
    Column("merged_by_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("closed_at", UtcDateTime, nullable=True),
    Column("closed_by_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("first_contribution", Boolean, nullable=True),  # frozen at merge
    # Counts that lists show.
    Column("user_notes_count", Integer, nullable=False, server_default="0"),
    Column("unresolved_threads", Integer, nullable=False, server_default="0"),
    Column("upvotes", Integer, nullable=False, server_default="0"),
    Column("downvotes", Integer, nullable=False, server_default="0"),
    Column("task_count", Integer, nullable=False, server_default="0"),
    Column("task_completed_count", Integer, nullable=False, server_default="0"),
    Column("time_estimate", Integer, nullable=False, server_default="0"),
    Column("total_time_spent", Integer, nullable=False, server_default="0"),
    Column("imported_from", String(32), nullable=False, server_default="none"),
    Column("is_labelled", Boolean, nullable=False, server_default="0"),  # kept by triggers (labelled_index)
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "iid"),
    sqlite_autoincrement=True,
)
Index(
    "ix_merge_requests_project_created", merge_requests.c.project_id, merge_requests.c.created_at, merge_requests.c.id
)
Index(
    "ix_merge_requests_project_state",
    merge_requests.c.project_id,
    merge_requests.c.state,
    merge_requests.c.created_at,
    merge_requests.c.id,
)
Index(
    "ix_merge_requests_project_updated", merge_requests.c.project_id, merge_requests.c.updated_at, merge_requests.c.id
)
Index(
    "ix_merge_requests_project_author",
    merge_requests.c.project_id,
    merge_requests.c.author_id,
    merge_requests.c.created_at,
    merge_requests.c.id,
)
Index(
    "ix_merge_requests_project_labelled",
    merge_requests.c.project_id,
    merge_requests.c.is_labelled,
    merge_requests.c.created_at,
    merge_requests.c.id,
)
Index("ix_merge_requests_author", merge_requests.c.author_id, merge_requests.c.id)
Index("ix_merge_requests_source", merge_requests.c.source_project_id, merge_requests.c.source_branch)
Index("ix_merge_requests_target", merge_requests.c.project_id, merge_requests.c.target_branch)
Index("ix_merge_requests_head_sha", merge_requests.c.head_sha)
Index("ix_merge_requests_created", merge_requests.c.created_at, merge_requests.c.id)

merge_request_assignees = Table(
    "merge_request_assignees",
    metadata,
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("position", SmallInteger, nullable=False),
)

merge_request_reviewers = Table(
    "merge_request_reviewers",
    metadata,
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("position", SmallInteger, nullable=False),
    Column("state", String(32), nullable=False, server_default="unreviewed"),
    Column("created_at", UtcDateTime, nullable=False),
)

merge_request_labels = Table(
    "merge_request_labels",
    metadata,
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), primary_key=True),
    Column("label_id", Id, ForeignKey("labels.id", ondelete="CASCADE"), primary_key=True),
    Column("state", String(8), nullable=True),  # of the request, kept by triggers (label_states)
)
Index(
    "ix_merge_request_labels_label",
    merge_request_labels.c.label_id,
    merge_request_labels.c.merge_request_id,
)
Index(
    "ix_merge_request_labels_state",
    merge_request_labels.c.label_id,
    merge_request_labels.c.state,
    merge_request_labels.c.merge_request_id,
)

# Diff versions: one per head that the request has had.
merge_request_diffs = Table(
    "merge_request_diffs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("head_sha", String(64), nullable=False),
    Column("base_sha", String(64), nullable=True),
    Column("start_sha", String(64), nullable=True),
    Column("state", String(16), nullable=False, server_default="collected"),
    Column("real_size", String(16), nullable=False, server_default="0"),
    Column("patch_id_sha", String(64), nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

# Context commits: older commits shown to reviewers.
merge_request_context_commits = Table(
    "merge_request_context_commits",
    metadata,
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), primary_key=True),
    Column("sha", String(64), primary_key=True),
    Column("position", Integer, nullable=False),
)

merge_request_state_events = Table(
    "merge_request_state_events",
    metadata,
    Column("id", Id, primary_key=True),
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("user_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("state", String(16), nullable=False),  # closed | reopened | merged
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

subscriptions = Table(
    "merge_request_subscriptions",
    metadata,
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("subscribed", Boolean, nullable=False),
)
