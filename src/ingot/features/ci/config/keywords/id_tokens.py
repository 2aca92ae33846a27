"""`id_tokens`, and the keywords about secrets that are checked but have no effect here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.shapes import is_strings_or_string


def parse_id_tokens(where: str, value: object, problems: Problems) -> dict[str, str | list[str]]:
    """Names of variables, each with the audience of its token."""
    tokens: Any = value or {}
    if not _are_hashes(tokens):
        problems.add(f"{where}:id_tokens", "config should be a hash of hashes")
        return {}
    result: dict[str, str | list[str]] = {}
    for name, token in tokens.items():
        audience = token.get("aud")
        if not is_strings_or_string(audience) or not audience:
            problems.add(f"{where}:id_tokens:{name}", "aud should be a string or an array of strings")
        else:
            result[str(name)] = audience
    return result


def check_secrets(where: str, value: Mapping[str, object], problems: Problems) -> None:
    """Secrets from other services: valid ones are ignored with a warning."""
    if value.get("secrets") is not None and not _are_hashes(value["secrets"]):
        problems.add(f"{where}:secrets", "config should be a hash of hashes")
    if value.get("identity") is not None and not isinstance(value["identity"], str):
        problems.add(f"{where}:identity", "config should be a string")
    unused = [key for key in ("secrets", "identity") if value.get(key)]
    if unused:
        problems.warn(where, f"config has no effect on this server: {', '.join(unused)}")


def _are_hashes(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(item, dict) for item in value.values())
