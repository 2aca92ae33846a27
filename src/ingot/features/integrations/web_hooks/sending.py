"""One delivery: the request as the receiver sees it, the attempt, and what came of it."""

import base64
import hashlib
import hmac
import ssl
import time
from collections.abc import AsyncIterator, Mapping
from functools import cache
from typing import NamedTuple
from uuid import uuid4

import msgspec

from ingot import __version__
from ingot.features.integrations.web_hooks.addresses import filled_in, without_user
from ingot.features.integrations.web_hooks.errors import InvalidUrl
from ingot.features.integrations.web_hooks.kinds import KINDS, SYSTEM
from ingot.features.integrations.web_hooks.pairs import opened
from ingot.features.integrations.web_hooks.redirects import MOST, Step, onward
from ingot.features.integrations.web_hooks.rows import WebHookRow
from ingot.features.integrations.web_hooks.templates import TemplateFailed, render
from ingot.kit.outbound import Limits, Outbound, OutboundFailed, Rules, UrlRefused
from ingot.kit.outbound.client import Body
from ingot.kit.sealing import unseal
from ingot.kit.services import Services

LARGEST = 25 * 1024 * 1024
KEPT_BODY, KEPT_HEADERS, KEPT_VALUE = 8192, 50, 1024


class Request(msgspec.Struct, frozen=True):
    """What is sent; a final payload was made by the hook's template before."""

    flag: str | None
    payload: Mapping[str, object]
    event_uuid: str
    idempotency_key: str
    is_final: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """What came of it: the receiver's answer, or why there was none."""

    url: str
    request_headers: dict[str, str]
    request_data: Mapping[str, object]
    seconds: float
    status: int | None = None
    headers: Mapping[str, str] | None = None
    body: str = ""

    @property
    def is_success(self) -> bool:
        """The receiver took it."""
        return self.status is not None and self.status < 400


class Delivery(NamedTuple):
    """A request to a hook as it was, and what came of it."""

    hook: WebHookRow
    request: Request
    outcome: Outcome


class Sender:
    """Sends to hooks, on one event loop and for some seconds: the names of receivers are not looked up each time."""

    def __init__(self, services: Services, base_url: str) -> None:
        self.base_url = base_url
        self._services = services
        self._clients: dict[bool, Outbound] = {}

    async def send(self, rules: Rules, hook: WebHookRow, request: Request) -> Delivery:
        """Send now. Never raises for what a receiver, an address or a template does."""
        return Delivery(hook, request, await self._send(rules, hook, request))

    async def _send(self, rules: Rules, hook: WebHookRow, request: Request) -> Outcome:
        services = self._services
        headers = _headers(services, hook, request, self.base_url)
        url, data = hook.url, request.payload
        started = time.monotonic()
        try:
            url = filled_in(hook.url, opened(services, hook.url_variables))
            if hook.custom_webhook_template and not request.is_final:
                data = {}
                data = render(hook.custom_webhook_template, request.payload)
            body = msgspec.json.encode(data)
            if len(body) > LARGEST:
                raise OutboundFailed(f"the message is larger than {LARGEST} bytes")
            headers |= _signature(services, hook, request, body)
            status, answered, text = await self._post(rules, hook, url, headers, body)
        except (UrlRefused, OutboundFailed, TemplateFailed, InvalidUrl) as error:
            return Outcome(url, headers, data, time.monotonic() - started, body=_sentence(error))
        return Outcome(url, headers, data, time.monotonic() - started, status, answered, text)

    async def _post(
        self, rules: Rules, hook: WebHookRow, url: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], str]:
        bare, user = without_user(url)
        if user is not None:
            encoded = base64.b64encode(f"{user[0]}:{user[1]}".encode()).decode()
            headers = {**headers, "Authorization": f"Basic {encoded}"}
        seconds = self._services.settings.webhook_timeout
        client, end = self._client(hook.enable_ssl_verification), time.monotonic() + seconds
        step = Step(bare, headers)
        for _hop in range(MOST + 1):
            left = max(0.001, end - time.monotonic())
            limits = Limits(total=left, connect=left, read=left, redirects=0)
            sent = Body(_once(body), len(body)) if step.method == "POST" else None
            asked = client.request(step.method, step.url, rules, headers=step.headers, body=sent, limits=limits)
            async with asked as reply:
                following = onward(step, reply, _without_secrets(hook, headers))
                if following is None:
                    text = await reply.text(KEPT_BODY)
                    received = list(reply.headers.items())[:KEPT_HEADERS]
                    return reply.status, {name: value[:KEPT_VALUE] for name, value in received}, text.replace("\0", "")
            step = following
        raise OutboundFailed(f"more than {MOST} redirects")

    def _client(self, is_verified: bool) -> Outbound:
        if is_verified not in self._clients:
            client = self._services.outbound or Outbound(tls=None if is_verified else _unchecked())
            self._clients[is_verified] = client.for_batch()
        return self._clients[is_verified]


@cache
def _unchecked() -> ssl.SSLContext:
    """For receivers whose certificate is not checked. Loading the certificates of the system takes milliseconds."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _sentence(error: Exception) -> str:
    return str(error) or type(error).__name__


def _headers(services: Services, hook: WebHookRow, request: Request, base_url: str) -> dict[str, str]:
    system = hook.kind == "system" or request.flag is None
    own = {
        "Content-Type": "application/json",
        "User-Agent": f"GitLab/{__version__}",
        "X-Gitlab-Event": (SYSTEM if system or request.flag is None else KINDS[request.flag]).header,
        "X-Gitlab-Instance": base_url,
        "X-Gitlab-Webhook-UUID": str(uuid4()),
        "X-Gitlab-Event-UUID": request.event_uuid,
        "Idempotency-Key": request.idempotency_key,
    }
    if hook.sealed_token is not None:
        own["X-Gitlab-Token"] = unseal(services, hook.sealed_token)
    taken = {name.lower() for name in own}
    custom = opened(services, hook.custom_headers)
    return {**{name: value for name, value in custom.items() if name.lower() not in taken}, **own}


def _without_secrets(hook: WebHookRow, headers: dict[str, str]) -> dict[str, str]:
    secret = {"authorization", "x-gitlab-token", *(name.lower() for name in hook.custom_headers)}
    return {name: value for name, value in headers.items() if name.lower() not in secret}


def _signature(services: Services, hook: WebHookRow, request: Request, body: bytes) -> dict[str, str]:
    if hook.sealed_signing_token is None:
        return {}
    moment = str(int(time.time()))
    key = unseal(services, hook.sealed_signing_token).encode()
    signed = f"{request.idempotency_key}.{moment}.".encode() + body
    digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": request.idempotency_key,
        "webhook-timestamp": moment,
        "webhook-signature": f"v1,{digest}",
    }


async def _once(body: bytes) -> AsyncIterator[bytes]:
    yield body
