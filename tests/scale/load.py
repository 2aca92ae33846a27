"""A mixed load: each thread does one thing after another against any node that answers."""

import base64
import hashlib
import itertools
import os
import re
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import httpx

from tests.scale.cluster import PATIENCE, TOKEN
from tests.scale.ledger import BROKEN, GONE, Ledger, Promises
from tests.scale.progress import choices, say_seed
from tests.support import plain_http

_numbers = itertools.count(1)


def next_number() -> int:
    """A mark that nothing else of this run has."""
    return next(_numbers)


class Client:
    """Calls any node; a node that cannot be reached is left for the next one, as a balancer would do."""

    def __init__(self, urls: list[str], ledger: Ledger, name: str = "") -> None:
        self._urls, self._ledger = urls, ledger
        self.choice = choices(name)
        self._http = httpx.Client(headers={"PRIVATE-TOKEN": TOKEN}, timeout=PATIENCE, verify=False, trust_env=False)

    def call(self, action: str, method: str, path: str, **options: Any) -> httpx.Response | None:
        """The answer of the API, or None when the connection broke and nobody knows what became of the call."""
        return self.ask(action, method, f"/api/v4{path}", **options)

    def ask(self, action: str, method: str, path: str, **options: Any) -> httpx.Response | None:
        """As `call`, at any address."""
        first = time.monotonic()
        for url in self.shuffled_urls():
            begun = time.monotonic()
            try:
                response = self._http.request(method, f"{url}{path}", **options)
            except httpx.ConnectError:
                continue
            except httpx.TransportError as error:
                self._ledger.answer(action, BROKEN, repr(error), begun)
                return None
            self._ledger.answer(action, response.status_code, response.text, begun)
            return response
        self._ledger.answer(action, BROKEN, "no node could be reached", first)
        return None

    def close(self) -> None:
        self._http.close()

    def shuffled_urls(self) -> list[str]:
        return self.choice.sample(self._urls, len(self._urls))

    def any_url(self) -> str:
        return self.choice.choice(self._urls)


Action = Callable[["Thread"], None]


class Thread:
    """One caller with a project of their own."""

    def __init__(self, client: Client, ledger: Ledger, actions: list[Action]) -> None:
        self.client, self.ledger, self._actions = client, ledger, actions
        self.choice = client.choice
        self.project: dict[str, Any] | None = None
        self.exported: int | None = None
        self.archived: dict[int, Promises] = {}
        """What was promised of a project before its first export: any of its archives has it."""
        self.changeable: dict[str, list[str]] = defaultdict(list)
        """Own things in the project by kind, which no archive has yet."""
        self.runner: str | None = None
        self.done = 0
        """Actions until now, whatever became of them."""

    def remote(self) -> str:
        """The repository of the project, on any node."""
        assert self.project is not None
        return self._remote(self.client.any_url())

    def _remote(self, url: str) -> str:
        assert self.project is not None
        return f"{url}/{self.project['path_with_namespace']}.git".replace("http://", f"http://oauth2:{TOKEN}@")

    def git(self, folder: str, command: list[str], *rest: str) -> subprocess.CompletedProcess[bytes]:
        """A command on the repository of the project; a node that cannot be reached is left for the next one."""
        for url in self.client.shuffled_urls():
            done = git(folder, *command, self._remote(url), *rest)
            if b"Failed to connect" not in done.stderr:
                break
        return done

    def keep(self, kind: str, path: str, **fields: Any) -> None:
        """Something of one's own, which one may change or remove later."""
        self.ledger.promise(path, **fields)
        self.changeable[kind].append(path)

    def keep_branch(self, folder: str, name: str) -> None:
        """A branch that was pushed from the head of the repository in this folder."""
        assert self.project is not None
        base = f"/projects/{self.project['id']}/repository"
        self.ledger.promise(f"{base}/commits/{name}", id=head(folder))
        self.keep("branch", f"{base}/branches/{name}", name=name)

    def run(self, ended: threading.Event) -> None:
        for action in itertools.cycle(self._actions):
            if ended.is_set():
                break
            try:
                action(self)
            except Exception as error:  # noqa: BLE001 - a broken caller is a finding, not the end of the load
                self.ledger.faults.append(f"{action.__name__}: {error!r}")
            self.done += 1
        self.client.close()


