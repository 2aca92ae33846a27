"""Issues with their labels, assignees, links, history and subscriptions."""

from sqlalchemy import Boolean, Column, Date, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from ingot.identity.departures import GOES_TO_GHOST, OWN_WRITING
from ingot.kit.db import Id, UtcDateTime, metadata
from ingot.kit.indexes import PartialIndex

issues = Table(
    "issues",
    metadata,
    Column("id", Id, primary_key=True),
    Column("iid", Integer, nullable=False),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("author_id", Id, nullable=True, info=OWN_WRITING),
    Column("title", String(255), nullable=False),
    Column("description", Text, nullable=True),
    Column("state", String(16), nullable=False, server_default="opened"),
    Column("confidential", Boolean, nullable=False, server_default="0"),
    Column("discussion_locked", Boolean, nullable=True),
    Column("issue_type", String(32), nullable=False, server_default="issue"),
    Column("weight", Integer, nullable=True),
    Column("milestone_id", Id, ForeignKey("milestones.id", ondelete="SET NULL"), nullable=True, index=True),
    Column("due_date", Date, nullable=True),
    Column("closed_at", UtcDateTime, nullable=True),
    Column("closed_by_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("updated_by_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("last_edited_at", UtcDateTime, nullable=True),
    Column("last_edited_by_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("health_status", String(32), nullable=True),
    Column("moved_to_id", Id, nullable=True),
    Column("external_key", String(255), nullable=True),
    Column("task_count", Integer, nullable=False, server_default="0"),
    Column("task_completed_count", Integer, nullable=False, server_default="0"),
    Column("time_estimate", Integer, nullable=False, server_default="0"),
    Column("total_time_spent", Integer, nullable=False, server_default="0"),
    Column("upvotes", Integer, nullable=False, server_default="0"),
    Column("downvotes", Integer, nullable=False, server_default="0"),
    Column("user_notes_count", Integer, nullable=False, server_default="0"),
    Column("relative_position", Integer, nullable=True),
    Column("imported_from", String(32), nullable=False, server_default="none"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "iid"),
    sqlite_autoincrement=True,
)
Index("ix_issues_project_created", issues.c.project_id, issues.c.created_at, issues.c.id)
Index("ix_issues_author_created", issues.c.author_id, issues.c.created_at, issues.c.id)
Index("ix_issues_created", issues.c.created_at, issues.c.id)
Index("ix_issues_project_state", issues.c.project_id, issues.c.state, issues.c.id)
# Subtracted from the number of open issues for users who may not see confidential ones.
PartialIndex(
    "ix_issues_confidential",
    issues.c.project_id,
    issues.c.state,
    where=issues.c.confidential,
)

issue_labels = Table(
    "issue_labels",
    metadata,
    Column("issue_id", Id, ForeignKey("issues.id", ondelete="CASCADE"), primary_key=True),
    Column("label_id", Id, ForeignKey("labels.id", ondelete="CASCADE"), primary_key=True, index=True),
)

issue_assignees = Table(
    "issue_assignees",
    metadata,
    Column("issue_id", Id, ForeignKey("issues.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
)

issue_state_events = Table(
    "issue_state_events",
    metadata,
    Column("id", Id, primary_key=True),
    Column("issue_id", Id, ForeignKey("issues.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("user_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("state", String(16), nullable=False),  # closed | reopened
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

issue_subscriptions = Table(
    "issue_subscriptions",
    metadata,
    Column("issue_id", Id, ForeignKey("issues.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("subscribed", Boolean, nullable=False),
)

issue_links = Table(
    "issue_links",
    metadata,
    Column("id", Id, primary_key=True),
    Column("source_id", Id, ForeignKey("issues.id", ondelete="CASCADE"), nullable=False),
    Column("target_id", Id, ForeignKey("issues.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("link_type", String(16), nullable=False, server_default="relates_to"),  # relates_to | blocks
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("source_id", "target_id"),
    sqlite_autoincrement=True,
)

# Which merge requests mention an issue, and which close it; updated when a request or its comments change.
issue_mentions = Table(
    "issue_mentions",
    metadata,
    Column("issue_id", Id, ForeignKey("issues.id", ondelete="CASCADE"), primary_key=True),
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("closes", Boolean, nullable=False),
)
