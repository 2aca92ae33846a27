"""Protected environments of projects and groups, who is named in their rules, and approvals of deployments."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, SmallInteger, String, Table, Text, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata

# Of a project, `name` is that of an environment; of a group, a tier of the environments below it.
protected_environments = Table(
    "protected_environments",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    Column("name", String(255), nullable=False),
    Column("required_approval_count", Integer, nullable=False, server_default="0"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    CheckConstraint("(group_id IS NULL) <> (project_id IS NULL)", name="one_place"),
    UniqueConstraint("project_id", "name"),
    UniqueConstraint("group_id", "name"),
    sqlite_autoincrement=True,
)

# Exactly one of access_level, user_id and group_id is set.
protected_environment_entries = Table(
    "protected_environment_entries",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "protected_environment_id",
        Id,
        ForeignKey("protected_environments.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("kind", String(16), nullable=False),  # deploy | approval
    Column("access_level", SmallInteger, nullable=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    Column("group_inheritance_type", SmallInteger, nullable=False, server_default="0"),  # 1: its inherited members too
    Column("required_approvals", Integer, nullable=False, server_default="1"),
    sqlite_autoincrement=True,
)

deployment_approvals = Table(
    "deployment_approvals",
    metadata,
    Column("id", Id, primary_key=True),
    Column("deployment_id", Id, ForeignKey("deployments.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Id, ForeignKey("users.id", ondelete="SET NULL"), nullable=True),
    # The rule that it counts for; none where only their number is asked.
    Column("entry_id", Id, ForeignKey("protected_environment_entries.id", ondelete="SET NULL"), nullable=True),
    Column("status", String(16), nullable=False),  # approved | rejected
    Column("comment", Text, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("deployment_id", "user_id"),
    sqlite_autoincrement=True,
)
