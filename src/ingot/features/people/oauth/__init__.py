"""OAuth 2 and OpenID Connect provider: applications, grants, tokens and who their people are."""

from ingot.features.people.oauth.authorizing import (
    AuthorizationRequest,
    Redirected,
    grant_code,
    needs_consent,
    read_request,
)
from ingot.features.people.oauth.commands import create_application, delete_application, renew_secret
from ingot.features.people.oauth.errors import OAuthError
from ingot.features.people.oauth.grants.device_code import answer_device, find_device_grant
from ingot.features.people.oauth.openid import direct_groups
from ingot.features.people.oauth.queries import (
    authorized_applications,
    find_application,
    list_applications,
)
from ingot.features.people.oauth.redirects import origin_of
from ingot.features.people.oauth.rows import ApplicationRow, DeviceGrantRow
from ingot.features.people.oauth.scopes import SCOPES

__all__ = [
    "SCOPES",
    "ApplicationRow",
    "AuthorizationRequest",
    "DeviceGrantRow",
    "OAuthError",
    "Redirected",
    "answer_device",
    "authorized_applications",
    "create_application",
    "delete_application",
    "direct_groups",
    "find_application",
    "find_device_grant",
    "grant_code",
    "list_applications",
    "needs_consent",
    "origin_of",
    "read_request",
    "renew_secret",
]
