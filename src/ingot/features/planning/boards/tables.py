"""Boards and their lists. The lists of open and closed issues are not stored: every board has them."""

from sqlalchemy import Boolean, CheckConstraint, Column, ForeignKey, Integer, String, Table, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata

boards = Table(
    "boards",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("name", String(255), nullable=False),
    Column("hide_backlog_list", Boolean, nullable=False, server_default="0"),
    Column("hide_closed_list", Boolean, nullable=False, server_default="0"),
    # Which issues the board shows; None shows all.
    Column("assignee_id", Id, ForeignKey("users.id", ondelete="SET NULL"), nullable=True, index=True),
    Column("milestone_id", Id, ForeignKey("milestones.id", ondelete="SET NULL"), nullable=True, index=True),
    Column("weight", Integer, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    CheckConstraint("(group_id IS NULL) <> (project_id IS NULL)", name="one_owner"),
    sqlite_autoincrement=True,
)

board_labels = Table(
    "board_labels",
    metadata,
    Column("board_id", Id, ForeignKey("boards.id", ondelete="CASCADE"), primary_key=True),
    Column("label_id", Id, ForeignKey("labels.id", ondelete="CASCADE"), primary_key=True, index=True),
)

# A list has the issues of one label, of one assignee or of one milestone.
board_lists = Table(
    "board_lists",
    metadata,
    Column("id", Id, primary_key=True),
    Column("board_id", Id, ForeignKey("boards.id", ondelete="CASCADE"), nullable=False),
    Column("label_id", Id, ForeignKey("labels.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("assignee_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("milestone_id", Id, ForeignKey("milestones.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("position", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("board_id", "label_id"),
    UniqueConstraint("board_id", "assignee_id"),
    UniqueConstraint("board_id", "milestone_id"),
    sqlite_autoincrement=True,
)
