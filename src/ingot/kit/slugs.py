"""Slugs of refs and environments, usable as host names."""

from __future__ import annotations

import hashlib

from ingot.kit.patterns import pattern

_MAX_REF = 63
_MAX_ENVIRONMENT = 24
_OTHER = pattern(r"[^a-z0-9]")
_DASHES = pattern(r"-{2,}")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def ref_slug(name: str) -> str:
    """Lower case, at most 63 characters, nothing but letters, digits and inner dashes."""
    return _OTHER.sub("-", name.lower())[:_MAX_REF].strip("-")


def environment_slug(name: str) -> str:
    """At most 24 characters beginning with a letter; a short hash keeps changed names apart."""
    slug = _DASHES.sub("-", _OTHER.sub("-", name.lower()))
    if not slug[:1].isalpha():
        slug = f"env-{slug}"
    if slug != name or len(slug) > _MAX_ENVIRONMENT:
        slug = _DASHES.sub("-", slug[:17] + "-") + _suffix(name)
    return slug.rstrip("-")


def _suffix(name: str) -> str:
    number = int.from_bytes(hashlib.sha256(name.encode()).digest(), "big")
    digits = ""
    for _ in range(6):
        number, digit = divmod(number, 36)
        digits += _DIGITS[digit]
    return digits


_TIERS = (
    ("development", pattern(r"dev|review|trunk", ignore_case=True)),
    ("testing", pattern(r"test|tst|int|acceptance|accept|qa|qc|control|quality", ignore_case=True)),
    ("staging", pattern(r"st(a|)ge?(ing)?|mod(e|el)|pre|demo|non", ignore_case=True)),
    ("production", pattern(r"pr(o|)d|live", ignore_case=True)),
)


def environment_tier(name: str) -> str:
    """The tier that the name of an environment suggests."""
    return next((tier for tier, names in _TIERS if names.search(name)), "other")
