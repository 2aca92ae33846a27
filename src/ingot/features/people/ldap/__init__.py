"""Signing in by an LDAP directory that the operator configured."""

from ingot.features.people.ldap.directory import PROVIDER, DirectoryUnavailable, TriedTooOften, authenticate

__all__ = ["PROVIDER", "DirectoryUnavailable", "TriedTooOften", "authenticate"]
