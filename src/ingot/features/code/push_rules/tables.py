"""The push rules of projects and of groups: at most one each."""

from typing import Any

from sqlalchemy import Boolean, Column, ForeignKey, Integer, String, Table

from ingot.kit.db import Id, UtcDateTime, metadata

LONGEST_PATTERN = 511
SWITCHES = (
    "deny_delete_tag", "member_check", "prevent_secrets", "commit_committer_check", "commit_committer_name_check",
    "reject_unsigned_commits", "reject_non_dco_commits",
)  # fmt: skip
PATTERNS = (
    "commit_message_regex", "commit_message_negative_regex", "branch_name_regex", "author_email_regex",
    "file_name_regex",
)  # fmt: skip
FIELDS = (*SWITCHES, *PATTERNS, "max_file_size")


def _columns(owner: str, target: str) -> list[Column[Any]]:
    return [
        Column("id", Id, primary_key=True),
        Column(owner, Id, ForeignKey(target, ondelete="CASCADE"), nullable=False, unique=True),
        *(Column(name, Boolean, nullable=False, server_default="0") for name in SWITCHES),
        *(Column(name, String(LONGEST_PATTERN), nullable=False, server_default="") for name in PATTERNS),
        Column("max_file_size", Integer, nullable=False, server_default="0"),  # megabytes; 0 is any size
        Column("created_at", UtcDateTime, nullable=False),
        Column("updated_at", UtcDateTime, nullable=False),
    ]


project_push_rules = Table(
    "project_push_rules", metadata, *_columns("project_id", "projects.id"), sqlite_autoincrement=True
)
# Nobody pushes to a group: new projects in it copy its rule.
group_push_rules = Table(
    "group_push_rules", metadata, *_columns("group_id", "namespaces.id"), sqlite_autoincrement=True
)
