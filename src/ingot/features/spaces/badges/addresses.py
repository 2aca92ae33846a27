"""Which addresses badges may have."""

from collections.abc import Mapping
from urllib.parse import urlsplit

SCHEMES = ("http", "https")
LONGEST_NAME = 255
LONGEST_URL = 2048


def badge_problems(values: Mapping[str, object]) -> dict[str, list[str]]:
    """What is wrong with the values of a badge, by field."""
    problems: dict[str, list[str]] = {}
    for name in ("link_url", "image_url"):
        url = values.get(name)
        if url is not None and not _is_address(str(url)):
            problems[name] = [f"is blocked: Only allowed schemes are {', '.join(SCHEMES)}"]
        elif len(str(url)) > LONGEST_URL:
            problems[name] = [f"is too long (maximum is {LONGEST_URL} characters)"]
    if len(str(values.get("name") or "")) > LONGEST_NAME:
        problems["name"] = [f"is too long (maximum is {LONGEST_NAME} characters)"]
    return problems


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url.replace("%{", "").replace("}", ""))
    except ValueError:
        return False
    return parts.scheme in SCHEMES and bool(parts.netloc)
