"""Signatures of commits and tags on the wire."""

from ingot.features.people.users import Key
from ingot.kit.entity import Entity


class SignatureFields(Entity):
    """What all kinds of signatures have."""

    signature_type: str
    verification_status: str


class PgpSignature(SignatureFields):
    """A signature by a GPG key; the key's fields are null unless a user has it."""

    gpg_key_id: int | None
    gpg_key_primary_keyid: str | None
    gpg_key_user_name: str | None
    gpg_key_user_email: str | None
    gpg_key_subkey_id: int | None
    commit_source: str


class SshSignature(SignatureFields):
    """A signature by an SSH key; null unless a user has it for signing."""

    key: Key | None
    commit_source: str


class X509Issuer(Entity):
    """Who issued a certificate. Certificates are not stored, so the id is null."""

    id: int | None
    subject: str
    subject_key_identifier: str | None
    crl_url: str | None


class X509Certificate(Entity):
    """The certificate in a signature. Certificates are not stored, so the id is null."""

    id: int | None
    subject: str
    subject_key_identifier: str | None
    email: str | None
    serial_number: int
    certificate_status: str
    x509_issuer: X509Issuer


class X509Signature(SignatureFields):
    """A signature by an X.509 certificate, which is never verified here."""

    x509_certificate: X509Certificate | None
    commit_source: str
