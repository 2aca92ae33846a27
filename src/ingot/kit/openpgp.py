"""OpenPGP keys and signatures. Sequoia's library, which parses and checks them, is loaded when one is met."""

from collections.abc import Sequence

import msgspec

BEGINNING = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
END = "-----END PGP PUBLIC KEY BLOCK-----"
LONGEST_KEY = 500_000
LONGEST_SIGNATURE = 100_000


class KeyPart(msgspec.Struct, frozen=True):
    """A primary key or a subkey."""

    fingerprint: str
    key_id: str


class PublicBlock(msgspec.Struct, frozen=True):
    """A public key with its subkeys and the names and addresses that it claims."""

    primary: KeyPart
    subkeys: Sequence[KeyPart]
    users: Sequence[tuple[str, str]]


class Issuer(msgspec.Struct, frozen=True):
    """Which key a signature says it was made with."""

    key_id: str
    fingerprint: str | None


def read_public_block(text: str) -> PublicBlock | None:
    """The key of an armoured block; None where the text is no single public key."""
    from pysequoia import Cert
    from pysequoia.packet import PacketPile, Tag

    text = text.strip()
    if len(text) > LONGEST_KEY or not text.startswith(BEGINNING) or not text.endswith(END):
        return None
    try:
        certificates = Cert.split_bytes(text.encode())
        parts = [packet for packet in PacketPile.from_bytes(text.encode()) if packet.fingerprint is not None]
        names = [str(name) for certificate in certificates for name in certificate.user_ids]
    except RuntimeError:
        return None
    keys = [KeyPart(str(part.fingerprint).upper(), str(part.key_id).upper()) for part in parts]
    # No second key, and no secret one under the name of a public one.
    if [part.tag for part in parts] != [Tag.PublicKey] + [Tag.PublicSubkey] * (len(parts) - 1) or len(
        certificates
    ) != 1:
        return None
    return PublicBlock(keys[0], keys[1:], [_user(name) for name in names if "\0" not in name])


def issuers(signature: bytes) -> list[Issuer]:
    """Who made the signatures of an armoured block; none where it cannot be read."""
    from pysequoia.packet import PacketPile

    if len(signature) > LONGEST_SIGNATURE:
        return []
    try:
        packets = list(PacketPile.from_bytes(signature))
    except RuntimeError:
        return []
    return [
        Issuer(packet.issuer_key_id.upper(), packet.issuer_fingerprint and packet.issuer_fingerprint.upper())
        for packet in packets
        if packet.issuer_key_id
    ]


def is_signed_by(block: str, signature: bytes, payload: bytes) -> bool:
    """Whether the key of this block signed these bytes, by today's standards and while the key was valid."""
    from pysequoia import Cert, Sig, verify

    try:
        certificate = Cert.from_bytes(block.encode())
        result = verify(bytes=payload, store=lambda _: [certificate], signature=Sig.from_bytes(signature))
    except RuntimeError:
        return False
    return bool(result.valid_sigs)


def _user(text: str) -> tuple[str, str]:
    """Name and address of `Name (comment) <address>`, or of an address alone."""
    name, mark, rest = text.strip().rpartition("<")
    address = (rest if mark else text).strip().removesuffix(">")
    return (name.strip(), address) if "@" in address and " " not in address else (text, "")
