"""One delivery: the request as the receiver sees it, the attempt, and what came of it."""

import base64
import hashlib
import hmac
import ssl
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from uuid import uuid4

import msgspec

from ingot import __version__
from ingot.features.integrations.web_hooks.addresses import filled_in, without_user
from ingot.features.integrations.web_hooks.errors import InvalidUrl
from ingot.features.integrations.web_hooks.kinds import KINDS, SYSTEM
from ingot.features.integrations.web_hooks.pairs import opened
from ingot.features.integrations.web_hooks.rows import WebHookRow
from ingot.features.integrations.web_hooks.templates import TemplateFailed, render
from ingot.kit.outbound import Limits, Outbound, OutboundFailed, Rules, UrlRefused
from ingot.kit.outbound.client import Body
from ingot.kit.sealing import unseal
from ingot.kit.services import Services

LARGEST = 25 * 1024 * 1024
KEPT_BODY, KEPT_HEADERS, KEPT_VALUE = 8192, 50, 1024


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent; a final payload was made by the hook's template before."""

    flag: str | None
    payload: Mapping[str, object]
    event_uuid: str
    idempotency_key: str
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
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


async def send(services: Services, rules: Rules, hook: WebHookRow, request: Request, base_url: str) -> Outcome:
    """Send now. Never raises for what a receiver, an address or a template does."""
    headers = _headers(services, hook, request, base_url)
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
        status, answered, text = await _post(services, rules, hook, url, headers, body)
    except (UrlRefused, OutboundFailed, TemplateFailed, InvalidUrl) as error:
        return Outcome(url, headers, data, time.monotonic() - started, body=_sentence(error))
    return Outcome(url, headers, data, time.monotonic() - started, status, answered, text)


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


async def _post(
    services: Services, rules: Rules, hook: WebHookRow, url: str, headers: dict[str, str], body: bytes
) -> tuple[int, dict[str, str], str]:
    bare, user = without_user(url)
    if user is not None:
        encoded = base64.b64encode(f"{user[0]}:{user[1]}".encode()).decode()
        headers = {**headers, "Authorization": f"Basic {encoded}"}
    seconds = services.settings.webhook_timeout
    limits = Limits(total=seconds, connect=seconds, read=seconds)
    sent = Body(_once(body), len(body))
    async with _client(services, hook).request("POST", bare, rules, headers=headers, body=sent, limits=limits) as reply:
        text = await reply.text(KEPT_BODY)
        kept = list(reply.headers.items())[:KEPT_HEADERS]
        return reply.status, {name: value[:KEPT_VALUE] for name, value in kept}, text.replace("\0", "")


def _client(services: Services, hook: WebHookRow) -> Outbound:
    if services.outbound is not None:
        return services.outbound
    if hook.enable_ssl_verification:
        return Outbound()
    unchecked = ssl.create_default_context()
    unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
    return Outbound(tls=unchecked)


async def _once(body: bytes) -> AsyncIterator[bytes]:
    yield body
