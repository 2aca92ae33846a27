"""Certificates and fingerprints as people paste them, brought to one form."""

import binascii
import hashlib
from base64 import b64decode

from ingot.kit.patterns import HEX, consists_of, pattern

_PEM_FRAME = pattern(r"-----(BEGIN|END) CERTIFICATE-----")
_LENGTHS = {40: "sha1", 64: "sha256"}


class BadCertificate(ValueError):
    """Not an X.509 certificate or not a fingerprint of one."""


def normal_certificate(text: str) -> str:
    """PEM of the one certificate in `text`; accepts PEM and the bare base64 that metadata files carry."""
    from cryptography import x509

    body = "".join(_PEM_FRAME.sub("", text).split())
    try:
        der = b64decode(body, validate=True)
        x509.load_der_x509_certificate(der)
    except (binascii.Error, ValueError) as error:
        raise BadCertificate("is not an X.509 certificate") from error
    lines = [body[start : start + 64] for start in range(0, len(body), 64)]
    return "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""])


def normal_fingerprint(text: str) -> str:
    """Upper-case pairs joined by colons; SHA-1 (20 bytes) or SHA-256 (32 bytes)."""
    # Not by a pattern: each of a hundred thousand blanks would be a match of its own.
    digits = "".join(text.split()).replace(":", "").replace("-", "").upper()
    if len(digits) not in _LENGTHS or not consists_of(digits, HEX.upper()):
        raise BadCertificate("is not a SHA-1 or SHA-256 fingerprint in hexadecimal")
    return ":".join(digits[start : start + 2] for start in range(0, len(digits), 2))


def certificate_fingerprint(pem: str, *, like: str | None = None) -> str:
    """Fingerprint of a certificate, with the digest that `like` was made with (SHA-256 by default)."""
    digest = "sha256" if like is None else _LENGTHS[len(like.replace(":", ""))]
    der = b64decode("".join(_PEM_FRAME.sub("", pem).split()))
    return normal_fingerprint(hashlib.new(digest, der, usedforsecurity=False).hexdigest())
