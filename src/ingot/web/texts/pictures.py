"""Where pages show pictures of other servers from: an address of our own, which only this instance can have made.

Browsers of visitors never ask other servers; `web.foreign_pictures` does, for all of them.
"""

import hashlib
import hmac
from urllib.parse import urlsplit

BASE = "/-/asset/"
LONGEST = 2000  # bytes of an address
_MAC_LENGTH = 40


def picture_address(key: str, own: str, url: str) -> str | None:
    """What the page of an instance at `own` writes for a picture's address; None where it can only be a link."""
    url = url.strip()
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if own and url.startswith(f"{own}/"):
        url = url.removeprefix(own)
        return None if leads_away(url) else url
    if not parts.scheme and not parts.netloc:
        return None if leads_away(url) else url
    full = f"https:{url}" if not parts.scheme else url
    # A name and password are for whoever wrote them, and not for us to use.
    if (parts.scheme or "https") not in ("https", "http") or not parts.netloc or "@" in parts.netloc:
        return None
    sent = full.partition("#")[0].replace(" ", "%20").encode("utf-8", "replace")
    return f"{BASE}{_mac(key, sent)}/{sent.hex()}" if len(sent) <= LONGEST else None


def leads_away(path: str) -> bool:
    """Browsers take two slashes of either kind, and more of them, for the beginning of another server's name."""
    return path.replace("\\", "/").startswith("//")


def url_at(key: str, mac: str, hexed: str) -> str | None:
    """The address of the picture that a page of ours named so."""
    if len(hexed) > 2 * LONGEST or not mac.isascii():
        return None
    try:
        sent = bytes.fromhex(hexed)
        return sent.decode() if hmac.compare_digest(mac, _mac(key, sent)) and sent.hex() == hexed else None
    except ValueError:
        return None


def _mac(key: str, sent: bytes) -> str:
    return hmac.new(key.encode(), sent, hashlib.sha256).hexdigest()[:_MAC_LENGTH]
