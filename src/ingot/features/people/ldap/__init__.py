"""Signing in by an LDAP directory that the operator configured."""

from ingot.features.people.ldap.directory import PROVIDER, DirectoryUnavailable, authenticate

__all__ = ["PROVIDER", "DirectoryUnavailable", "authenticate"]
