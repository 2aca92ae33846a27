"""The web sign-in profile: is this verified assertion meant for this server, now, and what does it say?"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ingot.features.people.saml.sso.errors import ResponseRefused
from ingot.features.people.saml.sso.names import BEARER, TRANSIENT_NAME_ID, saml
from ingot.features.people.saml.sso.parties import IdentityProvider, ServiceProvider, SignIn
from ingot.features.people.saml.sso.profile import person_of

if TYPE_CHECKING:
    from lxml.etree import _Element

SKEW = timedelta(seconds=60)
MAX_NAME_ID = 255
XML_SPACE = " \t\r\n"  # other kinds of space are part of a name
_FAR_FUTURE = datetime(9999, 1, 1, tzinfo=UTC)  # room for the skew


def read_assertion(assertion: "_Element", sp: ServiceProvider, idp: IdentityProvider, now: datetime) -> SignIn:
    """Raises `ResponseRefused` with the first condition that does not hold."""
    assertion_id = assertion.get("ID")
    if not assertion_id or assertion.get("Version") != "2.0":
        raise ResponseRefused("The assertion is not a SAML 2.0 assertion.")
    issuer = _text(assertion.find(saml("Issuer")))
    if not issuer or (idp.entity_id is not None and issuer != idp.entity_id):
        raise ResponseRefused("The assertion comes from another issuer.")
    _check_conditions(assertion, sp, now)
    confirmation = _bearer_confirmation(assertion, sp, now)
    name_id = _name_id(assertion)
    attributes = _attributes(assertion)
    person = person_of(attributes, name_id)
    return SignIn(
        assertion_id=assertion_id,
        name_id=name_id,
        in_response_to=confirmation.get("InResponseTo"),
        issuer=issuer,
        not_on_or_after=_instant(confirmation, "NotOnOrAfter"),
        session_not_on_or_after=_session_end(assertion, now),
        email=person.email,
        username=person.username,
        name=person.name,
        groups=person.groups,
        attributes=attributes,
    )


def _check_conditions(assertion: "_Element", sp: ServiceProvider, now: datetime) -> None:
    result = assertion.findall(saml("Conditions"))
    if len(result) != 1:
        raise ResponseRefused("The assertion must state its conditions once.")
    _check_window(result[0], now)
    restrictions = result[0].findall(saml("AudienceRestriction"))
    if not restrictions:
        raise ResponseRefused("The assertion does not name its audience.")
    for restriction in restrictions:  # each one must hold; within one, any audience will do
        if sp.entity_id not in [_text(audience) for audience in restriction.findall(saml("Audience"))]:
            raise ResponseRefused("The assertion is meant for another audience.")


def _bearer_confirmation(assertion: "_Element", sp: ServiceProvider, now: datetime) -> "_Element":
    """The subject confirmation that holds; the reason of the last failure when none does."""
    refusal = ResponseRefused("The assertion has no bearer confirmation.")
    for element in _bearer_data(assertion):
        try:
            if element.get("Recipient") != sp.consumer_url:
                raise ResponseRefused("The assertion is meant for another recipient.")
            if element.get("NotOnOrAfter") is None:
                raise ResponseRefused("The assertion does not say until when it may be delivered.")
            _check_window(element, now)
        except ResponseRefused as error:
            refusal = error
        else:
            return element
    raise refusal


def _bearer_data(assertion: "_Element") -> "Iterator[_Element]":
    for confirmation in assertion.findall(f"{saml('Subject')}/{saml('SubjectConfirmation')}"):
        if confirmation.get("Method") == BEARER:
            yield from confirmation.findall(saml("SubjectConfirmationData"))


def _check_window(element: "_Element", now: datetime) -> None:
    if element.get("NotBefore") is not None and now + SKEW < _instant(element, "NotBefore"):
        raise ResponseRefused("The assertion is not valid yet.")
    if element.get("NotOnOrAfter") is not None and now - SKEW >= _instant(element, "NotOnOrAfter"):
        raise ResponseRefused("The assertion has expired.")


def _session_end(assertion: "_Element", now: datetime) -> datetime | None:
    statements = assertion.findall(saml("AuthnStatement"))
    if not statements:
        raise ResponseRefused("The assertion does not say that anybody signed in.")
    ends = [_instant(one, "SessionNotOnOrAfter") for one in statements if one.get("SessionNotOnOrAfter") is not None]
    if ends and now - SKEW >= min(ends):
        raise ResponseRefused("The session at the identity provider has expired.")
    return min(ends, default=None)


def _name_id(assertion: "_Element") -> str:
    result = assertion.findall(f"{saml('Subject')}/{saml('NameID')}")
    name_id = _text(result[0]) if len(result) == 1 else ""
    # Some letters become two in lower case, and the column of that form has the same length.
    if not name_id or max(len(name_id), len(name_id.lower())) > MAX_NAME_ID or "\x00" in name_id:
        raise ResponseRefused("The assertion must name one person, in at most 255 characters.")
    if result[0].get("Format") == TRANSIENT_NAME_ID:
        raise ResponseRefused("The assertion names the person by a transient NameID; a persistent one is needed.")
    return name_id


def _attributes(assertion: "_Element") -> dict[str, tuple[str, ...]]:
    """Values by name, in document order; an attribute that is sent twice adds up.

    Identity providers that name attributes by OID give the readable name beside it: both find the values.
    """
    collected: dict[str, tuple[str, ...]] = {}
    for attribute in assertion.findall(f"{saml('AttributeStatement')}/{saml('Attribute')}"):
        values = tuple(_text(value) for value in attribute.findall(saml("AttributeValue")))
        for name in dict.fromkeys((attribute.get("Name", ""), attribute.get("FriendlyName", ""))):
            if name:
                collected[name] = collected.get(name, ()) + values
    return collected


def _text(element: "_Element | None") -> str:
    """All text of a leaf; an element with children has no text that could be read safely."""
    if element is None or len(element):
        return ""
    return (element.text or "").strip(XML_SPACE)


def _instant(element: "_Element", name: str) -> datetime:
    try:
        value = datetime.fromisoformat(element.get(name, ""))
        instant = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ResponseRefused(f"The assertion has an unreadable {name}.") from error
    return min(instant, _FAR_FUTURE)
