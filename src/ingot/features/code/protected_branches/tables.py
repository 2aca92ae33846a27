"""Protected branches and tags: a name or pattern, and who may still push, merge, unprotect or create."""

from sqlalchemy import Boolean, Column, ForeignKey, SmallInteger, String, Table, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata
from ingot.kit.settled_data import settled_table

protected_branches = Table(
    "protected_branches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(255), nullable=False),
    Column("allow_force_push", Boolean, nullable=False, server_default="0"),
    Column("code_owner_approval_required", Boolean, nullable=False, server_default="0"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "name"),
    sqlite_autoincrement=True,
)

# Exactly one of access_level, user_id and group_id is set.
protected_branch_access_levels = Table(
    "protected_branch_access_levels",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "protected_branch_id", Id, ForeignKey("protected_branches.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("kind", String(16), nullable=False),  # push | merge | unprotect
    Column("access_level", SmallInteger, nullable=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    sqlite_autoincrement=True,
)

# Rules of top-level groups, which hold in all projects below; they name roles only.
group_protected_branches = Table(
    "group_protected_branches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(255), nullable=False),
    Column("allow_force_push", Boolean, nullable=False, server_default="0"),
    Column("code_owner_approval_required", Boolean, nullable=False, server_default="0"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("group_id", "name"),
    sqlite_autoincrement=True,
)

group_protected_branch_access_levels = Table(
    "group_protected_branch_access_levels",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "protected_branch_id",
        Id,
        ForeignKey("group_protected_branches.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("kind", String(16), nullable=False),  # push | merge | unprotect
    Column("access_level", SmallInteger, nullable=False),
    sqlite_autoincrement=True,
)

protected_tags = Table(
    "protected_tags",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(255), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "name"),
    sqlite_autoincrement=True,
)

protected_tag_access_levels = Table(
    "protected_tag_access_levels",
    metadata,
    Column("id", Id, primary_key=True),
    Column("protected_tag_id", Id, ForeignKey("protected_tags.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("access_level", SmallInteger, nullable=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    sqlite_autoincrement=True,
)

for _table in (
    protected_branches,
    protected_branch_access_levels,
    group_protected_branches,
    group_protected_branch_access_levels,
    protected_tags,
    protected_tag_access_levels,
):
    settled_table(_table)
