"""Filters of lists: one attribute compared with `eq`, as RFC 7644, section 3.4.2.2 writes it."""

import msgspec

from ingot.features.people.scim.errors import ScimError
from ingot.kit.patterns import pattern

LONGEST = 2000
_EXPRESSION = pattern(
    r"\s*(?P<name>[a-z][\w.:-]*(?:\[type eq \"work\"\]\.value)?)\s+(?P<operator>[a-z]+)\s+"
    r"(?P<value>\"(?:[^\"\\]|\\.)*\"|[^\s\"]+)\s*",
    ignore_case=True,
)
USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User"
_NAMES = {
    "id": "id",
    "externalid": "id",
    "username": "userName",
    "emails": "emails",
    "emails.value": "emails",
    'emails[type eq "work"].value': "emails",
}


class Filter(msgspec.Struct, frozen=True):
    """`name` is `id`, `userName` or `emails`; the values are compared without regard to case."""

    name: str
    value: str


def read_filter(text: str) -> Filter | None:
    """The filter, None where there is none. Raises `ScimError`."""
    if not text.strip():
        return None
    if len(text) > LONGEST:
        raise _refused("the filter is too long")
    match = _EXPRESSION.fullmatch(text)
    if match is None:
        raise _refused('write it as: userName eq "value"')
    name = _NAMES.get(plain_name(match["name"]))
    if name is None:
        raise _refused("only id, externalId, userName and emails.value can be compared")
    if match["operator"].lower() != "eq":
        raise _refused("only eq is offered")
    return Filter(name, _value(match["value"]))


def plain_name(path: str) -> str:
    """An attribute's path in lower case, without a schema prefix."""
    return path.strip().lower().removeprefix(f"{USER_SCHEMA.lower()}:")


def _value(raw: str) -> str:
    if not raw.startswith('"'):
        return raw
    try:
        value = msgspec.json.decode(raw.encode(), type=str)
    except (msgspec.DecodeError, UnicodeEncodeError):
        raise _refused("the value is no JSON text") from None
    if "\x00" in value:
        raise _refused("the value holds a NUL")
    return value


def _refused(why: str) -> ScimError:
    return ScimError(400, f"Unsupported filter: {why}", "invalidFilter")
