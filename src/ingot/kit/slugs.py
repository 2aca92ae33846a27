"""Names made fit for host names: of refs, and of environments."""

from __future__ import annotations

import hashlib
import re

_MAX_REF = 63
_MAX_ENVIRONMENT = 24
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def ref_slug(name: str) -> str:
    """Lower case, at most 63 characters, nothing but letters, digits and inner dashes."""
    return re.sub(r"[^a-z0-9]", "-", name.lower())[:_MAX_REF].strip("-")


def environment_slug(name: str) -> str:
    """At most 24 characters beginning with a letter; a short hash keeps changed names apart."""
    slug = re.sub(r"-{2,}", "-", re.sub(r"[^a-z0-9]", "-", name.lower()))
    if not slug[:1].isalpha():
        slug = f"env-{slug}"
    if slug != name or len(slug) > _MAX_ENVIRONMENT:
        slug = re.sub(r"-{2,}", "-", slug[:17] + "-") + _suffix(name)
    return slug.rstrip("-")


def _suffix(name: str) -> str:
    number = int.from_bytes(hashlib.sha256(name.encode()).digest(), "big")
    digits = ""
    for _ in range(6):
        number, digit = divmod(number, 36)
        digits += _DIGITS[digit]
    return digits


_TIERS = (
    ("development", r"(?i)dev|review|trunk"),
    ("testing", r"(?i)test|tst|int|acceptance|accept|qa|qc|control|quality"),
    ("staging", r"(?i)st(a|)ge?(ing)?|mod(e|el)|pre|demo|non"),
    ("production", r"(?i)pr(o|)d|live"),
)


def environment_tier(name: str) -> str:
    """The tier that the name of an environment suggests."""
    return next((tier for tier, pattern in _TIERS if re.search(pattern, name)), "other")
