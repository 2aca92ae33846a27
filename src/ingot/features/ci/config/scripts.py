"""Command lists: `script`, `before_script`, `after_script`, `hooks`, `run`."""

from __future__ import annotations

from typing import Any

from ingot.features.ci.config.budget import Budget
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.shapes import MAX_NESTING, Entry, flatten


def parse_script(where: str, key: str, value: object, problems: Problems, budget: Budget) -> tuple[str, ...]:
    """The lines of a command list that may be nested, or a single string."""
    if value is None:
        return ()
    lines = flatten(value, budget)
    if lines is None or not all(isinstance(line, str) for line in lines):
        problems.add(
            f"{where}:{key}", f"config should be a string or a nested array of strings up to {MAX_NESTING} levels deep"
        )
        return ()
    return tuple(lines)


def parse_hooks(where: str, value: object, problems: Problems, budget: Budget) -> tuple[str, ...]:
    """The lines to run before sources are fetched."""
    if value is None:
        return ()
    place = f"{where}:hooks"
    if not isinstance(value, dict):
        problems.add(place, "config should be a hash")
        return ()
    Entry(place, value, problems).allow_keys(("pre_get_sources_script",))
    return parse_script(place, "pre_get_sources_script", value.get("pre_get_sources_script"), problems, budget)


def parse_run(where: str, value: object, problems: Problems) -> tuple[dict[str, Any], ...] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not value or not all(isinstance(step, dict) for step in value):
        problems.add(f"{where}:run", "config should be an array of hashes")
        return None
    for step in value:
        if not isinstance(step.get("name"), str) or ("script" in step) == ("step" in step):
            problems.add(f"{where}:run", "config each step needs a name and exactly one of: script, step")
            return None
    return tuple(value)
