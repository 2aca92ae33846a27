"""Checking a posted SAML response, from text to a trustworthy statement about who signed in."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ingot.features.people.saml.sso.assertion import SKEW, read_assertion
from ingot.features.people.saml.sso.document import read_document
from ingot.features.people.saml.sso.errors import ResponseRefused
from ingot.features.people.saml.sso.names import SUCCESS, protocol, saml
from ingot.features.people.saml.sso.parties import IdentityProvider, ServiceProvider, SignIn
from ingot.features.people.saml.sso.signed import signed_assertion

if TYPE_CHECKING:
    from lxml.etree import _Element

OpenRequest = Callable[[str], bool]
FirstUse = Callable[[str, datetime], bool]


def check_response(
    encoded: str,
    sp: ServiceProvider,
    idp: IdentityProvider,
    *,
    is_open_request: OpenRequest,
    is_first_use: FirstUse,
    now: datetime | None = None,
) -> SignIn:
    """What the identity provider says, or `ResponseRefused`.

    `is_open_request(id)` tells whether we asked that question and still wait for its answer; a response to no
    request at all is a sign-in that began at the identity provider, and is accepted. `is_first_use(assertion_id,
    until)` is called last and must remember the assertion until that time, in the transaction that uses it.
    """
    moment = now or datetime.now(UTC)
    root = read_document(encoded)
    # The envelope may be unsigned, so nothing in it is trusted; but it must be addressed to this server.
    _check_envelope(root, sp, idp)
    assertion = signed_assertion(root, idp)
    sign_in = read_assertion(assertion, sp, idp, moment)
    request_ids = {value for value in (root.get("InResponseTo"), sign_in.in_response_to) if value}
    if len(request_ids) > 1 or not all(is_open_request(request) for request in request_ids):
        raise ResponseRefused("The SAML response answers a request that is not ours or no longer open.")
    if not is_first_use(sign_in.assertion_id, sign_in.not_on_or_after + SKEW):
        raise ResponseRefused("The assertion was already used.")
    return sign_in


def _check_envelope(root: "_Element", sp: ServiceProvider, idp: IdentityProvider) -> None:
    if root.tag != protocol("Response") or root.get("Version") != "2.0":
        raise ResponseRefused("The document is not a SAML 2.0 response.")
    code = root.find(f"{protocol('Status')}/{protocol('StatusCode')}")
    if code is None or code.get("Value") != SUCCESS:
        raise ResponseRefused("The identity provider reports that the sign-in failed.")
    destination = root.get("Destination")
    if destination and destination != sp.consumer_url:
        raise ResponseRefused("The SAML response is meant for another destination.")
    issuer = root.find(saml("Issuer"))
    if issuer is not None and idp.entity_id is not None and (issuer.text or "").strip() != idp.entity_id:
        raise ResponseRefused("The SAML response comes from another issuer.")
