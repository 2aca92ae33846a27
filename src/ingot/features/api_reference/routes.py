"""The generated description of every endpoint."""

from typing import Any

from ingot import __version__
from ingot.access.policy import ANYONE
from ingot.kit.call import Call
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.openapi import describe

routes = Routes("API description")


@routes.get("/openapi.json", guard=ANYONE, returns=dict[str, Any])
def get_openapi(call: Call) -> Answer:
    """This API as an OpenAPI 3.1 document."""
    held = call.services.extra
    if "openapi" not in held:
        held["openapi"] = describe(held["router"].endpoints, __version__)
    return held["openapi"]
