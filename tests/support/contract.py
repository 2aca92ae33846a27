"""The contract check: every answer that the suite sees is compared with the generated description."""

import json
import re
from typing import Any
from weakref import WeakKeyDictionary

import httpx
import jsonschema_rs

from ingot.kit import openapi
from ingot.kit.endpoint import Binary, Endpoint
from ingot.kit.routing import Router
from tests.support import traffic

_FRACTION = re.compile(r"\"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+|[+-]\d\d:?\d\d)")
_REFERENCE = re.compile(r'"#/components/schemas/([^"]+)"')
_contracts: dict[tuple[int, ...], "Contract"] = {}
_of_routers: WeakKeyDictionary[Router, "Contract"] = WeakKeyDictionary()


def contract_of(router: Router) -> "Contract":
    """The contract of a server's endpoints, made once for all servers that have the same ones."""
    contract = _of_routers.get(router)
    if contract is None:
        key = tuple(map(id, router.endpoints))
        contract = _contracts[key] if key in _contracts else _contracts.setdefault(key, Contract(router))
        _of_routers[router] = contract
    return contract


class Contract:
    """Declared statuses and schemas by endpoint."""

    def __init__(self, router: Router) -> None:
        self.router = router
        self.document = openapi.describe(router.endpoints, "test")
        self._paths = openapi.public_paths([one for one in router.endpoints if not one.hidden])
        self._validators: dict[tuple[str, str, int], Any] = {}
        self.seen: set[tuple[str, str]] = set()

    def check(self, method: str, raw_path: str, response: httpx.Response) -> None:
        """Raise an AssertionError that says how the answer differs from the description."""
        endpoint = self._endpoint(method, raw_path)
        if endpoint is None or endpoint.hidden or self._is_route_error(response):
            return
        self.seen.add((endpoint.method, endpoint.path))
        path = self._paths[endpoint.path]
        responses = self.document["paths"][path][endpoint.method.lower()]["responses"]
        name = f"{method} {endpoint.path} -> {response.status_code}"
        assert str(response.status_code) in responses, f"{name} is not declared; body: {response.text[:300]}"
        assert response.status_code < 500 or response.status_code in (503, 507), f"{name}: {response.text[:300]}"
        if traffic.recording is not None and (method, response.status_code) == (endpoint.method, endpoint.status):
            traffic.recording.note(endpoint.name, response)
        if not response.content or method == "HEAD":
            return
        is_json = response.headers.get("content-type", "").startswith("application/json")
        if not is_json or (isinstance(endpoint.returns, Binary) and response.status_code < 300):
            return
        self._validate(endpoint, path, response, name)

    def _validate(self, endpoint: Endpoint, path: str, response: httpx.Response, name: str) -> None:
        key = (endpoint.method, path, response.status_code)
        if key not in self._validators:
            entry = self.document["paths"][path][endpoint.method.lower()]["responses"][str(response.status_code)]
            schema = entry.get("content", {}).get("application/json", {}).get("schema")
            assert schema is not None, f"{name} declares no body; body: {response.text[:300]}"
            self._validators[key] = jsonschema_rs.Draft202012Validator({**schema, "components": self._needed(schema)})
        problems = [
            f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}"
            for error in self._validators[key].iter_errors(response.json())
        ]
        assert not problems, f"{name} differs from its description: {problems[:5]}"
        # The log of a hook shows what was sent, where commits have the time zone of their committer.
        if response.status_code < 300 and not endpoint.path.endswith("/hooks/{hook_id}/events"):
            result = _FRACTION.search(response.text)
            assert result is None, f"{name} shows a time that is not YYYY-MM-DDTHH:MM:SSZ: {result}"

    def _needed(self, schema: Any) -> dict[str, Any]:
        """The schemas that one refers to, near or far: a validator that held all of them would take megabytes."""
        schemas, result = self.document["components"]["schemas"], {}
        waiting = [schema]
        while waiting:
            for name in _REFERENCE.findall(json.dumps(waiting.pop())):
                if name not in result:
                    result[name] = schemas[name]
                    waiting.append(schemas[name])
        return {"schemas": result}

    def _endpoint(self, method: str, raw_path: str) -> Endpoint | None:
        from ingot.kit import wire
        from ingot.kit.errors import ApiError

        try:
            segments = wire.path_segments(raw_path.encode())
        except ApiError:
            return None
        match = self.router.match(segments[3:]) if segments[:3] == ["", "api", "v4"] else None
        if match is None:
            return None
        return match.methods.get(method) or (match.methods.get("GET") if method == "HEAD" else None)

    def _is_route_error(self, response: httpx.Response) -> bool:
        return response.text in ('{"error":"404 Not Found"}', '{"error":"405 Not Allowed"}')
