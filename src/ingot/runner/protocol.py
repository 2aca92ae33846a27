"""The runner's side of the protocol: one method per call, retried where the protocol says so."""

import http.client
import json
import shutil
import socket
import ssl
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlencode, urlsplit

import msgspec

import ingot
from ingot.runner.job import Job

FEATURES = (
    "variables", "artifacts", "upload_multiple_artifacts", "upload_raw_artifacts", "refspecs", "masking",
    "raw_variables", "artifacts_exclude", "trace_checksum", "trace_size", "cancelable", "cancel_gracefully",
    "return_exit_code",
)  # fmt: skip
_RETRIED = frozenset((408, 429, 500, 502, 503, 504))
_TRIES = 5
_CHUNK = 256 * 1024
TIMEOUT = 60.0


class Refused(Exception):
    """The server refused the request, and repeating it would not help."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text if text.startswith(str(status)) else f"{status} {text}".strip())
        self.status = status


class Unreachable(Exception):
    """The server does not answer."""


def _why(error: Exception) -> str:
    """In words, without the number that the system has for it."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        """The sentence of a refusal."""
        try:
            reply = json.loads(self.body)
            return str(reply.get("message") or reply.get("error") or "") if isinstance(reply, dict) else ""
        except ValueError:
            return ""


class Coordinator:
    """The server, as a runner sees it."""

    def __init__(self, url: str, token: str, system_id: str) -> None:
        parts = urlsplit(url.rstrip("/").removesuffix("/ci"))
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError(f"{url} is not a valid server URL; use one like http://127.0.0.1:8080")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._prefix = f"{parts.path.rstrip('/')}/api/v4"
        self._token = token
        self._system_id = system_id
        self._last_update = ""
        self._asking: http.client.HTTPConnection | None = None

    @property
    def info(self) -> dict[str, Any]:
        """What this runner is and can do."""
        return {
            "name": "ingot-runner",
            "version": ingot.__version__,
            "executor": "shell",
            "shell": "bash",
            "features": dict.fromkeys(FEATURES, True),
        }

    def verify(self) -> int:
        """The runner's id, if its token is good."""
        answer = self._json("POST", "/runners/verify", {"token": self._token, **self._about()})
        if answer.status != 200:
            raise Refused(answer.status, answer.text)
        return int(json.loads(answer.body)["id"])

    def request_job(self, *, wait: bool) -> Job | None:
        """A job to run, or None; `wait` lets the server answer when there is one. `hang_up` ends that."""
        body = {"token": self._token, "last_update": self._last_update if wait else "", **self._about()}
        headers = {"Content-Type": "application/json", "Accept": "application/json", "RUNNER-TOKEN": self._token}
        try:
            answer = self._once("POST", "/jobs/request", headers, json.dumps(body).encode(), can_hang_up=True)
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(_why(error)) from error
        if answer.status == 201:
            return msgspec.json.decode(answer.body, type=Job)
        if answer.status == 204:
            self._last_update = answer.headers.get("X-GitLab-Last-Update", "")
        elif answer.status != 409:
            raise Refused(answer.status, answer.text)
        return None

    def hang_up(self) -> None:
        """End a request for a job that is being waited for; from another thread, or a signal's handler."""
        asking = self._asking
        if asking is not None and asking.sock is not None:
            with suppress(OSError):
                asking.sock.shutdown(socket.SHUT_RDWR)

    def patch_trace(self, job_id: int, token: str, start: int, content: bytes) -> Answer:
        """Send a piece of the log."""
        headers = {
            "JOB-TOKEN": token,
            "Content-Type": "text/plain",
            "Content-Range": f"{start}-{start + len(content) - 1}",
        }
        return self._send("PATCH", f"/jobs/{job_id}/trace?debug_trace=false", headers, content)

    def update_job(self, job_id: int, token: str, state: str, **more: object) -> Answer:
        """Report the state of the job."""
        body = {"info": self.info, "token": token, "state": state, **more}
        return self._json("PUT", f"/jobs/{job_id}", body, {"JOB-TOKEN": token})

    def upload(self, job_id: int, token: str, path: Path, name: str, options: dict[str, str]) -> None:
        """Send an artifact: one part, in chunks, the options in the query."""
        boundary = uuid.uuid4().hex
        place = f"/jobs/{job_id}/artifacts?{urlencode(options)}"
        headers = {"JOB-TOKEN": token, "Content-Type": f"multipart/form-data; boundary={boundary}"}
        answer = self._send("POST", place, headers, lambda: _multipart(path, name, boundary))
        if answer.status != 201:
            raise Refused(answer.status, answer.text)

    def download(self, job_id: int, token: str, target: Path) -> None:
        """Fetch the archive of another job into a file."""
        connection = self._connect()
        try:
            connection.request("GET", f"{self._prefix}/jobs/{job_id}/artifacts", headers={"JOB-TOKEN": token})
            response = connection.getresponse()
            if response.status != 200:
                raise Refused(response.status, response.reason)
            with target.open("wb") as file:
                shutil.copyfileobj(response, file, _CHUNK)
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(_why(error)) from error
        finally:
            connection.close()

    def _about(self) -> dict[str, Any]:
        return {"info": self.info, "system_id": self._system_id}

    def _json(
        self, method: str, path: str, body: Mapping[str, object], headers: dict[str, str] | None = None
    ) -> Answer:
        sent = {"Content-Type": "application/json", "Accept": "application/json", **(headers or {})}
        if not path.startswith("/jobs/"):
            sent["RUNNER-TOKEN"] = self._token
        return self._send(method, path, sent, json.dumps(body).encode())

    def _send(
        self, method: str, path: str, headers: dict[str, str], body: bytes | Callable[[], Iterator[bytes]]
    ) -> Answer:
        pause = 0.2
        for attempt in range(1, _TRIES + 1):
            try:
                answer = self._once(method, path, headers, body() if callable(body) else body)
            except (OSError, http.client.HTTPException) as error:
                if attempt == _TRIES:
                    raise Unreachable(_why(error)) from error
            else:
                if answer.status not in _RETRIED or attempt == _TRIES:
                    return answer
                retry_after = answer.headers.get("Retry-After", "")
                pause = max(pause, min(60.0, float(retry_after))) if retry_after.isdigit() else pause
            time.sleep(pause)
            pause = min(60.0, pause * 3)
        raise Unreachable("no response")

    def _once(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        body: bytes | Iterator[bytes],
        *,
        can_hang_up: bool = False,
    ) -> Answer:
        connection = self._connect()
        if can_hang_up:
            self._asking = connection
        try:
            is_stream = not isinstance(body, bytes)
            sent = {"User-Agent": f"ingot-runner {ingot.__version__}", **headers}
            if is_stream:
                sent["Transfer-Encoding"] = "chunked"
            connection.request(method, self._prefix + path, body=body, headers=sent, encode_chunked=is_stream)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        if self._secure:
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(self._host, self._port, timeout=TIMEOUT, context=context)
        return http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT)


def _multipart(path: Path, name: str, boundary: str) -> Iterator[bytes]:
    name = name.replace('"', "_").replace("\r", "_").replace("\n", "_")
    yield (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    ).encode()
    with path.open("rb") as file:
        yield from _pieces(file)
    yield f"\r\n--{boundary}--\r\n".encode()


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_CHUNK):
        yield piece
