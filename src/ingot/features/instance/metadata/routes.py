"""Endpoints for the version. Clients compare it with GitLab's, so GitLab's is reported."""

from ingot import __version__
from ingot.access.call import Call
from ingot.access.policy import SIGNED_IN
from ingot.features.instance.metadata import COMPATIBLE_VERSION
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity

routes = Routes("Metadata", guard=SIGNED_IN, scopes=("read_user", "ai_features"))


class Kas(Entity):
    """The agent server for Kubernetes, which is not part of this service."""

    enabled: bool
    externalUrl: str | None  # noqa: N815 - wire name
    externalK8sProxyUrl: str | None  # noqa: N815 - wire name
    version: str | None


class Metadata(Entity):
    """The version of the API that clients may expect, and our own as the revision."""

    version: str
    revision: str
    kas: Kas
    enterprise: bool


def _metadata(call: Call) -> Metadata:
    enterprise = call.services.settings.tier != "free"
    return Metadata(
        version=f"{COMPATIBLE_VERSION}-ee" if enterprise else COMPATIBLE_VERSION,
        revision=f"ingot-{__version__}",
        kas=Kas(enabled=False, externalUrl=None, externalK8sProxyUrl=None, version=None),
        enterprise=enterprise,
    )


@routes.get("/metadata", returns=Metadata, brief=True)
def get_metadata(call: Call) -> Answer:
    """The version of this instance."""
    return _metadata(call)


@routes.get("/version", returns=Metadata, brief=True)
def get_version(call: Call) -> Answer:
    """The version of this instance, under its older name."""
    return _metadata(call)
