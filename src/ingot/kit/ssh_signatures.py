"""Signatures by SSH keys, in the form of `ssh-keygen -Y sign`."""

import base64
import binascii
import hashlib

import msgspec

from ingot.kit.public_keys import sha256_of

BEGINNING, END = b"-----BEGIN SSH SIGNATURE-----", b"-----END SSH SIGNATURE-----"
LONGEST = 20_000
_MAGIC = b"SSHSIG"
_HASHES = {b"sha256": hashlib.sha256, b"sha512": hashlib.sha512}


class SshSignature(msgspec.Struct, frozen=True):
    """The parts of a signature."""

    public_key: bytes
    namespace: bytes
    hash_name: bytes
    signature: bytes

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the key that it says it was made with."""
        return sha256_of(self.public_key)


def read_ssh_signature(armoured: bytes) -> SshSignature | None:
    """The signature of an armoured block, or None."""
    text = armoured.strip()
    if len(text) > LONGEST or not text.startswith(BEGINNING) or not text.endswith(END):
        return None
    try:
        blob = base64.b64decode(b"".join(text[len(BEGINNING) : -len(END)].split()), validate=True)
    except binascii.Error:
        return None
    if not blob.startswith(_MAGIC) or blob[6:10] != b"\0\0\0\1":
        return None
    fields = _fields(blob[10:])
    if fields is None or len(fields) != 5:
        return None
    public_key, namespace, _reserved, hash_name, signature = fields
    return SshSignature(public_key, namespace, hash_name, signature)


def is_signed_for_git(parts: SshSignature, payload: bytes) -> bool:
    """Whether the key signed these bytes as git does."""
    import asyncssh

    if parts.namespace != b"git" or parts.hash_name not in _HASHES:
        return False
    algorithm = _fields(parts.signature)
    if not algorithm or algorithm[0] == b"ssh-rsa":  # by SHA-1, as `ssh-keygen` refuses too
        return False
    digest = _HASHES[parts.hash_name](payload).digest()
    signed = _MAGIC + b"".join(_field(part) for part in (parts.namespace, b"", parts.hash_name, digest))
    kind = (_fields(parts.public_key) or [b""])[0]
    try:
        key = asyncssh.import_public_key(kind + b" " + base64.b64encode(parts.public_key))
        return bool(key.verify(signed, parts.signature))
    except Exception:  # noqa: BLE001 - about made-up keys the libraries raise errors of many kinds
        return False


def _field(part: bytes) -> bytes:
    return len(part).to_bytes(4) + part


def _fields(blob: bytes) -> list[bytes] | None:
    """The parts, each with its length in front; None where one is cut off."""
    fields, at = [], 0
    while at < len(blob):
        end = at + 4 + int.from_bytes(blob[at : at + 4])
        if end > len(blob):
            return None
        fields.append(blob[at + 4 : end])
        at = end
    return fields
