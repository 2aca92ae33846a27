"""Service accounts: of the instance for administrators, of a top-level group for its owners, with their tokens."""

from collections.abc import Mapping

from ingot.access.policy import OWN_GROUP
from ingot.web.call import PageCall
from ingot.web.fields import Input
from ingot.web.guards import ADMINISTRATION, InGroup
from ingot.web.pages import admin, group_settings
from ingot.web.registry import Pages
from ingot.web.sections import Collection, SettingsPage, Verb, declare
from ingot.web.shared_sections import SCOPES

group = Pages("group")
site = Pages("site")
ABOUT = "Accounts for automation. They cannot sign in, do not use a seat, and authenticate with tokens."
INPUTS = (Input("name"), Input("username"), Input("email"))
FACTS = (("Username", "username"), ("Email address", "email"))
ONE = "/groups/:id/service_accounts/:user_id"

OF_INSTANCE = Collection(
    "accounts", "Service accounts", "/service_accounts", one="id", name="name", add="New service account",
    about=f"{ABOUT} Delete an account on its page.", inputs=INPUTS, edits=INPUTS, edit_method="PATCH", remove="",
    facts=FACTS, empty="No service accounts.", href="admin/users/{}", href_by="username",
)  # fmt: skip
OF_GROUP = Collection(
    "accounts", "Service accounts", "/groups/:id/service_accounts", one="user_id", name="name", facts=FACTS,
    about=f"{ABOUT} They can be members of this group and its subgroups and projects.", add="New service account",
    inputs=INPUTS, edits=INPUTS, edit_method="PATCH", remove="Delete", empty="No service accounts.",
    href="service_accounts/{}",
)  # fmt: skip
TOKENS = Collection(
    "tokens", "Access tokens", f"{ONE}/personal_access_tokens", one="token_id", name="name", add="New token",
    facts=(("Scopes", "scopes"), ("Expires", "expires_at"), ("Last used", "last_used_at")), secret="token",
    inputs=(Input("name"), Input("description"), Input("scopes", options=SCOPES), Input("expires_at")),
    verbs=(Verb("rotate", "Rotate", "/:token_id/rotate", secret="token"),), remove="Revoke", empty="No tokens.",
    fixed={"state": "active"},
)  # fmt: skip


def _keys(call: PageCall) -> Mapping[str, object]:
    return {"user_id": call.path["number"]}


declare(
    site, SettingsPage("admin/service_accounts", "Service accounts", (OF_INSTANCE,)), admin.admin_view, ADMINISTRATION
)
GUARD = InGroup(OWN_GROUP, needs_user=True)
for _page in (
    SettingsPage("service_accounts", "Service accounts", (OF_GROUP,)),
    SettingsPage("service_accounts/{number:int}", "Tokens of a service account", (TOKENS,), keys=_keys),
):
    declare(group, _page, group_settings.settings_view, GUARD)
