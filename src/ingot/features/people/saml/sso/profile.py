"""Which attributes of an assertion name the person: the spellings that common identity providers use."""

import msgspec

from ingot.kit.patterns import pattern

_CLAIMS = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"
_MICROSOFT = "http://schemas.microsoft.com/ws/2008/06/identity/claims/"
_EMAIL = ("email", "mail", "emailaddress", _CLAIMS + "emailaddress", "urn:oid:0.9.2342.19200300.100.1.3")
_USERNAME = ("username", "nickname", "login", "uid", "urn:oid:0.9.2342.19200300.100.1.1")
_NAME = ("name", "displayname", "full_name", "fullname", _CLAIMS + "name", "urn:oid:2.16.840.1.113730.3.1.241")
_FIRST = ("first_name", "firstname", "first", "givenname", _CLAIMS + "givenname", "urn:oid:2.5.4.42")
_LAST = ("last_name", "lastname", "last", "surname", "sn", _CLAIMS + "surname", "urn:oid:2.5.4.4")
# spec: group links - the names are read from `groups` or `Groups`
_GROUPS = ("groups", "Groups", _MICROSOFT + "groups")

_ADDRESS = pattern(r"[^@\s]+@[^@\s]+")


class Person(msgspec.Struct, frozen=True):
    email: str | None
    username: str | None
    name: str | None
    groups: tuple[str, ...]


def person_of(attributes: dict[str, tuple[str, ...]], name_id: str) -> Person:
    lowered = {name.lower(): values for name, values in reversed(attributes.items())}

    def first(names: tuple[str, ...]) -> str | None:
        return next((value for name in names for value in lowered.get(name, ())[:1] if value), None)

    email = first(_EMAIL)
    if email is None and _ADDRESS.fullmatch(name_id):
        email = name_id
    parts = [part for part in (first(_FIRST), first(_LAST)) if part]
    groups = [group for name in _GROUPS for group in attributes.get(name, ()) if group]
    return Person(
        email=email if email and _ADDRESS.fullmatch(email) else None,
        username=first(_USERNAME),
        name=first(_NAME) or " ".join(parts) or None,
        groups=tuple(dict.fromkeys(groups)),
    )
