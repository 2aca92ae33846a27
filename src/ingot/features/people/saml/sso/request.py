"""The sign-in request, as the address to send the browser to (HTTP redirect binding)."""

import zlib
from base64 import b64encode
from datetime import UTC, datetime
from urllib.parse import urlencode, urlsplit
from xml.sax.saxutils import escape, quoteattr

from ingot.features.people.saml.sso.names import POST_BINDING, PROTOCOL, SAML
from ingot.features.people.saml.sso.parties import IdentityProvider, ServiceProvider


def sign_in_url(
    sp: ServiceProvider,
    idp: IdentityProvider,
    request_id: str,
    *,
    relay_state: str | None = None,
    is_again: bool = False,
    now: datetime | None = None,
) -> str:
    document = _authn_request(sp, idp, request_id, now or datetime.now(UTC), is_again=is_again)
    deflate = zlib.compressobj(wbits=-15)
    packed = deflate.compress(document.encode()) + deflate.flush()
    query = {"SAMLRequest": b64encode(packed).decode()}
    if relay_state is not None:
        query["RelayState"] = relay_state
    joint = "&" if urlsplit(idp.sso_url).query else "?"
    return f"{idp.sso_url}{joint}{urlencode(query)}"


def _authn_request(
    sp: ServiceProvider, idp: IdentityProvider, request_id: str, now: datetime, *, is_again: bool
) -> str:
    # Providers that remember people ask them nevertheless.
    forced = ' ForceAuthn="true"' if is_again else ""
    return (
        f"<samlp:AuthnRequest xmlns:samlp={quoteattr(PROTOCOL)} xmlns:saml={quoteattr(SAML)}"
        f' ID={quoteattr(request_id)} Version="2.0" IssueInstant={quoteattr(now.strftime("%Y-%m-%dT%H:%M:%SZ"))}'
        f" Destination={quoteattr(idp.sso_url)} ProtocolBinding={quoteattr(POST_BINDING)}"
        f" AssertionConsumerServiceURL={quoteattr(sp.consumer_url)}{forced}>"
        f"<saml:Issuer>{escape(sp.entity_id)}</saml:Issuer>"
        f'<samlp:NameIDPolicy AllowCreate="true"/>'
        f"</samlp:AuthnRequest>"
    )
