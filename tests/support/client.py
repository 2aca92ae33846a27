"""The suite's HTTP client: short calls, and every answer checked against the API description."""

from typing import Any

import httpx

from ingot.kit.routing import Router
from tests.support import plain_http
from tests.support.contract import contract_of


class Client:
    """`client.get("/projects", search="x")`; `json=`, `data=`, `files=`, `headers=` as in httpx."""

    def __init__(self, url: str, router: Router, token: str | None) -> None:
        self.url = url
        self.token = token
        self._router = router
        headers = {"PRIVATE-TOKEN": token} if token is not None else {}
        self.http = plain_http.client(base_url=url, headers=headers)

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Any method; `path` is below /api/v4 unless it starts with /api or is absolute."""
        full = path if path.startswith(("/api", "http", "/-/")) else f"/api/v4{path}"
        response = self.http.request(method, full, **options)
        contract_of(self._router).check(method, response.request.url.raw_path.decode().partition("?")[0], response)
        return response

    def get(self, path: str, /, headers: dict[str, str] | None = None, **params: Any) -> httpx.Response:
        """GET with query parameters; `iids=[1, 2]` becomes `iids[]=1&iids[]=2`."""
        return self.request("GET", path, params=_query(params) or None, headers=headers)

    def head(self, path: str, /, **params: Any) -> httpx.Response:
        """HEAD with query parameters."""
        return self.request("HEAD", path, params=_query(params) or None)

    def post(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        """POST with a JSON body (or `data=`, `files=`)."""
        return self.request("POST", path, json=json, **options)

    def put(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        """PUT with a JSON body."""
        return self.request("PUT", path, json=json, **options)

    def patch(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        """PATCH with a JSON body."""
        return self.request("PATCH", path, json=json, **options)

    def delete(self, path: str, **options: Any) -> httpx.Response:
        """DELETE."""
        return self.request("DELETE", path, **options)

    def queries(self, path: str, **params: Any) -> int:
        """How many statements a GET runs, made anew; the smallest of three, as one may note the token's use."""
        answers = [self.get(path, headers={"Cache-Control": "no-cache"}, **params) for _ in range(3)]
        return min(int(answer.headers["X-Query-Count"]) for answer in answers)

    def ok(self, method: str, path: str, **options: Any) -> Any:
        """The JSON of a call that must succeed."""
        response = self.request(method, path, **options)
        assert response.status_code < 300, f"{method} {path}: {response.status_code} {response.text[:500]}"
        return response.json() if response.content else None


def _query(params: dict[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in params.items():
        if isinstance(value, list):
            pairs += [(f"{name}[]", str(item)) for item in value]
        elif isinstance(value, dict):
            for key, inner in value.items():
                items = inner if isinstance(inner, list) else [inner]
                suffix = "[]" if isinstance(inner, list) else ""
                pairs += [(f"{name}[{key}]{suffix}", str(item)) for item in items]
        elif isinstance(value, bool):
            pairs.append((name, "true" if value else "false"))
        elif value is not None:
            pairs.append((name.rstrip("_"), str(value)))
    return pairs
