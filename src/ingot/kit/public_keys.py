"""SSH public keys as text: what kind, how strong, and by which fingerprints they are known."""

import base64
import binascii
import hashlib

import msgspec

# The kinds that are accepted, each with its name and the number of fields behind it in the blob.
KINDS = {
    "ssh-rsa": ("RSA", 2),
    "ssh-ed25519": ("ED25519", 1),
    "ecdsa-sha2-nistp256": ("ECDSA", 2),
    "ecdsa-sha2-nistp384": ("ECDSA", 2),
    "ecdsa-sha2-nistp521": ("ECDSA", 2),
    "sk-ssh-ed25519@openssh.com": ("ED25519_SK", 2),
    "sk-ecdsa-sha2-nistp256@openssh.com": ("ECDSA_SK", 3),
}
LONGEST = 5000
WEAK_KINDS = ("ssh-dss",)
LEAST_RSA_BITS = 2048


class PublicKey(msgspec.Struct, frozen=True):
    """One key, without its comment."""

    kind: str
    blob: bytes

    @property
    def text(self) -> str:
        """The key as it stands in an `authorized_keys` file."""
        return f"{self.kind} {base64.b64encode(self.blob).decode()}"

    @property
    def sha256(self) -> str:
        """The fingerprint that `ssh-keygen -l` shows, without `SHA256:`."""
        return sha256_of(self.blob)

    @property
    def md5(self) -> str:
        """The fingerprint of older programs, as pairs of hex digits."""
        return hashlib.md5(self.blob, usedforsecurity=False).digest().hex(":")

    @property
    def family(self) -> str:
        """The kind as rules for keys name it."""
        return "DSA" if self.kind in WEAK_KINDS else KINDS[self.kind][0]

    @property
    def bits(self) -> int:
        """The size of the key."""
        if self.kind == "ssh-rsa":
            return int.from_bytes(_fields(self.blob)[2]).bit_length()
        return next((size for size in (384, 521) if self.kind.endswith(str(size))), 256)

    @property
    def weakness(self) -> str | None:
        """Why the key is not accepted, as the end of a sentence about it."""
        if self.kind in WEAK_KINDS:
            return "type is forbidden. Must be RSA, ECDSA, ED25519, ECDSA_SK, or ED25519_SK"
        if self.kind == "ssh-rsa" and self.bits < LEAST_RSA_BITS:
            return f"must be at least {LEAST_RSA_BITS} bits"
        return None


def sha256_of(blob: bytes) -> str:
    """The fingerprint of a key's blob."""
    return base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")


def read_public_key(text: str) -> PublicKey | None:
    """The key of one line, or None where the text is no public key."""
    kind, *rest = text.split(None, 1)[:2] or [""]
    if len(text) > LONGEST or not rest or (kind not in KINDS and kind not in WEAK_KINDS):
        return None
    try:
        blob = base64.b64decode(_without_breaks(rest[0]), validate=True)
        fields = _fields(blob)
    except (binascii.Error, ValueError):
        return None
    expected = 5 if kind in WEAK_KINDS else 1 + KINDS[kind][1]
    # The blob repeats its own kind.
    is_whole = len(fields) == expected and fields[0] == kind.encode() and all(fields)
    return PublicKey(kind, blob) if is_whole else None


def on_one_line(text: str) -> str:
    """The key with its comment, as it was written; without the comment where lines of it were broken."""
    key = read_public_key(text) if "\n" in text.strip() else None
    return text.strip() if key is None else key.text


def _without_breaks(text: str) -> str:
    """The key without its comment, and without line breaks that a mail or a terminal put into it."""
    lines = [line.strip() for line in text.strip().splitlines()]
    whole, last = "".join(lines[:-1]), lines[-1] if lines else ""
    return whole + last.split(None, 1)[0] if last else whole


def _fields(blob: bytes) -> list[bytes]:
    """The blob's parts, each written with its length in front."""
    fields, at = [], 0
    while at < len(blob):
        end = at + 4 + int.from_bytes(blob[at : at + 4])
        if end > len(blob):
            raise ValueError("a field is cut off")
        fields.append(blob[at + 4 : end])
        at = end
    return fields
