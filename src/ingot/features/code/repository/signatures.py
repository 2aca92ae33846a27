"""Whether the signature of a commit or tag is that of the person whose address it carries."""

import base64
import binascii

from ingot.access.call import Call
from ingot.features.code.repository.signature_entities import (
    PgpSignature,
    SignatureFields,
    SshSignature,
    X509Signature,
)
from ingot.features.people.gpg_keys import SigningKeyRow, find_signing_keys, users_of
from ingot.features.people.users import find_key_for_signing, get_user, own_addresses, show_key
from ingot.gitstore.signed_objects import SignedObject
from ingot.instance import application_setting
from ingot.kit.openpgp import Issuer, is_signed_by, issuers
from ingot.kit.ssh_signatures import BEGINNING as SSH_BEGINNING
from ingot.kit.ssh_signatures import is_signed_for_git, read_ssh_signature

X509_BEGINNING, X509_END = b"-----BEGIN SIGNED MESSAGE-----", b"-----END SIGNED MESSAGE-----"


def judge(call: Call, signed: SignedObject, address: str) -> SignatureFields:
    """The signature with its status; `address` is that of the committer or tagger."""
    if signed.signature.lstrip().startswith(SSH_BEGINNING):
        return _ssh(call, signed, address.lower())
    if signed.signature.lstrip().startswith(X509_BEGINNING):
        return _x509(signed)
    return _pgp(call, signed, address.lower())


def _pgp(call: Call, signed: SignedObject, address: str) -> PgpSignature:
    makers = issuers(signed.signature)
    if len(makers) > 1 or signed.count > 1:
        return _of_unknown_key("multiple_signatures", makers)
    rows = find_signing_keys(call.conn, makers[0]) if makers else []
    if not rows:
        return _of_unknown_key("unknown_key" if makers else "unverified", makers)
    # Anybody can hang somebody else's key below their own as a subkey; such a block verifies nothing.
    maker = next((row for row in rows if is_signed_by(row.key, signed.signature, signed.payload)), None)
    row = maker or rows[0]
    if row.revoked_at is not None:
        return _of_unknown_key("unverified" if maker is None else "revoked_key", makers)
    confirmed = _confirmed_addresses(call, row.user_id)
    status = "unverified" if maker is None else _status_of_key(row, confirmed, address)
    return _of_key(status, row, confirmed, address)


def _status_of_key(row: SigningKeyRow, confirmed: set[str], address: str) -> str:
    proven = {email.lower() for _, email in users_of(row)} & confirmed
    if not proven:
        return "unverified_key"
    if address in proven:
        return "verified"
    return "same_user_different_email" if address in confirmed else "other_user"


def _of_key(status: str, row: SigningKeyRow, confirmed: set[str], address: str) -> PgpSignature:
    """With the name of the key that fits best: that of the commit, else a proven one."""
    names = sorted(users_of(row), key=lambda pair: (pair[1].lower() != address, pair[1].lower() not in confirmed))
    name, email = names[0] if names else (None, None)
    return PgpSignature(
        signature_type="PGP",
        verification_status=status,
        gpg_key_id=row.id,
        gpg_key_primary_keyid=row.primary_keyid,
        gpg_key_user_name=name,
        gpg_key_user_email=email,
        gpg_key_subkey_id=row.subkey_id,
        commit_source="gitaly",
    )


def _of_unknown_key(status: str, makers: list[Issuer]) -> PgpSignature:
    return PgpSignature(
        signature_type="PGP",
        verification_status=status,
        gpg_key_id=None,
        gpg_key_primary_keyid=makers[0].key_id if makers else None,
        gpg_key_user_name=None,
        gpg_key_user_email=None,
        gpg_key_subkey_id=None,
        commit_source="gitaly",
    )


def _ssh(call: Call, signed: SignedObject, address: str) -> SshSignature:
    parts = read_ssh_signature(signed.signature)
    status, key = "unverified", None
    if parts is not None and is_signed_for_git(parts, signed.payload):
        key = find_key_for_signing(call.conn, parts.fingerprint)
        if key is None:
            status = "unknown_key"
        else:
            status = "verified" if address in _confirmed_addresses(call, key.user_id) else "other_user"
    return SshSignature(
        signature_type="SSH",
        verification_status=status,
        key=None if key is None else show_key(call, key),
        commit_source="gitaly",
    )


def _x509(signed: SignedObject) -> X509Signature:
    """Nobody told this server which certificate authorities to trust, so none is verified."""
    from ingot.features.code.repository.certificates import read_certificate

    text = signed.signature.strip().removeprefix(X509_BEGINNING).partition(X509_END)[0]
    try:
        certificate = read_certificate(base64.b64decode(b"".join(text.split()), validate=True))
    except binascii.Error:
        certificate = None
    return X509Signature(
        signature_type="X509",
        verification_status="unverified",
        x509_certificate=certificate,
        commit_source="gitaly",
    )


def _confirmed_addresses(call: Call, user_id: int) -> set[str]:
    """The addresses that the user has proven, and the one that this server gave for commits."""
    result = {address.lower() for address in own_addresses(call.conn, user_id)}
    given = get_user(call.conn, user_id).commit_email
    if given is not None and given.lower().endswith(f"@{application_setting(call.conn, 'commit_email_hostname')}"):
        result.add(given.lower())
    return result
