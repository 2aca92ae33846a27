"""Who approved what, and who has to."""

from sqlalchemy import Boolean, Column, ForeignKey, Integer, String, Table, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata
from ingot.kit.settled_data import settled_table

ANY_APPROVER = "any_approver"
CODE_OWNER = "code_owner"

approvals = Table(
    "approvals",
    metadata,
    Column("id", Id, primary_key=True),
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("patch_id_sha", String(64), nullable=True),  # what was approved; a pure rebase keeps it
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("merge_request_id", "user_id"),
    sqlite_autoincrement=True,
)

approval_project_rules = Table(
    "approval_project_rules",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(1024), nullable=False),
    Column("approvals_required", Integer, nullable=False, server_default="0"),
    Column("rule_type", String(32), nullable=False, server_default="regular"),
    Column("report_type", String(32), nullable=True),
    Column("applies_to_all_protected_branches", Boolean, nullable=False, server_default="0"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)


def _rule_users(name: str, rules: str) -> Table:
    return Table(
        name,
        metadata,
        Column("rule_id", Id, ForeignKey(f"{rules}.id", ondelete="CASCADE"), primary_key=True),
        Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
    )


def _rule_groups(name: str, rules: str) -> Table:
    return Table(
        name,
        metadata,
        Column("rule_id", Id, ForeignKey(f"{rules}.id", ondelete="CASCADE"), primary_key=True),
        Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), primary_key=True, index=True),
    )


approval_project_rule_users = _rule_users("approval_project_rule_users", "approval_project_rules")
approval_project_rule_groups = _rule_groups("approval_project_rule_groups", "approval_project_rules")

approval_merge_request_rules = Table(
    "approval_merge_request_rules",
    metadata,
    Column("id", Id, primary_key=True),
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("source_rule_id", Id, ForeignKey("approval_project_rules.id", ondelete="SET NULL"), nullable=True),
    Column("name", String(1024), nullable=False),
    Column("approvals_required", Integer, nullable=False, server_default="0"),
    Column("rule_type", String(32), nullable=False, server_default="regular"),
    Column("report_type", String(32), nullable=True),
    Column("section", String(255), nullable=True),
    # Changed on the request itself: changes of the project's rule no longer reach it.
    Column("is_modified", Boolean, nullable=False, server_default="0"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
approval_merge_request_rule_users = _rule_users("approval_merge_request_rule_users", "approval_merge_request_rules")
approval_merge_request_rule_groups = _rule_groups("approval_merge_request_rule_groups", "approval_merge_request_rules")

# Branches that a project's rule is limited to; none means all.
approval_project_rule_branches = Table(
    "approval_project_rule_branches",
    metadata,
    Column("rule_id", Id, ForeignKey("approval_project_rules.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "protected_branch_id",
        Id,
        ForeignKey("protected_branches.id", ondelete="CASCADE"),
        primary_key=True,
        index=True,
    ),
)

# Users with commits in a request, as of its last push; whether they may approve is a setting.
merge_request_committers = Table(
    "merge_request_committers",
    metadata,
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
)

for _table in (approval_project_rules, approval_project_rule_users, approval_project_rule_branches):
    settled_table(_table)
