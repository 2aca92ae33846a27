"""GPG keys of users, by which signatures of commits and tags are verified."""

from ingot.features.people.gpg_keys.queries import find_signing_keys, users_of
from ingot.features.people.gpg_keys.rows import SigningKeyRow
from ingot.features.people.gpg_keys.verdicts import Verdict, keep_verdicts, kept_verdicts

__all__ = ["SigningKeyRow", "Verdict", "find_signing_keys", "keep_verdicts", "kept_verdicts", "users_of"]
