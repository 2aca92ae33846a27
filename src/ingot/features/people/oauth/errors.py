"""Refusals of the provider: a code, and a sentence that clients show as it is."""

from ingot.kit.errors import ApiError

DESCRIPTIONS = {
    "invalid_request": (
        "The request is missing a required parameter, includes an unsupported parameter value, or is otherwise"
        " malformed."
    ),
    "invalid_client": (
        "Client authentication failed due to unknown client, no client authentication included, or unsupported"
        " authentication method."
    ),
    "invalid_grant": (
        "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the"
        " authorization request, or was issued to another client."
    ),
    "invalid_scope": "The requested scope is invalid, unknown, or malformed.",
    "unsupported_grant_type": "The authorization grant type is not supported by the authorization server.",
    "unsupported_response_type": "The authorization server does not support this response type.",
    "unauthorized_client": "The client is not authorized to perform this request using this method.",
    "access_denied": "The resource owner or authorization server denied the request.",
    "invalid_redirect_uri": "The redirect URI included is not valid.",
    "authorization_pending": "The authorization request is still pending as the end-user hasn't yet completed it.",
    "slow_down": "The client is polling too quickly.",
    "expired_token": "The device code has expired. Start again.",
    "login_required": "The authorization server requires end-user authentication.",
    "consent_required": "The authorization server requires end-user consent.",
    "invalid_token": "The access token is invalid",
}
UNAUTHORIZED = frozenset({"invalid_client", "unauthorized_client", "invalid_token"})


class OAuthError(ApiError):
    """An error in the form of OAuth 2."""

    def __init__(self, error: str, description: str | None = None) -> None:
        super().__init__(description or DESCRIPTIONS[error])
        self.error = error
        self.status = 401 if error in UNAUTHORIZED else 400
        if self.status == 401:
            self.headers["WWW-Authenticate"] = (
                f'Bearer realm="Doorkeeper", error="{error}", error_description="{self.text}"'
            )

    def body(self) -> object:
        """The form that clients read."""
        return {"error": self.error, "error_description": self.text}


def missing(name: str) -> OAuthError:
    """A parameter is missing."""
    return OAuthError("invalid_request", f"Missing required parameter: {name}.")