class Load:
    """Threads that work until the block ends."""

    def __init__(self, urls: list[str], ledger: Ledger, actions: list[Action], threads: int) -> None:
        self._ended = threading.Event()
        say_seed()
        clients = [Client(urls, ledger, f"caller {number}") for number in range(threads)]
        self._callers = [Thread(client, ledger, actions) for client in clients]
        self._round = len(actions)
        self._threads = [threading.Thread(target=one.run, args=(self._ended,), daemon=True) for one in self._callers]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def has_tried_all(self) -> bool:
        """Whether everybody has done each of the actions once."""
        return all(caller.done >= self._round for caller in self._callers)

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join(60)


def available(urls: list[str]) -> list[Action]:
    """The actions whose endpoints this version has, in the order in which a person would do them."""
    paths = plain_http.get(f"{urls[0]}/api/v4/openapi.json", trust_env=False).json()["paths"]

    def has(method: str, path: str) -> bool:
        return method in paths.get(path, {})

    result: list[Action] = [create_project, add_label]
    if has("post", "/projects/{id}/repository/files/{file_path}"):
        result += [add_file, push]
    merging = ("/projects/{id}/merge_requests", "/projects/{id}/repository/commits")
    if all(has("post", path) for path in merging) and has("put", f"{merging[0]}/{{merge_request_iid}}/merge"):
        result.append(merge_a_branch)
    if has("post", "/projects/{id}/uploads"):
        result.append(upload)
    if has("post", "/projects/{id}/issues"):
        result.append(open_issue)
    if has("post", "/projects/{id}/export"):
        result.append(export)
    if has("post", "/projects/import"):
        result.append(import_archive)
    return result


# Public, so that anybody sees its pages.
PROJECT = {"initialize_with_readme": True, "visibility": "public"}


def create_project(thread: Thread) -> None:
    """A new project, from time to time."""
    if thread.project is not None and thread.choice.random() > 0.2:
        return
    path = f"p{next_number()}-{thread.choice.getrandbits(32):x}"
    created = thread.client.call("project", "POST", "/projects", json={**PROJECT, "path": path})
    if created is not None and created.status_code == 201:
        thread.project = created.json()
        thread.changeable.clear()
        thread.ledger.promise(f"/projects/{thread.project['id']}", path=path)


def _number(thread: Thread) -> int | None:
    return None if thread.project is None else int(thread.project["id"])


def add_label(thread: Thread) -> None:
    """A label in the project."""
    number = _number(thread)
    if number is None:
        return
    name = f"label-{next_number()}"
    created = thread.client.call("label", "POST", f"/projects/{number}/labels", json={"name": name, "color": "#ff0000"})
    if created is not None and created.status_code == 201:
        thread.keep("label", f"/projects/{number}/labels/{created.json()['id']}", name=name)


def add_file(thread: Thread) -> None:
    """A commit on the default branch, through the API."""
    number = _number(thread)
    if number is None:
        return
    name = f"file-{next_number()}.txt"
    body = {"branch": "main", "content": f"hello {name}\n", "commit_message": f"Add {name}"}
    created = thread.client.call("file", "POST", f"/projects/{number}/repository/files/{name}", json=body)
    if created is not None and created.status_code == 201:
        content = base64.b64encode(f"hello {name}\n".encode()).decode()
        thread.ledger.promise(f"/projects/{number}/repository/files/{name}?ref=main", content=content)


def merge_a_branch(thread: Thread) -> None:
    """A branch with a commit, a merge request, a merge."""
    number = _number(thread)
    if number is None:
        return
    branch = f"branch-{next_number()}"
    body = {"branch": branch, "start_branch": "main", "commit_message": f"Change {branch}"}
    actions = [{"action": "create", "file_path": f"{branch}.txt", "content": branch}]
    commit = thread.client.call(
        "commit", "POST", f"/projects/{number}/repository/commits", json={**body, "actions": actions}
    )
    if commit is None or commit.status_code != 201:
        return
    base = f"/projects/{number}/merge_requests"
    opened = thread.client.call(
        "merge_request", "POST", base, json={"source_branch": branch, "target_branch": "main", "title": branch}
    )
    if opened is None or opened.status_code != 201:
        return
    iid = opened.json()["iid"]
    thread.ledger.promise(f"{base}/{iid}", title=branch)
    removes = thread.choice.random() < 0.5
    body = {"should_remove_source_branch": removes}
    merged = thread.client.call("merge", "PUT", f"{base}/{iid}/merge", json=body)
    if merged is not None and merged.status_code == 200:
        if removes:
            thread.ledger.promise(f"/projects/{number}/repository/branches/{branch}", **GONE)
        thread.ledger.promise(f"{base}/{iid}", state="merged")
        thread.ledger.promise(f"/projects/{number}/repository/files/{branch}.txt?ref=main", file_name=f"{branch}.txt")


