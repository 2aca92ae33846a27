"""The projects that a crowd reads and writes, and what each client asks for again and again."""

from __future__ import annotations

import json
from urllib.parse import quote

import httpx

from bench._crowd_clients import NUMBER
from bench._ingot import TOKEN, Ingot

PROJECTS, ISSUES, BRANCHES = 4, 30, 24
HEADERS = {"PRIVATE-TOKEN": TOKEN}
Request = tuple[str, bytes]
"""What kind it is, and its bytes."""


class World:
    """A project of issues that is read; with writers of all kinds a few projects with files, too."""

    def __init__(self, ingot: Ingot, writers: int = 0) -> None:
        self._places = []
        for number in range(PROJECTS if writers else 1):
            ingot.create(f"crowded-{number}")
            self._places.append(f"/api/v4/projects/{quote(f'root/crowded-{number}', safe='')}")
        with httpx.Client(base_url=ingot.address, headers=HEADERS, timeout=120) as client:
            for place in self._places:
                for number in range(ISSUES):
                    _post(client, f"{place}/issues", title=f"Issue {number}")
                if writers:
                    self._fill(client, place, writers)

    def cheap_reads(self) -> dict[str, str]:
        """Paths by kind."""
        place = self._places[0]
        return {
            "user": "/api/v4/user",
            "one project": place,
            "20 issues": f"{place}/issues?per_page=20",
            "projects": "/api/v4/projects",
        }

    def all_reads(self) -> dict[str, str]:
        """The same and those of merge requests and git."""
        place = self._places[0]
        return {
            **self.cheap_reads(),
            "20 merge requests": f"{place}/merge_requests?per_page=20&state=all",
            "one merge request": f"{place}/merge_requests/2",
            "20 commits": f"{place}/repository/commits?per_page=20",
            "20 branches": f"{place}/repository/branches?per_page=20",
            "raw file": f"{place}/repository/files/README.md/raw?ref=main",
        }

    def issues_of_one(self, number: int) -> list[Request]:
        """Writers of issues of the project that is read."""
        return [("new issue", _request("POST", f"{self._places[0]}/issues", title="One more"))] * number

    def writes(self, number: int) -> list[Request]:
        """Writers of issues, of comments and of files, each of these on a branch of its own, in all projects."""
        return [self._write(writer, self._places[writer % PROJECTS]) for writer in range(number)]

    def _write(self, writer: int, place: str) -> Request:
        kind = ("new issue", "new comment", "commit of a file")[writer // PROJECTS % 3]
        if kind == "new issue":
            return kind, _request("POST", f"{place}/issues", title="One more")
        if kind == "new comment":
            return kind, _request("POST", f"{place}/issues/1/notes", body=f"Comment {NUMBER}")
        file = {"action": "create", "file_path": f"written/{NUMBER}.txt", "content": f"{NUMBER}\n"}
        body = {"branch": f"writer-{writer}", "commit_message": f"Write {NUMBER}", "actions": [file]}
        return kind, _request("POST", f"{place}/repository/commits", **body)

    def _fill(self, client: httpx.Client, place: str, writers: int) -> None:
        for number in range(BRANCHES):
            _commit(client, place, "main", "README.md", f"Line {number}\n", "update" if number else "create")
        for writer in range(writers):
            _post(client, f"{place}/repository/branches", branch=f"writer-{writer}", ref="main")
        for number in range(BRANCHES if place == self._places[0] else 0):
            name = f"topic-{number}"
            _post(client, f"{place}/repository/branches", branch=name, ref="main")
            _commit(client, place, name, f"{name}.txt", "One\n", "create")
            _post(client, f"{place}/merge_requests", source_branch=name, target_branch="main", title=f"Merge {name}")


def readers(kinds: dict[str, str], number: int) -> list[Request]:
    """So many clients, as many of each kind."""
    reads = [(kind, _request("GET", path)) for kind, path in kinds.items()]
    return (reads * number)[:number]


def _request(method: str, path: str, **values: object) -> bytes:
    body = json.dumps(values) if values else ""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"PRIVATE-TOKEN: {TOKEN}"]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return ("\r\n".join(lines) + f"\r\n\r\n{body}").encode()


def _post(client: httpx.Client, path: str, **values: object) -> None:
    client.post(path, json=values).raise_for_status()


def _commit(client: httpx.Client, place: str, branch: str, path: str, text: str, action: str) -> None:
    file = {"action": action, "file_path": path, "content": text}
    _post(client, f"{place}/repository/commits", branch=branch, commit_message=f"Write {path}", actions=[file])
