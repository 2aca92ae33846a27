"""GPG keys of users, by which signatures of commits and tags are verified."""

from ingot.features.people.gpg_keys.queries import find_signing_keys, users_of
from ingot.features.people.gpg_keys.rows import SigningKeyRow

__all__ = ["SigningKeyRow", "find_signing_keys", "users_of"]
