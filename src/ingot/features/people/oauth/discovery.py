"""What clients can find out about the provider by themselves."""

from ingot.features.people.oauth.authorizing import RESPONSE_MODES
from ingot.features.people.oauth.grants import GRANTS
from ingot.features.people.oauth.pkce import METHODS
from ingot.features.people.oauth.scopes import SCOPES

CLAIMS = (
    "iss", "sub", "sub_legacy", "aud", "exp", "iat", "auth_time", "nonce", "name", "nickname", "preferred_username",
    "email", "email_verified", "website", "profile", "picture", "groups", "groups_direct",
    "https://gitlab.org/claims/groups/owner", "https://gitlab.org/claims/groups/maintainer",
    "https://gitlab.org/claims/groups/developer",
)  # fmt: skip
ISSUER = "http://openid.net/specs/connect/1.0/issuer"


def configuration(base_url: str, *, has_password_grant: bool) -> dict[str, object]:
    """The discovery document of OpenID Connect, which is that of OAuth 2 as well."""
    hidden = {"device_code"} if has_password_grant else {"device_code", "password"}
    return {
        "issuer": base_url,
        "authorization_endpoint": f"{base_url}/oauth/authorize",
        "token_endpoint": f"{base_url}/oauth/token",
        "revocation_endpoint": f"{base_url}/oauth/revoke",
        "introspection_endpoint": f"{base_url}/oauth/introspect",
        "userinfo_endpoint": f"{base_url}/oauth/userinfo",
        "device_authorization_endpoint": f"{base_url}/oauth/authorize_device",
        "jwks_uri": f"{base_url}/oauth/discovery/keys",
        "scopes_supported": list(SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": list(RESPONSE_MODES),
        "grant_types_supported": [name for name in GRANTS if name not in hidden],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "claim_types_supported": ["normal"],
        "claims_supported": list(CLAIMS),
        "code_challenge_methods_supported": list(METHODS),
    }


def webfinger(base_url: str, resource: str) -> dict[str, object]:
    """Where the provider of a resource is."""
    return {"subject": resource, "links": [{"rel": ISSUER, "href": base_url}]}
