"""Scopes that applications may have, and what the consent page says about them."""

from ingot.features.people.oauth.errors import OAuthError

SCOPES = {
    "api": "Full access to the API with your permissions.",
    "read_api": "Read access to the API with your permissions.",
    "read_user": "Read your profile.",
    "read_repository": "Read the repositories that you can read.",
    "write_repository": "Read and push to the repositories that you can push to.",
    "read_registry": "Read the registries that you can read.",
    "write_registry": "Write to the registries that you can write to.",
    "create_runner": "Create runners.",
    "manage_runner": "Manage runners.",
    "k8s_proxy": "Act as you through the Kubernetes proxy.",
    "ai_features": "Use AI features.",
    "sudo": "Act as any user, if you are an administrator.",
    "admin_mode": "Use your administrator access.",
    "read_service_ping": "Read usage metrics of this instance, if you are an administrator.",
    "read_observability": "Read observability data in your groups.",
    "write_observability": "Change observability data in your groups.",
    "openid": "Know who you are.",
    "profile": "Read your name, picture and groups.",
    "email": "Read your email address.",
}
DEFAULT = "api"


def parse_scopes(text: str) -> list[str]:
    """The words of a scope parameter, each once; spaces or commas lie between them."""
    return list(dict.fromkeys(text.replace(",", " ").split()))


def requested_scopes(text: str, allowed: list[str]) -> list[str]:
    """What a client asks for, within what its application has; without a request, the default or all of it."""
    scopes = parse_scopes(text)
    if not scopes:
        return [DEFAULT] if DEFAULT in allowed else list(allowed)
    if not set(scopes) <= set(allowed):
        raise OAuthError("invalid_scope")
    return scopes
