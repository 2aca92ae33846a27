"""Users of the instance: profile, states, creation and removal."""

from ingot.features.people.users.account_mails import NEW_SIGN_IN, queue_account_mail
from ingot.features.people.users.activity import note_activity
from ingot.features.people.users.arrivals import when_address_is_confirmed
from ingot.features.people.users.commands import create_user, edit_user
from ingot.features.people.users.departure import delete_user, sole_groups
from ingot.features.people.users.entities import (
    BASIC_COLUMNS,
    Key,
    ScimIdentity,
    UserBasic,
    avatar_url,
    basic_fields,
    present_basic,
    user_basic,
    users_by_id,
)
from ingot.features.people.users.failed_sign_ins import count_failed_sign_in
from ingot.features.people.users.identities import GROUP_SAML, group_provider_source, set_identity
from ingot.features.people.users.key_queries import find_keys_for_signing, register_machine_keys
from ingot.features.people.users.key_routes import show_key
from ingot.features.people.users.own_profile import (
    edit_own_profile,
    own_addresses,
    remove_oneself,
    rename_oneself,
    signing_addresses,
    why_not_removed,
)
from ingot.features.people.users.queries import HIDDEN_STATES, find_user_by_email, get_user
from ingot.features.people.users.rows import UserKeyRow
from ingot.features.people.users.ssh_keys import fingerprint as key_fingerprint
from ingot.features.people.users.ssh_keys import is_use_noted, keys_elsewhere, login_key, note_use
from ingot.features.people.users.tables import emails as user_emails
from ingot.features.people.users.tables import keys as user_keys
from ingot.features.people.users.validation import problems_of

__all__ = [
    "BASIC_COLUMNS", "GROUP_SAML", "HIDDEN_STATES", "NEW_SIGN_IN", "Key", "ScimIdentity", "UserBasic", "UserKeyRow",
    "avatar_url", "basic_fields",
    "count_failed_sign_in", "create_user", "delete_user", "edit_own_profile", "edit_user", "find_keys_for_signing",
    "find_user_by_email", "get_user", "group_provider_source", "is_use_noted", "key_fingerprint", "keys_elsewhere",
    "login_key", "note_activity", "note_use", "own_addresses", "present_basic", "problems_of", "queue_account_mail",
    "register_machine_keys", "remove_oneself", "rename_oneself", "set_identity", "show_key", "signing_addresses",
    "sole_groups", "user_basic", "user_emails", "user_keys", "users_by_id", "when_address_is_confirmed",
    "why_not_removed",
]  # fmt: skip
