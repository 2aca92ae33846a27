"""Validation of settings beyond their type."""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from ingot.access.names import MAX_LENGTH, too_long
from ingot.features.instance.application_settings.catalog import BOUNDS
from ingot.gitstore.names import is_valid_branch
from ingot.kit.patterns import pattern
from ingot.kit.time_spans import is_never, parse_duration

LONGEST_TEXT = 1024
HEAVIEST = 100
_HOST = pattern(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")


def problems_of(name: str, value: object, storages: Iterable[str]) -> list[str]:
    """What is wrong with the value of a setting."""
    if isinstance(value, str):
        return _of_text(name, value)
    if name == "repository_storages_weighted" and isinstance(value, dict):
        return [text for storage, weight in value.items() for text in _of_weight(storage, weight, storages)]
    if isinstance(value, bool) or not isinstance(value, int):
        return []
    lowest, highest = BOUNDS.get(name, (0, 2**31 - 1))
    if value < lowest:
        return [f"must be greater than or equal to {lowest}"]
    return [f"must be less than or equal to {highest}"] if value > highest else []


def weights_of(sent: Mapping[str, object]) -> dict[str, Any]:
    """Weights as numbers, also where a form sent them as text."""
    return {
        storage: int(weight) if isinstance(weight, str) and weight.isdecimal() and len(weight) < 9 else weight
        for storage, weight in sent.items()
    }


def _of_text(name: str, value: str) -> list[str]:
    if len(value) > LONGEST_TEXT:
        return [too_long(LONGEST_TEXT)]
    match name:
        case "default_branch_name" if len(value) > MAX_LENGTH:
            return [too_long(MAX_LENGTH)]
        case "default_branch_name" if value and not is_valid_branch(value):
            return ["is invalid"]
        case "default_artifacts_expire_in" if value and not is_never(value) and parse_duration(value) is None:
            return ["is not a correct duration"]
        case "default_ci_config_path" if len(value) > MAX_LENGTH:
            return [too_long(MAX_LENGTH)]
        case "default_ci_config_path" if value.startswith("/") or ".." in value:
            return ["cannot include leading slash or directory traversal."]
        case "home_page_url" if value and not _is_web_address(value):
            return ["must be a valid URL"]
        case "after_sign_out_path" if value and not (_is_web_address(value) or _is_path(value)):
            return ["must be a path or a valid URL"]
        case "commit_email_hostname" if value and _HOST.fullmatch(value) is None:
            return ["must be the name of a host"]
    return []


def _of_weight(storage: str, weight: object, storages: Iterable[str]) -> list[str]:
    if storage not in storages:
        return [f"can't include: {storage}"]
    if isinstance(weight, bool) or not isinstance(weight, int):
        return [f"value for '{storage}' must be an integer"]
    return [] if 0 <= weight <= HEAVIEST else [f"value for '{storage}' must be between 0 and {HEAVIEST}"]


def _is_path(text: str) -> bool:
    return text.startswith("/") and not text.startswith("//") and "\\" not in text and text.isprintable()


def _is_web_address(text: str) -> bool:
    try:
        place = urlsplit(text)
        return place.scheme in ("http", "https") and bool(place.hostname)
    except ValueError:
        return False
