"""Push rules on the wire."""

from datetime import datetime
from typing import Any

from ingot.features.code.push_rules.rows import ProjectPushRuleRow, PushRuleRow
from ingot.features.code.push_rules.tables import FIELDS
from ingot.kit.entity import Entity, wire


class GroupPushRule(Entity):
    """What new projects of a group begin with."""

    id: int
    created_at: datetime
    commit_message_regex: str
    commit_message_negative_regex: str
    branch_name_regex: str
    author_email_regex: str
    file_name_regex: str
    deny_delete_tag: bool
    member_check: bool
    prevent_secrets: bool
    commit_committer_check: bool
    commit_committer_name_check: bool
    reject_unsigned_commits: bool
    reject_non_dco_commits: bool
    max_file_size: int


class ProjectPushRule(GroupPushRule):
    """What pushes to a project must obey."""

    project_id: int


def present_group_rule(row: PushRuleRow) -> GroupPushRule:
    """The rule of a group."""
    return GroupPushRule(id=row.id, created_at=wire(row.created_at), **_values(row))


def present_project_rule(row: ProjectPushRuleRow) -> ProjectPushRule:
    """The rule of a project."""
    values = _values(row)
    return ProjectPushRule(id=row.id, project_id=row.project_id, created_at=wire(row.created_at), **values)


def _values(row: PushRuleRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in FIELDS}
