"""Who comes into a group and as what: custom roles, SAML, SCIM and the group's runners."""

from collections.abc import Mapping, Sequence
from typing import Any

from ingot.features.people.saml import service_provider_at
from ingot.web.call import PageCall, View
from ingot.web.fields import Input
from ingot.web.pages.group_settings import GROUP, GUARD, RUNNERS, settings_view
from ingot.web.registry import Pages
from ingot.web.sections import Collection, Settings, SettingsPage, Verb, declare

pages = Pages("group")
PERMISSIONS = {
    "admin_cicd_variables": "Manage CI/CD variables", "admin_compliance_framework": "Manage compliance frameworks",
    "admin_group_member": "Manage group members", "admin_merge_request": "Approve merge requests",
    "admin_push_rules": "Manage push rules", "admin_terraform_state": "Manage Terraform state",
    "admin_vulnerability": "Manage vulnerabilities", "admin_web_hook": "Manage webhooks",
    "archive_project": "Archive projects", "manage_deploy_tokens": "Manage deploy tokens",
    "manage_group_access_tokens": "Manage group access tokens",
    "manage_merge_request_settings": "Manage merge request settings",
    "manage_project_access_tokens": "Manage project access tokens",
    "manage_security_policy_link": "Link security policy projects", "read_code": "Read code",
    "read_runners": "View runners", "read_dependency": "View dependencies",
    "read_vulnerability": "View vulnerabilities",
    "remove_group": "Delete groups", "remove_project": "Delete projects",
}  # fmt: skip


# Any: records of the API.
def _with_permissions(_: PageCall, rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [
        {**row, "permissions": [words[0].lower() + words[1:] for name, words in PERMISSIONS.items() if row[name]]}
        for row in rows
    ]


ROLES = Collection(
    "roles", "Custom roles", f"{GROUP}/member_roles", one="member_role_id", name="name", add="New role",
    about="A custom role is a base role with extra permissions. Assign it on the Members page.",
    facts=(("Base role", "base_access_level"), ("Description", "description"), ("Extra permissions", "permissions")),
    inputs=(Input("name"), Input("description"), Input("base_access_level", "Base role", start=10, hint=""),
            *(Input(name, words) for name, words in PERMISSIONS.items())),
    remove="Delete", empty="No custom roles.", adds=_with_permissions,
)  # fmt: skip
PROVIDER = Settings(
    "provider", "SAML sign-in", f"{GROUP}/saml_provider",
    (
        Input("enabled", start=True), Input("sso_url", "Identity provider single sign-on URL"),
        Input("certificate", kind="long"), Input("certificate_fingerprint"),
        Input("idp_entity_id", "Issuer of the identity provider"),
        Input("default_membership_role", "Default role at first sign-in", start=10),
        Input("enforced_sso", "Require SAML sign-in for new members"),
    ),
    about="Group members sign in with your identity provider. Enter the URLs below in its settings.",
    facts=(("Entity ID of this group", "issuer"), ("Assertion consumer", "assertion_consumer_service_url"),
           ("Metadata", "metadata_url"), ("Sign-in page", "sign_in_url")),
    is_optional=True, creates="PUT", remove="Remove provider", empty="No identity provider yet.",
    is_sensitive=True,
)  # fmt: skip
IDENTITIES = Collection(
    "identities", "Users", f"{GROUP}/saml/identities", one="uid", by="extern_uid", name="extern_uid",
    records=f"{GROUP}/saml", facts=(("User", "user_id"),), edits=(Input("extern_uid", "External ID"),),
    edit_method="PATCH", remove="Unlink", empty="Nobody has signed in with SAML yet.", is_sensitive=True,
)  # fmt: skip
LINKS = Collection(
    "links", "SAML group links", f"{GROUP}/saml_group_links", one="saml_group_name", by="name", name="name",
    about="Map identity provider groups to roles in this group.", add="Add link",
    facts=(("Role", "access_level"), ("Provider", "provider")),
    inputs=(Input("saml_group_name", "Identity provider group"),
            Input("access_level", "Role", start=30, options=(
                ("5", "Minimal"), ("10", "Guest"), ("15", "Planner"), ("20", "Reporter"), ("30", "Developer"),
                ("40", "Maintainer"), ("50", "Owner")), hint=""),
            Input("member_role_id", "Custom role ID", hint="Replaces the role above."),
            Input("provider")),
    empty="No links.",
)  # fmt: skip
TOKEN = Settings(
    "token", "SCIM", f"{GROUP}/scim_token",
    about="Your identity provider uses this URL and token to add and remove users of this group automatically."
          " Set up SAML first.",
    facts=(("URL", "scim_api_url"), ("Token created", "created_at")), is_optional=True,
    verbs=(Verb("make", "Create token", "", secret="token"),), remove="Revoke token", empty="No token yet.",
)  # fmt: skip
MANAGED = Collection(
    "managed", "Provisioned users", f"{GROUP}/scim/identities", one="uid", by="extern_uid", name="extern_uid",
    records=f"{GROUP}/scim", facts=(("User", "user_id"), ("Active", "active")), edit_method="PATCH",
    edits=(Input("extern_uid", "External ID"),), remove="Remove", empty="No provisioned users yet.", is_sensitive=True,
)  # fmt: skip


def provider_view(call: PageCall, template: str, tab: str, status: int = 200, /, **data: object) -> View:
    """The page of the identity provider; before there is one, with the addresses that it has to know first."""
    if call.group.parent_id is None and call.ask_or_none(PROVIDER.address) is None:
        here = service_provider_at(call.base_url, call.group.full_path)
        data["known"] = {"Entity ID of this group": here.entity_id, "Assertion consumer": here.consumer_url}
    return settings_view(call, template, tab, status, **data)


SAML_PAGE = SettingsPage("saml", "SAML", (PROVIDER, IDENTITIES))
PAGES = (
    SettingsPage("roles", "Roles", (ROLES,)),
    SettingsPage("saml_group_links", "SAML groups", (LINKS,)),
    SettingsPage("scim", "SCIM", (TOKEN, MANAGED)),
    SettingsPage("runners", "Runners", (RUNNERS,)),
)
for _page in PAGES:
    declare(pages, _page, settings_view, GUARD)
declare(pages, SAML_PAGE, provider_view, GUARD)
