"""`image` and `services`."""

from __future__ import annotations

from typing import Any

from ingot.features.ci.config.keywords.variables import parse_variables
from ingot.features.ci.config.plan import Image, Service
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.shapes import Entry, as_list, is_strings_or_string

_IMAGE_KEYS = ("name", "entrypoint", "ports", "pull_policy", "docker", "kubernetes")
_SERVICE_KEYS = (*_IMAGE_KEYS, "command", "alias", "variables")
_POLICIES = ("always", "never", "if-not-present")


def parse_image(where: str, value: object, problems: Problems) -> Image | None:
    if value is None:
        return None
    if isinstance(value, str):
        return Image(name=value)
    place = f"{where}:image"
    if not isinstance(value, dict):
        problems.add(place, "config should be a hash or a string")
        return None
    entry = Entry(place, value, problems)
    entry.allow_keys(_IMAGE_KEYS)
    if not entry.text("name"):
        entry.fail("name can't be blank")
        return None
    return Image(
        name=value["name"],
        entrypoint=entry.strings_or_string("entrypoint"),
        pull_policy=_pull_policy(entry),
        ports=tuple(as_list(value.get("ports") or [])),
        executor_opts=_executor_opts(entry),
    )


def parse_services(where: str, value: object, problems: Problems) -> tuple[Service, ...]:
    if value is None:
        return ()
    place = f"{where}:services"
    if not isinstance(value, list):
        problems.add(place, "config should be a array")
        return ()
    return tuple(service for item in value if (service := _service(place, item, problems)) is not None)


def _service(place: str, value: object, problems: Problems) -> Service | None:
    if isinstance(value, str):
        return Service(name=value)
    place = f"{place}:service"
    if not isinstance(value, dict):
        problems.add(place, "config should be a hash or a string")
        return None
    entry = Entry(place, value, problems)
    entry.allow_keys(_SERVICE_KEYS)
    if not entry.text("name"):
        entry.fail("name can't be blank")
        return None
    return Service(
        name=value["name"],
        entrypoint=entry.strings_or_string("entrypoint"),
        pull_policy=_pull_policy(entry),
        ports=tuple(as_list(value.get("ports") or [])),
        executor_opts=_executor_opts(entry),
        alias=entry.text("alias"),
        command=entry.strings_or_string("command"),
        variables=parse_variables(place, value.get("variables"), problems),
    )


def _pull_policy(entry: Entry) -> tuple[str, ...] | None:
    value = entry.get("pull_policy")
    if value is None:
        return None
    if not is_strings_or_string(value) or any(item not in _POLICIES for item in as_list(value)):
        entry.fail("pull policy should be one of: always, never, if-not-present")
        return None
    return tuple(as_list(value))


def _executor_opts(entry: Entry) -> dict[str, Any]:
    options = {key: entry.get(key) for key in ("docker", "kubernetes") if entry.get(key) is not None}
    for key, value in options.items():
        if not isinstance(value, dict):
            entry.fail(f"{key} should be a hash")
    return options
