"""What identity providers say of a person, whole (POST) or in operations (PATCH), read into one value."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ingot.features.people.scim.errors import invalid_syntax, invalid_value
from ingot.features.people.scim.protocol.filters import plain_name

LONGEST_UID = 255
MOST_OPERATIONS = 1000


class PersonChange(msgspec.Struct):
    """The attributes that were sent; None: not sent."""

    uid: str | None = None
    username: str | None = None
    name: str | None = None
    email: str | None = None
    active: bool | None = None


def read_person(body: Mapping[str, object]) -> PersonChange:
    """A new user. Raises `ScimError`; attributes that are not stored are ignored."""
    options = PersonChange()
    for name, value in body.items():
        # Of a person's two identifiers the provider's is `externalId`; `id` is ours to give.
        if plain_name(name) != "id" and value is not None:
            _set(options, plain_name(name), value)
    options.name = options.name or _text("displayName", body.get("displayName") or "")
    needed = {"externalId": options.uid, "userName": options.username, "emails": options.email}
    missing = [name for name, value in needed.items() if not value]
    if missing:
        raise invalid_value(f"Missing params: {', '.join(missing)}")
    return options


def read_operations(body: Mapping[str, object]) -> PersonChange:
    """The combined changes of a PATCH; later operations win. Raises `ScimError`."""
    operations = next((value for name, value in body.items() if name.lower() == "operations"), None)
    if not isinstance(operations, list) or not operations:
        raise invalid_syntax("Operations must be a list of operations")
    if len(operations) > MOST_OPERATIONS:
        raise invalid_syntax(f"more than {MOST_OPERATIONS} operations")
    options = PersonChange()
    for operation in operations:
        if not isinstance(operation, dict):
            raise invalid_syntax("an operation must be an object")
        _apply(options, operation)
    return options


def _apply(options: PersonChange, operation: Mapping[str, object]) -> None:
    kind = operation.get("op")
    path = operation.get("path")
    kind = kind.strip().lower() if isinstance(kind, str) else ""
    if kind not in ("add", "replace", "update", "remove"):
        raise invalid_syntax("op must be add, replace or remove")
    if path is not None and not isinstance(path, str):
        raise invalid_syntax("path must be a text")
    if kind == "remove":
        if path is not None and _is_kept(plain_name(path)):
            raise invalid_value(f"{path} cannot be removed")
        return
    value = operation.get("value")
    if path:
        _set(options, plain_name(path), value)
    elif isinstance(value, dict):
        for name, inner in value.items():
            _set(options, plain_name(name), inner)
    else:
        raise invalid_syntax("an operation without a path needs an object as its value")


def _is_kept(name: str) -> bool:
    return name in ("id", "externalid", "username", "active", "name", "name.formatted") or _is_address(name)


def _is_address(name: str) -> bool:
    return name in ("emails", "emails.value") or name.startswith("emails[")


def _set(options: PersonChange, name: str, value: object) -> None:
    if name in ("id", "externalid"):
        options.uid = _uid(_single(value))
    elif name == "username":
        options.username = _text("userName", _single(value)).strip()
    elif name == "active":
        options.active = _boolean(_single(value))
    elif name == "name.formatted":
        options.name = _text(name, _single(value)).strip() or options.name
    elif name == "name":
        options.name = _name(value) or options.name
    elif _is_address(name):
        options.email = _email(value)


def _single(value: object) -> object:
    """Some providers wrap a single value into a list: `[{"value": "x"}]`."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        return value[0].get("value")
    return value


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise invalid_value(f"{name} must be a text")
    return value


def _uid(value: object) -> str:
    uid = _text("externalId", value)
    if not uid.strip():
        raise invalid_value("Extern uid can't be blank")
    if max(len(uid), len(uid.lower())) > LONGEST_UID:  # some letters become two in lower case
        raise invalid_value(f"Extern uid is too long (maximum is {LONGEST_UID} characters)")
    return uid


def _boolean(value: object) -> bool:
    word = value.strip().lower() if isinstance(value, str) else value
    if word is True or word == "true":
        return True
    if word is False or word == "false":
        return False
    raise invalid_value("active must be true or false")


def _name(value: object) -> str:
    if not isinstance(value, dict):
        raise invalid_value("name must be an object")
    parts = {plain_name(name): inner for name, inner in value.items()}
    whole = _text("name.formatted", parts.get("formatted") or "").strip()
    both = [_text("name", parts.get(part) or "").strip() for part in ("givenname", "familyname")]
    return whole or " ".join(filter(None, both))


def _email(value: object) -> str:
    """The address: of several the primary one, else the one for work, else the first."""
    if isinstance(value, str):
        return value.strip()
    entries: list[Any] = value if isinstance(value, list) else [value]
    if not entries or not all(isinstance(entry, dict) for entry in entries):
        raise invalid_value("emails must be a list of objects")

    def rank(entry: Mapping[str, object]) -> tuple[bool, bool]:
        return (entry.get("primary") is not True, entry.get("type") != "work")

    return _text("emails", min(entries, key=rank).get("value")).strip()
