"""Addresses of the provider that clients call: tokens, what is known about them, and the discovery documents."""

import logging
from collections.abc import Callable
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ingot.features.people.oauth.clients import client_credentials
from ingot.features.people.oauth.discovery import configuration, webfinger
from ingot.features.people.oauth.errors import OAuthError, missing
from ingot.features.people.oauth.grants import GRANTS, TokenRequest
from ingot.features.people.oauth.grants.device_code import begin_device_grant
from ingot.features.people.oauth.inspecting import introspect, require_token, revoke_token, token_info
from ingot.features.people.oauth.openid import id_token, userinfo
from ingot.features.people.user_pages import base_url
from ingot.identity.signing_keys import public_keys
from ingot.instance.throttling import address_name
from ingot.kit import cors, wire
from ingot.kit.errors import ApiError, Malformed, ParamError, render
from ingot.kit.faults import as_api_error
from ingot.kit.services import Services

log = logging.getLogger("ingot.oauth")
MAX_BODY = 100_000
UNSTORED = {"Cache-Control": "no-store", "Pragma": "no-cache"}
EVERYWHERE = {"Access-Control-Allow-Origin": "*"}
Values = dict[str, str]
Answer = Callable[[Request, Values], object]


def pages(services: Services) -> list[Route]:
    """The routes of the provider."""
    provider = Provider(services)

    def route(path: str, answer: Answer, *methods: str) -> Route:
        return Route(path, partial(provider.respond, answer), methods=[*methods, "OPTIONS"])

    return [
        route("/oauth/token", provider.issue_token, "POST"),
        route("/oauth/authorize_device", provider.begin_device, "POST"),
        route("/oauth/token/info", provider.show_token, "GET"),
        route("/oauth/introspect", provider.introspect_token, "POST"),
        route("/oauth/revoke", provider.revoke, "POST"),
        route("/oauth/userinfo", provider.show_user, "GET", "POST"),
        route("/oauth/discovery/keys", provider.list_keys, "GET"),
        route("/-/jwks", provider.list_keys, "GET"),
        route("/.well-known/openid-configuration", provider.configure, "GET"),
        route("/.well-known/oauth-authorization-server", provider.configure, "GET"),
        route("/.well-known/webfinger", provider.finger, "GET"),
    ]


class Provider:
    """The handlers, over the services of the application."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def respond(self, answer: Answer, request: Request) -> Response:
        """One answer in JSON; what is wrong is said in the form of OAuth 2. Pages of other sites may read it."""
        if request.method == "OPTIONS":
            return cors.preflight(request)
        try:
            values = await _read(request)
            result = await self.services.pools.run(lambda: answer(request, values), wide=True)
            response = Response(msgspec.json.encode(result), media_type="application/json", headers=UNSTORED)
        except OAuthError as error:
            response = render(error)
            response.headers.update(UNSTORED)
        except ApiError as error:
            response = render(error)
        except Exception as error:
            known = as_api_error(error)
            if known is None:
                log.exception("request failed", extra={"path": request.url.path})
                known = _Unexpected()
            response = render(known)
        response.headers.update(EVERYWHERE)
        return response

    def issue_token(self, request: Request, values: Values) -> object:
        """Exchange a grant for tokens."""
        if not values.get("grant_type"):
            raise missing("grant_type")
        redeem = GRANTS.get(values["grant_type"])
        if redeem is None:
            raise OAuthError("unsupported_grant_type")
        token_request = self._request(request, values)
        issued = redeem(token_request)
        result = issued.answer()
        if "openid" in issued.row.scopes and issued.row.user_id is not None and token_request.client_id:
            result["id_token"] = id_token(self.services, issued, token_request.client_id, token_request.base_url)
        return result

    def begin_device(self, request: Request, values: Values) -> object:
        """Codes for a device."""
        return begin_device_grant(self._request(request, values))

    def show_token(self, request: Request, values: Values) -> object:
        """About the token of this request."""
        with self.services.db.read() as conn:
            return token_info(conn, _bearer(request) or values.get("access_token", ""))

    def introspect_token(self, request: Request, values: Values) -> object:
        """About another token."""
        with self.services.db.read() as conn:
            return introspect(conn, values.get("token", ""), _client(request, values), _bearer(request))

    def revoke(self, request: Request, values: Values) -> object:
        """Take a token back."""
        with self.services.db.write() as tx:
            revoke_token(tx, values, _client(request, values))
        self.services.tokens.forget()
        return {}

    def show_user(self, request: Request, values: Values) -> object:
        """Who the user of a token is."""
        with self.services.db.read() as conn:
            token = require_token(conn, _bearer(request) or values.get("access_token", ""))
            if token.user_id is None or "openid" not in token.scopes:
                raise OAuthError("invalid_token")
            return userinfo(self.services, conn, token.user_id, token.scopes, base_url(self.services, request))

    def list_keys(self, _: Request, __: Values) -> object:
        """The keys that verify identity tokens."""
        return {"keys": public_keys(self.services)}

    def configure(self, request: Request, _: Values) -> object:
        """The discovery document."""
        has_password_grant = self.services.settings.oauth_password_grant
        return configuration(base_url(self.services, request), has_password_grant=has_password_grant)

    def finger(self, request: Request, values: Values) -> object:
        """Where the provider of a resource is."""
        if not values.get("resource"):
            raise missing("resource")
        return webfinger(base_url(self.services, request), values["resource"])

    def _request(self, request: Request, values: Values) -> TokenRequest:
        uid, secret = _client(request, values)
        return TokenRequest(self.services, values, uid, secret, base_url(self.services, request), address_name(request))


class _Unexpected(ApiError):
    """500 Internal Server Error"""

    status = 500


async def _read(request: Request) -> Values:
    """The parameters: of the address when reading, else of the body. A secret has no place in an address."""
    try:
        if request.method in ("GET", "HEAD"):
            values = wire.query_values(request)
        else:
            values = dict(await wire.body_values(request, MAX_BODY))
            wire.close_uploads(values)
    except (Malformed, ParamError):
        raise OAuthError("invalid_request") from None
    return {name: value for name, value in values.items() if isinstance(value, str)}


def _client(request: Request, values: Values) -> tuple[str, str]:
    return client_credentials(request.headers.get("authorization", ""), values)


def _bearer(request: Request) -> str:
    scheme, _, rest = request.headers.get("authorization", "").partition(" ")
    return rest.strip() if scheme.lower() == "bearer" else ""
