"""The generated description of every endpoint."""

from typing import Any

from ingot.access.call import Call
from ingot.access.policy import ANYONE
from ingot.features.instance.api_reference.document import document_of
from ingot.kit.endpoint import Answer, Routes

routes = Routes("API description")


@routes.get("/openapi.json", guard=ANYONE, returns=dict[str, Any])
def get_openapi(call: Call) -> Answer:
    """This API as an OpenAPI 3.1 document."""
    return document_of(call.services)
