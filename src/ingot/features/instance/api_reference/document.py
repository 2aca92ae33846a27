"""The description of this instance's API, made once."""

from typing import Any

from ingot import __version__
from ingot.kit.openapi import describe
from ingot.kit.services import Services


def document_of(services: Services) -> dict[str, Any]:
    """The OpenAPI document of all registered endpoints."""
    held = services.extra
    if "openapi" not in held:
        held["openapi"] = describe(held["router"].endpoints, __version__)
    result: dict[str, Any] = held["openapi"]
    return result
