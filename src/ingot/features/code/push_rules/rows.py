"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class PushRuleRow(Protocol):
    """A rule of a project or group; patterns are empty where there is none."""

    id: int
    deny_delete_tag: bool
    member_check: bool
    prevent_secrets: bool
    commit_committer_check: bool
    commit_committer_name_check: bool
    reject_unsigned_commits: bool
    reject_non_dco_commits: bool
    commit_message_regex: str
    commit_message_negative_regex: str
    branch_name_regex: str
    author_email_regex: str
    file_name_regex: str
    max_file_size: int
    created_at: datetime
    updated_at: datetime


class ProjectPushRuleRow(PushRuleRow, Protocol):
    """A row of `project_push_rules`."""

    project_id: int


class PusherRow(Protocol):
    """Who pushes: the account's name, and its address with the moment when it was confirmed."""

    name: str
    email_lower: str
    commit_email: str | None
    confirmed_at: datetime | None
