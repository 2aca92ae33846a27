"""A runner as seen from the wire: raw requests with the headers and bodies that the real program sends."""

import io
import json
import uuid
import zipfile
from collections.abc import Iterator
from typing import Any

import httpx

from tests.support.client import Client
from tests.support.world import World

FEATURES = (
    "variables", "image", "services", "artifacts", "cache", "fallback_cache_keys", "shared",
    "upload_multiple_artifacts", "upload_raw_artifacts", "refspecs", "masking", "raw_variables", "artifacts_exclude",
    "multi_build_steps", "trace_reset", "trace_checksum", "trace_size", "cancelable", "return_exit_code",
    "cancel_gracefully",
)  # fmt: skip
INFO = {
    "name": "gitlab-runner",
    "version": "19.4.0",
    "revision": "abcdef01",
    "platform": "linux",
    "architecture": "amd64",
    "executor": "shell",
    "shell": "bash",
    "features": dict.fromkeys(FEATURES, True),
    "config": {"gpus": ""},
}


def zipped(files: dict[str, bytes | str], stored: bool = False) -> bytes:
    """A zip archive with these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0))  # the same bytes whenever it is made
            archive.writestr(entry, content, archive.compression)
    return out.getvalue()


class WireRunner:
    """One runner with its token; `take()` gives running jobs."""

    def __init__(self, world: World, token: str, features: tuple[str, ...] = FEATURES) -> None:
        self.client: Client = world.server.client(None)
        self.token = token
        self.system_id = f"s_{uuid.uuid4().hex[:12]}"
        self.info = {**INFO, "features": dict.fromkeys(features, True)}
        self.last_update = ""

    def ask(self) -> httpx.Response:
        """POST /jobs/request."""
        body = {"info": self.info, "token": self.token, "system_id": self.system_id, "last_update": self.last_update}
        answer = self.client.post(
            "/jobs/request", json=body, headers={"RUNNER-TOKEN": self.token, "Accept": "application/json"}
        )
        self.last_update = answer.headers.get("x-gitlab-last-update", self.last_update)
        return answer

    def take(self) -> "WireJob":
        """The next job, which must be there."""
        answer = self.ask()
        assert answer.status_code == 201, f"{answer.status_code} {answer.text}"
        assert answer.headers["content-type"] == "application/json"
        return WireJob(self.client, answer.json())


class WireJob:
    """A job that was handed out."""

    def __init__(self, client: Client, response: dict[str, Any]) -> None:
        self.client = client
        self.response = response
        self.id: int = response["id"]
        self.name: str = response["job_info"]["name"]
        self.token: str = response["token"]
        self.headers = {"JOB-TOKEN": self.token}

    def variable(self, key: str) -> str | None:
        """The value of a variable, as the runner sees it."""
        return next((one["value"] for one in reversed(self.response["variables"]) if one["key"] == key), None)

    def patch(self, start: int, content: bytes, **headers: str) -> httpx.Response:
        """PATCH /jobs/:id/trace."""
        sent = {
            **self.headers,
            "Content-Type": "text/plain",
            "Content-Range": f"{start}-{start + len(content) - 1}",
            **headers,
        }
        return self.client.patch(f"/jobs/{self.id}/trace?debug_trace=false", content=content, headers=sent)

    def update(self, state: str, **more: Any) -> httpx.Response:
        """PUT /jobs/:id."""
        body = {"info": INFO, "token": self.token, "state": state, **more}
        return self.client.put(f"/jobs/{self.id}", json=body, headers=self.headers)

    def upload(
        self, content: bytes, kind: str = "archive", form: str = "zip", name: str = "artifacts.zip", **query: str
    ) -> httpx.Response:
        """POST /jobs/:id/artifacts: one part, chunked, no length, options in the query."""
        boundary = uuid.uuid4().hex
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        ).encode()

        def body() -> Iterator[bytes]:
            yield head
            for start in range(0, len(content), 50_000):
                yield content[start : start + 50_000]
            yield f"\r\n--{boundary}--\r\n".encode()

        params = {"artifact_format": form, "artifact_type": kind, **query}
        return self.client.request(
            "POST",
            f"/jobs/{self.id}/artifacts",
            params=params,
            content=body(),
            headers={**self.headers, "Content-Type": f"multipart/form-data; boundary={boundary}"},
        )

    def succeed(self, **more: Any) -> None:
        """End it well."""
        answer = self.update("success", **more)
        assert answer.status_code == 200, f"{answer.status_code} {answer.text}"

    def fail(self, reason: str = "script_failure", **more: Any) -> None:
        """End it badly."""
        answer = self.update("failed", failure_reason=reason, **more)
        assert answer.status_code == 200, f"{answer.status_code} {answer.text}"


def project_runner(world: World, project: dict[str, Any], **more: Any) -> WireRunner:
    """A runner of one project."""
    body = {"runner_type": "project_type", "project_id": project["id"], **more}
    created = world.admin.ok("POST", "/user/runners", json=body)
    return WireRunner(world, created["token"])


def body_of(response: httpx.Response) -> Any:
    """The JSON of an answer."""
    return json.loads(response.content)
