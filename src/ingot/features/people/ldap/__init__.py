"""Signing in by an LDAP directory that the operator configured."""

from ingot.features.people.ldap.directory import (
    PROVIDER,
    DirectoryUnavailable,
    TriedTooOften,
    authenticate,
    has_directory_password,
)

__all__ = ["PROVIDER", "DirectoryUnavailable", "TriedTooOften", "authenticate", "has_directory_password"]
