"""Two services that are asked for the same in turn, each in its own words."""

from __future__ import annotations

import base64
import http.client
import json
import statistics
import threading
import time
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, NamedTuple
from urllib.parse import urlsplit

CLIENTS, ROUNDS = 4, 3
REQUESTS = 24  # merge requests, each from a branch of its own


class Question(NamedTuple):
    """One request."""

    method: str
    path: str
    body: Mapping[str, object] | None = None


Asking = Callable[[int, int], Question]
"""By the number of the client and that of the question, so that no two write the same file or the same branch."""


class Service:
    """How one service is called."""

    def __init__(self, address: str, prefix: str, headers: Mapping[str, str]) -> None:
        self._parts = urlsplit(address)
        self._prefix, self._headers = prefix, {**headers, "Content-Type": "application/json"}
        self._numbers = count()

    def call(self, method: str, path: str, **body: object) -> Any:
        """One call; raises where it is refused."""
        return json.loads(self._ask(self._connect(), Question(method, path, body)))

    def rate(self, asking: Asking, seconds: float) -> float:
        """Answers in a second to a few clients; raises where one is refused."""
        taken: list[int] = []
        refused: list[Exception] = []
        until = time.perf_counter() + seconds

        def ask(client: int) -> None:
            connection = self._connect()
            try:
                while time.perf_counter() < until and not refused:
                    self._ask(connection, asking(client, next(self._numbers)))
                    taken.append(client)
            except (OSError, RuntimeError) as error:
                refused.append(error)
            connection.close()

        threads = [threading.Thread(target=ask, args=(client,)) for client in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if refused:
            raise refused[0]
        return len(taken) / seconds

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(str(self._parts.hostname), self._parts.port, timeout=120)

    def _ask(self, connection: http.client.HTTPConnection, question: Question) -> bytes:
        body = None if question.body is None else json.dumps(question.body)
        connection.request(question.method, self._prefix + question.path, body, self._headers)
        answer = connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{question.method} {question.path}: {answer.status} {content[:200]!r}")
        return content


def read(path: str) -> Asking:
    """Always the same."""
    question = Question("GET", path)
    return lambda _client, _number: question


def askings_of_ingot(service: Service, project: str) -> dict[str, Asking]:
    """Prepares a project with merge requests; what is asked of it, by name."""
    for name in _branches():
        file = {"action": "create", "file_path": f"{name}.txt", "content": f"{name}\n"}
        service.call(
            "POST", f"{project}/repository/commits",
            branch=name, start_branch="main", commit_message=f"Begin {name}", actions=[file],
        )  # fmt: skip
    for name in _topics():
        service.call(
            "POST", f"{project}/merge_requests", source_branch=name, target_branch="main", title=f"Merge {name}"
        )
    issue = service.call("POST", f"{project}/issues", title="Talk")["iid"]

    def commit(client: int, number: int) -> Question:
        file = {"action": "create", "file_path": f"written/{number}.txt", "content": f"{number}\n"}
        body = {"branch": f"client-{client}", "commit_message": f"Write {number}", "actions": [file]}
        return Question("POST", f"{project}/repository/commits", body)

    return {
        "the caller": read("/user"),
        "one project": read(project),
        "20 projects": read("/projects?per_page=20"),
        "20 merge requests": read(f"{project}/merge_requests?per_page=20&state=opened"),
        "one merge request": read(f"{project}/merge_requests/2"),
        "20 commits": read(f"{project}/repository/commits?per_page=20"),
        "20 branches": read(f"{project}/repository/branches?per_page=20"),
        "raw file": read(f"{project}/repository/files/file1.txt/raw?ref=main"),
        "new issue": lambda _client, number: Question("POST", f"{project}/issues", {"title": f"Bench {number}"}),
        "new comment": lambda _client, number: Question(
            "POST", f"{project}/issues/{issue}/notes", {"body": f"Comment {number}"}
        ),
        "commit of a file": commit,
    }


def askings_of_gitea(service: Service, project: str) -> dict[str, Asking]:
    """The same in Gitea's words."""

    def file(path: str, message: str, **branches: str) -> Question:
        content = base64.b64encode(f"{message}\n".encode()).decode()
        return Question("POST", f"{project}/contents/{path}", {"content": content, "message": message, **branches})

    for name in _branches():
        begin = file(f"{name}.txt", f"Begin {name}", branch="main", new_branch=name)
        service.call(begin.method, begin.path, **(begin.body or {}))
    pulls = [
        service.call("POST", f"{project}/pulls", head=name, base="main", title=f"Merge {name}")["number"]
        for name in _topics()
    ]
    issue = service.call("POST", f"{project}/issues", title="Talk")["number"]
    return {
        "the caller": read("/user"),
        "one project": read(project),
        "20 projects": read("/repos/search?limit=20"),
        "20 merge requests": read(f"{project}/pulls?limit=20&state=open"),
        "one merge request": read(f"{project}/pulls/{pulls[1]}"),
        "20 commits": read(f"{project}/commits?limit=20"),
        "20 branches": read(f"{project}/branches?limit=20"),
        "raw file": read(f"{project}/raw/file1.txt"),
        "new issue": lambda _client, number: Question("POST", f"{project}/issues", {"title": f"Bench {number}"}),
        "new comment": lambda _client, number: Question(
            "POST", f"{project}/issues/{issue}/comments", {"body": f"Comment {number}"}
        ),
        "commit of a file": lambda client, number: file(
            f"written/{number}.txt", f"Write {number}", branch=f"client-{client}"
        ),
    }


def compare(
    ours: tuple[Service, dict[str, Asking]], theirs: tuple[Service, dict[str, Asking]], seconds: float
) -> dict[str, tuple[float, float]]:
    """Medians of answers per second by name, in turn, so that a busy machine slows both alike."""
    result = {}
    for name in ours[1]:
        rounds = [
            tuple(service.rate(askings[name], seconds) for service, askings in (ours, theirs)) for _ in range(ROUNDS)
        ]
        first, second = zip(*rounds, strict=True)
        result[name] = (statistics.median(first), statistics.median(second))
    return result


def _topics() -> list[str]:
    return [f"topic-{number}" for number in range(REQUESTS)]


def _branches() -> list[str]:
    return [*_topics(), *(f"client-{number}" for number in range(CLIENTS))]
