"""One person for administrators: state, rights, memberships, addresses and keys."""

from collections.abc import Mapping

from ingot.kit.errors import NotFound
from ingot.web.call import PageCall
from ingot.web.fields import Input
from ingot.web.guards import ADMINISTRATION
from ingot.web.kept_settings import kept_settings
from ingot.web.pages.admin import admin_view
from ingot.web.pages.impersonating import may_impersonate
from ingot.web.registry import Pages
from ingot.web.sections import Collection, Settings, SettingsPage, Verb, declare
from ingot.web.shared_sections import custom_attributes

pages = Pages("site")

PERSON = Settings(
    "person", "Account", "/users/:id",
    (
        Input("name"), Input("username", "Username"), Input("email", "Email address"),
        Input("skip_reconfirmation", "Skip confirmation of a new email address"),
        Input("password", kind="secret"), Input("avatar", "Avatar", shows="avatar_url"),
        Input("admin", "Administrator", shows="is_admin"),
        Input("external"), Input("can_create_group"), Input("projects_limit"), Input("note", kind="long"),
    ),
    facts=(("State", "state"), ("Administrator", "is_admin"), ("Two-factor", "two_factor_enabled"),
           ("Created", "created_at"), ("Confirmed", "confirmed_at"), ("Last sign-in", "last_sign_in_at"),
           ("Last activity", "last_activity_on"), ("Sign-ins", "sign_in_count")),
    verbs=(Verb("block", "Block", "/block", when=("state", "active")),
           Verb("unblock", "Unblock", "/unblock", when=("state", "blocked")),
           Verb("ban", "Ban", "/ban", when=("state", "active")),
           Verb("unban", "Unban", "/unban", when=("state", "banned")),
           Verb("deactivate", "Deactivate", "/deactivate", when=("state", "active")),
           Verb("activate", "Activate", "/activate", when=("state", "deactivated")),
           Verb("approve", "Approve", "/approve", when=("state", "blocked_pending_approval")),
           Verb("reject", "Reject", "/reject", when=("state", "blocked_pending_approval"), deletes=True),
           Verb("second_factor", "Turn off two-factor authentication", "/disable_two_factor", "PATCH",
                when=("two_factor_enabled", True)),
           Verb("impersonate", "Impersonate", "", when=("state", "active"), is_page=True)),
    remove="Delete user",
    allows=lambda call, record, verb: verb == "edit" or (
        record["id"] != call.actor.id and (verb != "impersonate" or may_impersonate(call, record))
    ),
)  # fmt: skip
PROFILE = Settings(
    "profile", "Profile", "/users/:id",
    (
        *(Input(name) for name in (
            "public_email", "commit_email", "pronouns", "job_title", "organization", "location", "website_url",
            "linkedin", "discord", "skype",
        )),
        Input("twitter", "X"),
        Input("bio", kind="long"),
        Input("private_profile", "Private profile: visible only to the user and administrators"),
    ),
)  # fmt: skip
MEMBERSHIPS = Collection(
    "memberships", "Memberships", "/users/:user_id/memberships", one="source_id", by="source_id", name="source_name",
    facts=(("Kind", "source_type"), ("Role", "access_level")), remove="", empty="No memberships.",
)  # fmt: skip
ADDRESSES = Collection(
    "emails", "Additional email addresses", "/users/:id/emails", one="email_id", name="email", add="Add address",
    facts=(("Confirmed", "confirmed_at"),), inputs=(Input("email", "Email address"), Input("skip_confirmation")),
    empty="No additional email addresses.",
)  # fmt: skip
KEYS = Collection(
    "keys", "SSH keys", "/users/:user_id/keys", one="key_id", name="title", records="/users/:id/keys",
    facts=(("Created", "created_at"), ("Expires", "expires_at"), ("For", "usage_type")), empty="No SSH keys.",
    add="Add SSH key", add_address="/users/:id/keys",
    inputs=(Input("title"), Input("key", "Public key", kind="long"),
            Input("usage_type", "For", start="auth_and_signing"), Input("expires_at")),
)  # fmt: skip
GPG_KEYS = Collection(
    "gpg_keys", "GPG keys", "/users/:id/gpg_keys", one="key_id", name="id", add="Add GPG key",
    facts=(("Created", "created_at"),), bodies=(("Key", "key"),), inputs=(Input("key", "Public key", kind="long"),),
    verbs=(Verb("revoke", "Revoke", "/:key_id/revoke"),), empty="No GPG keys.",
)  # fmt: skip
IDENTITIES = Collection(
    "identities", "Sign-in services", "/users/:id", one="provider", by="provider", name="provider",
    listed="identities", records="/users/:id/identities", add="Link identity", add_address="/users/:id",
    add_method="PUT", about="Identities that this user can sign in with.", facts=(("Identifier", "extern_uid"),),
    inputs=(Input("provider", "Service"), Input("extern_uid", "Identifier")), remove="Unlink", empty="None.",
)  # fmt: skip
ATTRIBUTES = custom_attributes("/users/:id")
KEPT = kept_settings("/users/:id")
TOKENS = Collection(
    "tokens", "Access tokens", "/personal_access_tokens", one="token_id", name="name", asks=("user_id",),
    about="Personal access tokens of this user. Tokens you create here are shown once, so pass them on to the user.",
    add="New token", add_address="/users/:user_id/personal_access_tokens", fixed={"state": "active"}, secret="token",
    remove="Revoke", facts=(("Scopes", "scopes"), ("Expires", "expires_at"), ("Last used", "last_used_at")),
    inputs=(Input("name"), Input("scopes"), Input("description"), Input("expires_at")), empty="No tokens.",
    verbs=(Verb("rotate", "Rotate", "/:token_id/rotate", secret="token"),),
)  # fmt: skip
IMPERSONATION = Collection(
    "impersonation", "Impersonation tokens", "/users/:user_id/impersonation_tokens", one="impersonation_token_id",
    name="name", about="Tokens that act as this user in the API. The user cannot see them.", add="New token",
    facts=(("Scopes", "scopes"), ("Expires", "expires_at"), ("Last used", "last_used_at")), secret="token",
    inputs=(Input("name"), Input("scopes", options=(("api", "Full API access"), ("read_user", "Read users"))),
            Input("description"), Input("expires_at")),
    fixed={"state": "active"}, remove="Revoke", empty="No tokens.",
)  # fmt: skip


def _keys(call: PageCall) -> Mapping[str, object]:
    users = call.ask("/users", username=call.path["name"])
    if not users:
        raise NotFound("User")
    return {"id": users[0]["id"], "user_id": users[0]["id"]}


declare(
    pages,
    SettingsPage(
        "admin/users/{name}",
        "User",
        (
            PERSON,
            PROFILE,
            MEMBERSHIPS,
            ADDRESSES,
            KEYS,
            GPG_KEYS,
            IDENTITIES,
            TOKENS,
            IMPERSONATION,
            ATTRIBUTES,
            KEPT,
        ),
        keys=_keys,
        above="admin/users",
        named_by={"name": "username"},
        titled_by="name",
    ),
    admin_view,
    ADMINISTRATION,
)
