"""Parameters of a new custom role."""

from ingot.access.levels import DEVELOPER, GUEST, MAINTAINER, MINIMAL, PLANNER, REPORTER
from ingot.kit.params import Param, Params


class NewRole(Params):
    """A custom role; each permission is a switch of its own."""

    name: str | None = Param("Name of the role; default: the base role's name and `custom`.", max_length=255)
    description: str | None = Param("Description of the role.")
    base_access_level: int = Param(
        "Base role: 5, 10, 15, 20, 30 or 40.",
        required=True,
        one_of=(MINIMAL, GUEST, PLANNER, REPORTER, DEVELOPER, MAINTAINER),
    )
    admin_cicd_variables: bool | None = Param("Manage CI/CD variables.")
    admin_compliance_framework: bool | None = Param("Manage compliance frameworks.")
    admin_group_member: bool | None = Param("Manage group members.")
    admin_merge_request: bool | None = Param("Approve merge requests.")
    admin_push_rules: bool | None = Param("Manage push rules.")
    admin_terraform_state: bool | None = Param("Manage Terraform state.")
    admin_vulnerability: bool | None = Param("Manage vulnerabilities.")
    admin_web_hook: bool | None = Param("Manage webhooks.")
    archive_project: bool | None = Param("Archive projects.")
    manage_deploy_tokens: bool | None = Param("Manage deploy tokens.")
    manage_group_access_tokens: bool | None = Param("Manage group access tokens.")
    manage_merge_request_settings: bool | None = Param("Manage merge request settings.")
    manage_project_access_tokens: bool | None = Param("Manage project access tokens.")
    manage_security_policy_link: bool | None = Param("Link security policy projects.")
    read_code: bool | None = Param("Read code.")
    read_runners: bool | None = Param("See runners.")
    read_dependency: bool | None = Param("See dependencies.")
    read_vulnerability: bool | None = Param("See vulnerabilities.")
    remove_group: bool | None = Param("Delete the group.")
    remove_project: bool | None = Param("Delete projects.")

    def permissions(self) -> list[str]:
        """The permissions that are switched on."""
        return [name for name in PERMISSIONS if getattr(self, name)]


PERMISSIONS = tuple(name for name, field in NewRole.fields.items() if field.kind == "boolean")
