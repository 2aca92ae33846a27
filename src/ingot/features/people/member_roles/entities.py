"""Custom roles on the wire."""

from ingot.features.people.member_roles.params import PERMISSIONS
from ingot.features.people.member_roles.rows import MemberRoleRow
from ingot.kit.entity import Entity


class MemberRole(Entity):
    """A custom role with a switch per permission."""

    id: int
    name: str
    description: str | None
    group_id: int | None
    base_access_level: int
    admin_cicd_variables: bool
    admin_compliance_framework: bool
    admin_group_member: bool
    admin_merge_request: bool
    admin_push_rules: bool
    admin_terraform_state: bool
    admin_vulnerability: bool
    admin_web_hook: bool
    archive_project: bool
    manage_deploy_tokens: bool
    manage_group_access_tokens: bool
    manage_merge_request_settings: bool
    manage_project_access_tokens: bool
    manage_security_policy_link: bool
    read_code: bool
    read_runners: bool
    read_dependency: bool
    read_vulnerability: bool
    remove_group: bool
    remove_project: bool


def present(row: MemberRoleRow) -> MemberRole:
    """From a row of `member_roles`."""
    return MemberRole(
        id=row.id,
        name=row.name,
        description=row.description,
        group_id=row.group_id,
        base_access_level=row.base_access_level,
        **{name: name in row.permissions for name in PERMISSIONS},
    )
