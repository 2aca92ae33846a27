"""What was added to and removed from issues and merge requests."""

from sqlalchemy import Column, ForeignKey, Integer, String, Table

from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, UtcDateTime, metadata

resource_label_events = Table(
    "resource_label_events",
    metadata,
    Column("id", Id, primary_key=True),
    Column("issue_id", Id, ForeignKey("issues.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("user_id", Id, nullable=True, info=GOES_TO_GHOST),
    # Events stay when their label is deleted.
    Column("label_id", Id, ForeignKey("labels.id", ondelete="SET NULL"), nullable=True, index=True),
    Column("action", String(16), nullable=False),  # add | remove
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

resource_milestone_events = Table(
    "resource_milestone_events",
    metadata,
    Column("id", Id, primary_key=True),
    Column("issue_id", Id, ForeignKey("issues.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("user_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("milestone_id", Id, ForeignKey("milestones.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("action", String(16), nullable=False),  # add | remove
    Column("state", String(16), nullable=False),  # of the issuable at that time
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)

resource_weight_events = Table(
    "resource_weight_events",
    metadata,
    Column("id", Id, primary_key=True),
    Column("issue_id", Id, ForeignKey("issues.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("user_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("weight", Integer, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