def upload(thread: Thread) -> None:
    """A file beside the project, in the object store."""
    number = _number(thread)
    if number is None:
        return
    name, content = f"upload-{next_number()}.bin", thread.choice.randbytes(20_000)
    created = thread.client.call("upload", "POST", f"/projects/{number}/uploads", files={"file": (name, content)})
    if created is not None and created.status_code == 201:
        thread.keep("upload", f"/projects/{number}{created.json()['url']}", sha256=hashlib.sha256(content).hexdigest())


def open_issue(thread: Thread) -> None:
    """An issue."""
    number = _number(thread)
    if number is None:
        return
    title = f"issue {next_number()}"
    created = thread.client.call("issue", "POST", f"/projects/{number}/issues", json={"title": title})
    if created is not None and created.status_code == 201:
        thread.keep("issue", f"/projects/{number}/issues/{created.json()['iid']}", title=title, state="opened")
        thread.ledger.expect_event(number, title, "open")


# Promises that an import keeps too: its issues, requests, files and branches have the same numbers and names.
IN_ARCHIVES = re.compile(
    r"/projects/\d+/(issues/\d+|merge_requests/\d+|repository/files/[^?]+\?ref=main|repository/branches/pushed-\d+)"
)


def export(thread: Thread) -> None:
    """An export now and then; it must have ended well when the story ends."""
    number = _number(thread)
    if number is None or thread.choice.random() > 0.3:
        return
    promised = thread.ledger.snapshot().items()
    own = {path: fields for path, fields in promised if path.startswith(f"/projects/{number}/")}
    thread.changeable.clear()
    asked = thread.client.call("export", "POST", f"/projects/{number}/export")
    if asked is not None and asked.status_code == 202:
        thread.exported = number
        thread.archived.setdefault(
            number, {path: own[path] for path in own if IN_ARCHIVES.fullmatch(path) and own[path] != GONE}
        )
        thread.ledger.promise(f"/projects/{number}/export", export_status="finished")


def import_archive(thread: Thread) -> None:
    """A new project from an archive that an export made; it has what the exported project had."""
    if thread.exported is None:
        return
    archive = thread.client.call("download", "GET", f"/projects/{thread.exported}/export/download")
    if archive is None or archive.status_code != 200:
        return
    source, thread.exported = thread.exported, None
    path = f"imported-{next_number()}-{thread.choice.getrandbits(32):x}"
    created = thread.client.call(
        "import", "POST", "/projects/import", data={"path": path}, files={"file": ("a_export.tar.gz", archive.content)}
    )
    if created is not None and created.status_code == 201:
        base = f"/projects/{created.json()['id']}"
        thread.ledger.promise(f"{base}/import", import_status="finished")
        for promised, fields in thread.archived[source].items():
            thread.ledger.promise(base + promised.removeprefix(f"/projects/{source}"), **fields)


def push(thread: Thread) -> None:
    """A push with real git."""
    if thread.project is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        branch = f"pushed-{next_number()}"
        git(folder, "init", "-q")
        Path(folder, "x").write_text(str(time.time()))
        git(folder, "add", "x")
        git(folder, "commit", "-qm", "x")
        begun = time.monotonic()
        done = thread.git(folder, ["push", "-q"], f"HEAD:refs/heads/{branch}")
        note_git(thread.ledger, "push", done, begun)
        if done.returncode == 0:
            thread.keep_branch(folder, branch)


def head(folder: str) -> str:
    """The commit that is checked out there."""
    return git(folder, "rev-parse", "HEAD").stdout.decode().strip()


def note_git(ledger: Ledger, action: str, done: subprocess.CompletedProcess[bytes], begun: float) -> None:
    """Note how a client's git ended."""
    ledger.answer(action, 200 if done.returncode == 0 else BROKEN, done.stderr.decode(errors="replace")[-300:], begun)


def git(folder: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    """A client's git in a folder."""
    named = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com"]
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run([*named, *words], capture_output=True, check=False, timeout=PATIENCE, env=environment)
