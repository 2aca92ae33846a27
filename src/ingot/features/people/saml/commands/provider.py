"""Configuring and removing a group's identity provider."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, delete, insert, update
from sqlalchemy.exc import IntegrityError

from ingot.access.levels import GUEST
from ingot.features.people.saml.params import ProviderSettings
from ingot.features.people.saml.queries import find_provider
from ingot.features.people.saml.rows import SamlProviderRow
from ingot.features.people.saml.sso import (
    BadCertificate,
    certificate_fingerprint,
    normal_certificate,
    normal_fingerprint,
)
from ingot.features.people.saml.tables import saml_providers
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.errors import Invalid, NotFound

_FRESH: dict[str, Any] = {
    "enabled": True,
    "sso_url": "",
    "certificate": None,
    "certificate_fingerprint": None,
    "idp_entity_id": None,
    "default_membership_role": GUEST,
    "enforced_sso": False,
}


def configure_provider(tx: Connection, group_id: int, options: ProviderSettings, base_url: str) -> SamlProviderRow:
    """Create or change the provider; parameters that were not sent stay.

    `base_url`: the server's address for the owner.
    """
    take_turn(tx, f"SAML provider:{group_id}")
    before = find_provider(tx, group_id)
    values = {name: getattr(before, name) for name in _FRESH} if before is not None else dict(_FRESH)
    values.update(
        {name: value for name, value in options.given().items() if value is not None or name not in _NOT_NULL}
    )
    _check(values, options)
    return _store(tx, group_id, {**values, "base_url": base_url}, exists=before is not None)


_NOT_NULL = ("enabled", "sso_url", "default_membership_role", "enforced_sso")


def ensure_provider(tx: Connection, group_id: int) -> SamlProviderRow:
    """The provider; created disabled and empty if missing, so that identities can be entered before."""
    provider = find_provider(tx, group_id)
    return (
        provider
        if provider is not None
        else _store(tx, group_id, {**_FRESH, "enabled": False, "base_url": ""}, exists=False)
    )


def remove_provider(tx: Connection, group_id: int) -> None:
    """Remove the provider with its identities; people and memberships stay."""
    if not tx.execute(delete(saml_providers).where(saml_providers.c.group_id == group_id)).rowcount:
        raise NotFound("SAML Provider")


# Any: the columns of the provider differ in type.
def _check(values: dict[str, Any], options: ProviderSettings) -> None:
    problems: dict[str, list[str]] = {}
    values["sso_url"] = (values["sso_url"] or "").strip()
    values["idp_entity_id"] = (values["idp_entity_id"] or "").strip() or None
    if not _is_web_address(values["sso_url"]):
        problems["sso_url"] = ["must be a http or https URL"]
    for name, normal in (("certificate", normal_certificate), ("certificate_fingerprint", normal_fingerprint)):
        try:
            values[name] = normal(values[name]) if values[name] else None
        except BadCertificate as error:
            problems[name] = [str(error)]
    if problems:
        raise Invalid(problems)
    _set_trust(values, options)


# Any: as above.
def _set_trust(values: dict[str, Any], options: ProviderSettings) -> None:
    """Either a certificate or a fingerprint: a new one of either kind replaces the other."""
    certificate, fingerprint = values["certificate"], values["certificate_fingerprint"]
    if certificate is not None and fingerprint is not None:
        agree = certificate_fingerprint(certificate, like=fingerprint) == fingerprint
        if not agree and "certificate" in options.sent and "certificate_fingerprint" in options.sent:
            raise Invalid({"certificate_fingerprint": ["does not belong to the certificate"]})
        if not agree and "certificate" in options.sent:
            values["certificate_fingerprint"] = None
        elif not agree:
            values["certificate"] = None
    if values["certificate"] is None and values["certificate_fingerprint"] is None:
        raise Invalid({"certificate_fingerprint": ["can't be blank"]})
    if values["certificate"] is not None and values["certificate_fingerprint"] is None:
        values["certificate_fingerprint"] = certificate_fingerprint(values["certificate"])


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and text.isascii() and " " not in text
    except ValueError:
        return False


def _store(tx: Connection, group_id: int, values: Mapping[str, object], *, exists: bool) -> SamlProviderRow:
    moment = now()
    if not exists:
        fresh = insert(saml_providers).values(group_id=group_id, created_at=moment, updated_at=moment, **values)
        try:
            with tx.begin_nested():
                return tx.execute(fresh.returning(*saml_providers.c)).one()
        except IntegrityError:
            pass  # created concurrently: update it
    change = update(saml_providers).where(saml_providers.c.group_id == group_id).values(**values, updated_at=moment)
    return tx.execute(change.returning(*saml_providers.c)).one()
