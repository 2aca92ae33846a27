"""Links to files of users on a host of their own (`content_url`), where they may run: signed, and good for minutes.

`https://content.example/<signature>/artifacts/<project>/<job>/<path>`: the signature stands in front of the path, so
that a page reaches what lies beside it by relative addresses. It is for one person and one archive, commit, snippet,
upload, or the files attached to one wiki.
"""

import hashlib
import hmac
from urllib.parse import quote, urlsplit

import msgspec
from starlette.requests import Request

from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.patterns import pattern
from ingot.kit.services import Services

LIFETIME = 300  # seconds
# Files that a browser runs, and for which the other host is there; those beside them come along.
ACTIVE = (".html", ".htm", ".xhtml", ".svg")
_SIGNATURE = pattern(r"([0-9]{1,12})\.([0-9]{1,18})\.([01])\.([0-9a-f]{64})")
_PARTS = 3  # kind, place, and what is read there; then the path


class ContentLink(msgspec.Struct, frozen=True):
    """What a signed link opens, and for whom."""

    kind: str  # artifacts | files | snippets | uploads | wikis
    place: str  # the id of a project, or what an upload or wiki belongs to
    name: str  # of the job, commit, upload or part
    path: str
    user_id: int | None
    is_admin: bool
    has_expired: bool


def is_active(path: str) -> bool:
    """A browser would run the file."""
    return path.lower().endswith(ACTIVE)


def is_opened(services: Services, request: Request, path: str) -> bool:
    """Somebody opens the file in a browser, as a page of its own, and there is another host for such files."""
    is_page = request.method == "GET" and request.headers.get("sec-fetch-dest") == "document"
    return bool(services.settings.content_url) and is_page and is_active(path)


def content_link(
    services: Services, actor: Actor, kind: str, place: str, name: str, path: str, lifetime: int = LIFETIME
) -> str:
    """A fresh link, for somebody who may read it."""
    holder = f"{actor.user_id or 0}.{int(actor.is_admin)}"
    expires = int(now().timestamp()) + lifetime
    resource = f"{kind}/{place}/{name}"
    signature = f"{expires}.{holder}.{_mac(services, expires, holder, resource)}"
    return f"{services.settings.content_url}/{signature}/{resource}/{quote(path)}"


def read_link(services: Services, segments: list[str]) -> ContentLink | None:
    """The link that a path is; None where we made no such link."""
    if len(segments) <= _PARTS + 1:
        return None
    signature, kind, place, name, *path = segments
    match = _SIGNATURE.fullmatch(signature)
    if match is None:
        return None
    expires, user_id, is_admin, mac = match.groups()
    right = _mac(services, int(expires), f"{user_id}.{is_admin}", f"{kind}/{place}/{name}")
    if not hmac.compare_digest(mac, right) or str(int(expires)) != expires or str(int(user_id)) != user_id:
        return None
    return ContentLink(
        kind=kind,
        place=place,
        name=name,
        path="/".join(path),
        user_id=int(user_id) or None,
        is_admin=is_admin == "1",
        has_expired=int(expires) <= now().timestamp(),
    )


def _mac(services: Services, expires: int, holder: str, resource: str) -> str:
    text = f"content link:{expires}:{holder}:{resource}"
    return hmac.new(services.secret_key.encode(), text.encode(), hashlib.sha256).hexdigest()


def is_content_host(content_url: str, host: str) -> bool:
    """A `Host` header names the other host, in whatever spelling."""
    name = host.strip().lower()
    name = name.rpartition(":")[0] if ":" in name and not name.endswith("]") else name
    return name.rstrip(".").strip("[]") == urlsplit(content_url).hostname
