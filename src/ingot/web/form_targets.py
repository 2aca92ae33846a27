"""Pages whose forms end at an application: browsers ask the page's policy also about the redirect after a form."""

from urllib.parse import parse_qsl, urlsplit

from sqlalchemy import Connection

from ingot.features.people.oauth import OAuthError, Redirected, origin_of, read_request
from ingot.web.headers import POLICY

AUTHORIZE = "/oauth/authorize"


def policy_for(redirect_uri: str) -> dict[str, str]:
    """Headers of a page whose form may end at the address of an application."""
    origin = origin_of(redirect_uri)
    if not origin:
        return {}
    return {"Content-Security-Policy": POLICY.replace("form-action 'self'", f"form-action 'self' {origin}")}


def policy_on_the_way(conn: Connection, return_to: str) -> dict[str, str]:
    """Headers of a sign-in page on the way to an application; only registered addresses count."""
    parts = urlsplit(return_to)
    if parts.path != AUTHORIZE:
        return {}
    try:
        request = read_request(conn, dict(parse_qsl(parts.query)))
    except (OAuthError, Redirected):
        return {}
    return policy_for(request.redirect_uri)
