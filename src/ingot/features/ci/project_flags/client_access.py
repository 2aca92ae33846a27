"""The instance id of a project: what an application shows to read its flags. It follows from the server's secret."""

import base64
import hashlib
import hmac

from ingot.kit.services import Services

PREFIX = "glffct-"


def instance_id(services: Services, project_id: int) -> str:
    """The project's instance id."""
    digest = hmac.new(
        services.secret_key.encode(), f"feature flags of project {project_id}".encode(), hashlib.sha256
    ).digest()
    return PREFIX + base64.urlsafe_b64encode(digest[:18]).decode()


def is_instance_id(services: Services, project_id: int, given: str) -> bool:
    """Whether this is the project's instance id; it takes the same time for every wrong one."""
    return hmac.compare_digest(instance_id(services, project_id).encode(), given.encode("utf-8", "replace"))
