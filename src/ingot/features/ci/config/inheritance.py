"""`default`, the older top-level keywords beside it, and `inherit`."""

from __future__ import annotations

import msgspec

from ingot.features.ci.config.budget import Budget
from ingot.features.ci.config.keywords.artifacts import parse_artifacts
from ingot.features.ci.config.keywords.caches import parse_caches
from ingot.features.ci.config.keywords.images import parse_image, parse_services
from ingot.features.ci.config.keywords.outcomes import parse_retry
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.scripts import parse_hooks, parse_script
from ingot.features.ci.config.shapes import Entry, is_strings
from ingot.features.ci.config.values import Mapping
from ingot.kit.time_spans import parse_duration

TOP_LEVEL = ("image", "services", "before_script", "after_script", "cache")
DEFAULT_KEYS = (
    *TOP_LEVEL, "interruptible", "timeout", "retry", "tags", "artifacts", "hooks", "id_tokens", "identity",
)  # fmt: skip


class Inherit(msgspec.Struct, frozen=True):
    """Which defaults and global variables a job inherits."""

    default: bool | tuple[str, ...] = True
    variables: bool | tuple[str, ...] = True

    def takes_default(self, key: str) -> bool:
        return self.default if isinstance(self.default, bool) else key in self.default

    def takes_variable(self, key: str) -> bool:
        return self.variables if isinstance(self.variables, bool) else key in self.variables


def collect_defaults(config: Mapping, problems: Problems, budget: Budget) -> Mapping:
    """The default values of jobs, checked once where they are written."""
    given = config.get("default")
    defaults: Mapping = {}
    if given is not None and not isinstance(given, dict):
        problems.add("default", "config should be a hash")
    elif given:
        Entry("default", given, problems).allow_keys(DEFAULT_KEYS)
        defaults = {key: value for key, value in given.items() if key in DEFAULT_KEYS and value is not None}
    for key in TOP_LEVEL:
        if config.get(key) is None:
            continue
        if key in defaults:
            problems.add("root", f"{key} is defined in top-level and `default:` entry")
        else:
            defaults[key] = config[key]
    _check("default" if given else "root", defaults, problems, budget)
    return defaults


def _check(where: str, defaults: Mapping, problems: Problems, budget: Budget) -> None:
    entry = Entry(where, defaults, problems)
    parse_image(where, entry.get("image"), problems)
    parse_services(where, entry.get("services"), problems)
    parse_script(where, "before_script", entry.get("before_script"), problems, budget)
    parse_script(where, "after_script", entry.get("after_script"), problems, budget)
    parse_caches(where, entry.get("cache"), problems)
    parse_retry(where, entry.get("retry"), problems)
    parse_artifacts(where, entry.get("artifacts"), problems)
    parse_hooks(where, entry.get("hooks"), problems, budget)
    parse_tags(where, entry.get("tags"), problems)
    parse_timeout(where, entry.get("timeout"), problems)
    entry.boolean("interruptible")


def parse_tags(where: str, value: object, problems: Problems) -> tuple[str, ...]:
    if value is None:
        return ()
    if not is_strings(value):
        problems.add(f"{where}:tags", "config should be an array of strings")
        return ()
    if len(value) > 50:
        problems.add(f"{where}:tags", "config must be less than the limit of 50 tags")
    return tuple(dict.fromkeys(value))


def parse_timeout(where: str, value: object, problems: Problems) -> int | None:
    if value is None:
        return None
    seconds = parse_duration(value)
    if not seconds:
        problems.add(f"{where}:timeout", "config should be a duration")
    return seconds


def parse_inherit(where: str, value: object, problems: Problems) -> Inherit:
    if value is None:
        return Inherit()
    place = f"{where}:inherit"
    if not isinstance(value, dict):
        problems.add(place, "config should be a hash")
        return Inherit()
    Entry(place, value, problems).allow_keys(("default", "variables"))
    parts: list[bool | tuple[str, ...]] = []
    for key in ("default", "variables"):
        given = value.get(key)
        if given is None or isinstance(given, bool):
            parts.append(given is not False)
        elif is_strings(given):
            unknown = [name for name in given if key == "default" and name not in DEFAULT_KEYS]
            if unknown:
                problems.add(f"{place}:default", f"config contains unknown values: {', '.join(unknown)}")
            parts.append(tuple(given))
        else:
            problems.add(f"{place}:{key}", "should be a bool or array of strings")
            parts.append(True)
    return Inherit(*parts)
