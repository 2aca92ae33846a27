"""Every writer meets a disk without room: 507 or done, never 500; nothing half-written; and all works again later."""

import base64
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.operating.test_full_disk import api, complaints, create, disk, fill
from tests.operating.test_store_away import picture
from tests.scale.cluster import ROOT, TOKEN
from tests.support.forked_program import run_program
from tests.support.runner import INFO, zipped
from tests.support.waiting import until

pytestmark = pytest.mark.costly

__all__ = ["api", "disk"]
# Full to the last byte; or with room for rows, but not for files.
ROOM = (0, 600_000)
BIG = os.urandom(2_000_000)
CONFIG = "a: {script: [a], artifacts: {paths: [out]}}\nb: {script: [b], artifacts: {paths: [out]}}"


class Workshop:
    """A project, a clone of it, running jobs, and one try of every kind of writing."""

    def __init__(self, api: httpx.Client, disk: Path, clone: Path, number: int) -> None:
        self.api, self.disk, self.clone = api, disk, clone
        created = create(api, f"writers-{number}")
        assert created.status_code == 201, created.text
        self.project = created.json()
        self.place = f"/projects/{self.project['id']}"
        self.tries = 0
        self.commit({".gitlab-ci.yml": CONFIG.encode()}, "main")
        runner = api.post("/user/runners", json={"runner_type": "project_type", "project_id": self.project["id"]})
        asked = {"token": runner.json()["token"], "info": INFO, "system_id": "s_1"}
        self.job = api.post("/jobs/request", json=asked).json()
        self.log = 0
        for name in ("one", "two", "three"):
            self.commit({f"{name}.txt": name.encode()}, name, start="main")
        self.requests = {self.open_request(name): f"{name}.txt" for name in ("one", "two", "three")}
        address = str(api.base_url.copy_with(path=f"/root/writers-{number}.git", username="root", password=TOKEN))
        self.git("clone", "-q", address, str(clone), inside=False)

    def git(self, *words: str, inside: bool = True) -> subprocess.CompletedProcess[str]:
        person = ("-c", "user.name=A", "-c", "user.email=a@example.com")
        command = ["git", *person, *(("-C", str(self.clone)) if inside else ()), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    def commit(self, files: dict[str, bytes], branch: str, start: str | None = None) -> httpx.Response:
        actions = [
            {"action": "create", "file_path": path, "content": base64.b64encode(content).decode(), "encoding": "base64"}
            for path, content in files.items()
        ]
        body = {"branch": branch, "commit_message": "Files", "actions": actions}
        return self.api.post(
            f"{self.place}/repository/commits", json={**body, **({"start_branch": start} if start else {})}
        )

    def open_request(self, branch: str) -> int:
        body = {"source_branch": branch, "target_branch": "main", "title": branch}
        return int(self.api.post(f"{self.place}/merge_requests", json=body).json()["iid"])

    def trace(self, content: bytes) -> httpx.Response:
        headers = {"JOB-TOKEN": self.job["token"], "Content-Range": f"{self.log}-{self.log + len(content) - 1}"}
        answer = self.api.patch(f"/jobs/{self.job['id']}/trace", content=content, headers=headers)
        if answer.status_code == 202:
            self.log += len(content)
        return answer

    def artifact(self) -> httpx.Response:
        files = {"file": ("a.zip", zipped({"out/a": BIG}), "application/octet-stream")}
        query = {"artifact_type": "archive", "artifact_format": "zip"}
        headers = {"JOB-TOKEN": self.job["token"]}
        return self.api.post(f"/jobs/{self.job['id']}/artifacts", params=query, headers=headers, files=files)

    def writers(self) -> dict[str, Callable[[], httpx.Response]]:
        """What has room for rows may succeed; whatever is refused must be refused with 507."""
        self.tries += 1
        mark, post = f"t{self.tries}", self.api.post
        fork = {"path": f"fork-{mark}-{self.project['id']}", "name": f"fork {mark} {self.project['id']}"}
        tag = {"tag_name": mark, "ref": "main", "message": "x"}
        large = {f"large-{mark}": os.urandom(2_000_000)}
        return {
            "issue": lambda: post(f"{self.place}/issues", json={"title": mark, "description": "x" * 200_000}),
            "label": lambda: post(f"{self.place}/labels", json={"name": mark, "color": "#112233"}),
            "small commit": lambda: self.commit({f"small-{mark}": b"x"}, f"small-{mark}", start="main"),
            "large commit": lambda: self.commit(large, f"large-{mark}", start="main"),
            "branch": lambda: post(f"{self.place}/repository/branches", params={"branch": mark, "ref": "main"}),
            "tag": lambda: post(f"{self.place}/repository/tags", params=tag),
            "upload": lambda: post(f"{self.place}/uploads", files={"file": ("a.bin", BIG)}),
            "picture": lambda: self.api.put(self.place, files={"avatar": ("a.png", picture(), "image/png")}),
            "artifact": self.artifact,
            "log": lambda: self.trace(os.urandom(300_000)),
            "fork": lambda: post(f"{self.place}/fork", json=fork),
            "project": lambda: create(self.api, f"new-{mark}-{self.project['id']}"),
        }

    def push(self, branch: str, size: int) -> bool:
        self.git("checkout", "-q", "-B", branch, "origin/main")
        (self.clone / branch).write_bytes(os.urandom(size))
        self.git("add", ".")
        self.git("commit", "-qm", branch)
        return self.git("push", "-q", "origin", branch).returncode == 0

    def has_branch(self, branch: str) -> bool:
        return self.api.get(f"{self.place}/repository/branches/{branch}").status_code == 200

    def state(self, iid: int) -> str:
        answer = self.api.get(f"{self.place}/merge_requests/{iid}")
        assert answer.status_code == 200, answer.text
        return str(answer.json()["state"])

    def is_in_main(self, file: str) -> bool:
        query = {"ref": "main"}
        return self.api.get(f"{self.place}/repository/files/{file}", params=query).status_code == 200

    def merge(self, iid: int) -> httpx.Response:
        return self.api.put(f"{self.place}/merge_requests/{iid}/merge")

    def facts(self) -> dict[str, Any]:
        return {
            "uploads": len(self.api.get(f"{self.place}/uploads").json()),
            "artifacts": len(self.api.get(f"{self.place}/jobs/{self.job['id']}").json()["artifacts"]),
            "picture": self.api.get(self.place).json()["avatar_url"] is not None,
            "issues": len(self.api.get(f"{self.place}/issues").json()),
            "labels": len(self.api.get(f"{self.place}/labels").json()),
        }


@pytest.fixture(params=ROOM)
def room(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def workshop(api: httpx.Client, disk: Path, tmp_path: Path, room: int) -> Iterator[Workshop]:
    created = Workshop(api, disk, tmp_path / "clone", ROOM.index(room))
    yield created
    (disk / "filler").unlink(missing_ok=True)


def fill_up_to(disk: Path, room: int) -> Path:
    filler = fill(disk)
    if room:
        with filler.open("r+b") as file:
            file.truncate(filler.stat().st_size - room)
    return filler


def run(disk: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": "src", "INGOT_DATA": str(disk / "data")}
    return run_program(*words, environment=environment, folder=ROOT)


def test_every_writer_is_refused_with_507_or_succeeds_wholly(disk: Path, workshop: Workshop, room: int) -> None:
    before = workshop.facts()
    filler = fill_up_to(disk, room)

    answers = {name: write() for name, write in workshop.writers().items()}

    statuses = {name: answer.status_code for name, answer in answers.items()}
    odd = {name: answer.text for name, answer in answers.items() if statuses[name] not in (200, 201, 202, 507)}
    assert not odd, odd
    assert statuses["upload"] == statuses["artifact"] == statuses["large commit"] == 507, statuses
    done = {name for name, status in statuses.items() if status != 507}
    after = workshop.facts()
    assert after["uploads"] == before["uploads"]
    assert after["artifacts"] == before["artifacts"]
    assert after["picture"] == (before["picture"] or "picture" in done)
    assert after["issues"] == before["issues"] + ("issue" in done)
    assert after["labels"] == before["labels"] + ("label" in done)
    assert [workshop.has_branch(f"{kind}-t1") for kind in ("small", "large")] == ["small commit" in done, False]

    assert not workshop.push("pushed-large", 2_000_000)
    assert not workshop.has_branch("pushed-large")
    was_pushed = workshop.push("pushed-small", 10)
    assert workshop.has_branch("pushed-small") == was_pushed

    for iid, file in workshop.requests.items():
        answer = workshop.merge(iid)
        assert answer.status_code in (200, 507), answer.text
        # The room may end after the branch was moved: then the request is merged, and the rest follows.
        assert answer.status_code == 507 or workshop.is_in_main(file)
        assert workshop.state(iid) in (("merged",) if workshop.is_in_main(file) else ("opened",))

    saved = run(disk, "backup", str(disk / "backup"))
    assert saved.returncode != 0
    assert "Traceback" not in saved.stderr, saved.stderr
    assert saved.stderr.strip()
    assert [path.name for path in disk.iterdir() if path.name.startswith(("backup", ".backup"))] == []

    filler.unlink()
    again = {name: write().status_code for name, write in workshop.writers().items()}
    assert {name: status for name, status in again.items() if status not in (200, 201, 202)} == {}
    assert workshop.push("pushed-large", 20_000)
    for iid, file in workshop.requests.items():
        if not workshop.is_in_main(file):
            late = workshop.merge(iid)
            assert late.status_code == 200, late.text
        assert workshop.state(iid) == "merged"
    # Background work that found no room is tried again a little later.
    until(lambda: complaints(run(disk, "doctor").stdout) == [])
    log = workshop.api.get(f"{workshop.place}/jobs/{workshop.job['id']}/trace")
    assert len(log.content) == workshop.log
