"""Pictures in texts that leave the instance."""

from ingot.kit.patterns import pattern

_IMAGE = pattern(r"(?P<before>!\[[^\]]*\]\()(?P<path>/uploads/)")


def absolute_pictures(text: str, base_url: str) -> str:
    """The text with whole addresses of its uploaded pictures."""
    return _IMAGE.sub(lambda match: f"{match['before']}{base_url}{match['path']}", text)
