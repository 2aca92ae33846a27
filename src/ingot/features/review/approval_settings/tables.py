"""Approval settings of groups and projects; a row is created with the first change."""

from sqlalchemy import Boolean, Column, ForeignKey, Table

from ingot.kit.db import Id, UtcDateTime, metadata
from ingot.kit.settled_data import settled_table

NAMES = (
    "allow_author_approval",
    "allow_committer_approval",
    "allow_overrides_to_approver_list_per_merge_request",
    "retain_approvals_on_push",
    "selective_code_owner_removals",
    "require_reauthentication_to_approve",
)


def _settings(name: str, owner: str, owners: str) -> Table:
    return Table(
        name,
        metadata,
        Column(owner, Id, ForeignKey(f"{owners}.id", ondelete="CASCADE"), primary_key=True),
        *(Column(setting, Boolean, nullable=False) for setting in NAMES),
        Column("updated_at", UtcDateTime, nullable=False),
    )


group_approval_settings = _settings("group_approval_settings", "group_id", "namespaces")
project_approval_settings = _settings("project_approval_settings", "project_id", "projects")

for _table in (group_approval_settings, project_approval_settings):
    settled_table(_table)
