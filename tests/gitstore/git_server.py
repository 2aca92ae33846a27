"""A real HTTP server around `smart_http`, as small as it can be, and the real git client."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import uvicorn

from ingot.gitstore import smart_http
from ingot.gitstore.push import Push, read_push, refuse
from ingot.gitstore.push_report import RefResult
from ingot.gitstore.repository import Repository
from ingot.gitstore.request_body import RequestBody
from ingot.gitstore.smart_http import PushRules


class GitServer:
    """Serves one repository at /repo.git. `decide` may refuse a push with lines for the terminal."""

    def __init__(self, repo: Repository) -> None:
        self.repo = repo
        self.rules = PushRules()
        self.decide: Callable[[Push], list[str]] = lambda push: []
        self.pushes: list[Push] = []
        self.results: list[RefResult] = []
        self.ended = threading.Event()
        self.encodings: list[str] = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/repo.git"
        self._server = uvicorn.Server(uvicorn.Config(self, log_level="error", lifespan="off"))
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self.socket]}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=120)
        self.socket.close()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        protocol = headers.get("git-protocol")

        async def chunks() -> AsyncIterator[bytes]:
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ConnectionError
                yield message.get("body", b"")
                if not message.get("more_body"):
                    return

        service = parse_qs(scope["query_string"].decode()).get("service", [scope["path"].rpartition("/")[2]])[0]
        if scope["method"] == "GET":
            kind, answer = "advertisement", self._advertise(service, protocol)
        else:
            self.encodings.append(headers.get("content-encoding", ""))
            body = RequestBody(chunks(), encoding=headers.get("content-encoding"))
            kind, answer = "result", await self._serve(service, body, protocol)
        content_type = f"application/x-{service}-{kind}".encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", content_type)]})
        async for chunk in answer:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def _advertise(self, service: str, protocol: str | None) -> AsyncIterator[bytes]:
        yield await asyncio.to_thread(smart_http.advertise, self.repo, service, protocol)

    async def _serve(self, service: str, body: RequestBody, protocol: str | None) -> AsyncIterator[bytes]:
        if service == smart_http.UPLOAD_PACK:
            return smart_http.upload_pack(self.repo, body, protocol)
        push = await read_push(body)
        self.pushes.append(push)
        refused = self.decide(push)
        if refused:
            return refuse(push, body, refused)
        return smart_http.receive_pack(
            self.repo, push, body, protocol=protocol, rules=self.rules, finished=self._finished
        )

    async def _finished(self, results: list[RefResult]) -> list[str]:
        self.results = results
        self.ended.set()
        return ["", "To create a merge request, visit:", "  http://x/new"] if results else []


def client(folder: Path, *args: str, code: int = 0, stdin: bytes | None = None) -> str:
    """Run git as a user would; returns everything it printed."""
    env = {
        "PATH": os.environ["PATH"], "HOME": str(folder.parent), "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "Cli", "GIT_AUTHOR_EMAIL": "cli@x", "GIT_COMMITTER_NAME": "Cli",
        "GIT_COMMITTER_EMAIL": "cli@x", "LC_ALL": "C.UTF-8",
    }  # fmt: skip
    done = subprocess.run(
        ["git", *args], cwd=folder, env=env, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    printed = done.stdout.decode()
    assert done.returncode == code, printed
    return printed
