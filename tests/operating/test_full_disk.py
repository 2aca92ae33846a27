"""A disk without room: 507, nothing half-written is seen, and work goes on by itself when there is room again."""

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.features.code.repository.test_signatures import OBJECTS
from tests.scale.cluster import ROOT, TOKEN, Process
from tests.support.forked_program import run_program
from tests.support.ports import free_port
from tests.support.runner import INFO
from tests.support.waiting import until

pytestmark = pytest.mark.costly

MEGABYTES = 48


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with small_disk(tmp_path_factory.mktemp("small"), MEGABYTES) as folder:
        yield folder


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A file system of this size, where the system lets us mount one."""
    mounted = shutil.which("mount") is not None and os.geteuid() == 0
    if mounted:
        words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
        mounted = subprocess.run(words, capture_output=True, check=False).returncode == 0
    if not mounted:
        pytest.skip("a small file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture(scope="module")
def api(disk: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    port = free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": "src",
        "INGOT_DATA": str(disk / "data"),
        "INGOT_ROOT_TOKEN": TOKEN,
        "INGOT_WORKERS": "1",
    }
    words = [sys.executable, "-m", "ingot", "serve", "--port", str(port)]
    process = Process(words, environment, tmp_path_factory.mktemp("log") / "serve.log")
    base = f"http://127.0.0.1:{port}/api/v4"
    with httpx.Client(base_url=base, headers={"PRIVATE-TOKEN": TOKEN}, timeout=60, trust_env=False) as client:
        _until(client, process)
        yield client
    process.stop()


def _until(client: httpx.Client, process: Process) -> None:
    deadline = time.monotonic() + 120
    while True:
        assert process.popen.poll() is None, process.output
        assert time.monotonic() < deadline, "the server did not start"
        try:
            if client.get("/version").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.05)


def fill(disk: Path) -> Path:
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue
    return filler


def create(api: httpx.Client, path: str) -> httpx.Response:
    return api.post("/projects", json={"path": path, "name": path, "initialize_with_readme": True})


def complaints(report: str) -> list[str]:
    """What the doctor found. A disk of this size is always nearly full, and the size of the index is no fault."""
    details = [line for line in report.splitlines() if line.startswith("  ")]
    return [line for line in details if "MB left" not in line and "the index takes" not in line]


def test_a_full_disk_refuses_writes_serves_reads_and_recovers_by_itself(disk: Path, api: httpx.Client) -> None:
    before = create(api, "before")
    assert before.status_code == 201, before.text

    filler = fill(disk)
    refused = [create(api, f"during-{number}") for number in range(6)]
    # Small writes may still fit into pages that the database already has; none may be half done.
    assert {answer.status_code for answer in refused} <= {201, 507}
    assert 507 in {answer.status_code for answer in refused}
    assert api.get("/projects/root%2Fbefore").status_code == 200
    for number, answer in enumerate(refused):
        assert api.get(f"/projects/root%2Fduring-{number}").status_code == (200 if answer.status_code == 201 else 404)

    filler.unlink()
    after = create(api, "after")

    assert after.status_code == 201, after.text
    again = [create(api, f"during-{number}") for number, answer in enumerate(refused) if answer.status_code == 507]
    assert {answer.status_code for answer in again} == {201}
    environment = {**os.environ, "PYTHONPATH": "src", "INGOT_DATA": str(disk / "data")}
    doctor = run_program("doctor", environment=environment, folder=ROOT)
    assert complaints(doctor.stdout) == [], doctor.stdout


def test_signatures_are_judged_on_a_full_disk(disk: Path, api: httpx.Client) -> None:
    answer = create(api, "signed")
    assert answer.status_code == 201, answer.text
    folder = hashlib.sha256(str(answer.json()["id"]).encode()).hexdigest()
    (repository,) = disk.glob(f"data/**/{folder}.git")
    write = ("git", "-C", str(repository), "hash-object", "-w", "--stdin", "-t")
    subprocess.run([*write, "tree"], input=b"", check=True, capture_output=True)
    commits = [
        subprocess.run([*write, "commit"], input=text.encode(), check=True, capture_output=True).stdout.decode().strip()
        for text in OBJECTS["commits"].values()
    ]
    assert api.post("/user/gpg_keys", json={"key": OBJECTS["gpg_key"]}).status_code == 201

    filler = fill(disk)
    try:
        answers = [api.get(f"/projects/root%2Fsigned/repository/commits/{sha}/signature") for sha in commits]
    finally:
        filler.unlink()
    assert {answer.status_code for answer in answers} <= {200, 404}
    judged = [answer for answer in answers if answer.status_code == 200 and answer.json().get("gpg_key_id")]
    assert judged, [answer.text for answer in answers]


def test_uploads_artifacts_and_exports_wait_for_room(disk: Path, api: httpx.Client) -> None:
    answer = create(api, "room")
    assert answer.status_code == 201, answer.text
    created = answer.json()
    place = f"/projects/{created['id']}"
    actions = [
        {"action": "create", "file_path": "big.bin", "content": base64.b64encode(os.urandom(3_000_000)).decode(),
         "encoding": "base64"},
        {"action": "create", "file_path": ".gitlab-ci.yml", "content": "build: {script: [a]}"},
    ]  # fmt: skip
    body = {"branch": "main", "commit_message": "Files", "actions": actions}
    assert api.post(f"{place}/repository/commits", json=body).status_code == 201
    runner = api.post("/user/runners", json={"runner_type": "project_type", "project_id": created["id"]}).json()
    asked = api.post("/jobs/request", json={"token": runner["token"], "info": INFO, "system_id": "s_1"})
    assert asked.status_code == 201, asked.text
    job = asked.json()

    def attach() -> list[int]:
        """An upload and an artifact, both larger than the room that is left."""
        files = {"file": ("a.zip", os.urandom(2_000_000), "application/octet-stream")}
        query = {"artifact_type": "archive", "artifact_format": "zip"}
        uploaded = api.post(f"{place}/uploads", files=files)
        artifact = api.post(
            f"/jobs/{job['id']}/artifacts", params=query, headers={"JOB-TOKEN": job["token"]}, files=files
        )
        return [uploaded.status_code, artifact.status_code]

    filler = fill(disk)
    # Room for rows, but not for files.
    with filler.open("r+b") as file:
        file.truncate(filler.stat().st_size - 1_200_000)
    assert attach() == [507, 507]
    assert api.get(f"{place}/uploads").json() == []
    assert api.get(f"{place}/jobs/{job['id']}").json()["artifacts"] == []
    assert api.post(f"{place}/export").status_code == 202
    metrics = str(api.base_url.copy_with(path="/-/metrics"))
    until(lambda: 'kind="project_export",event="retry"' in api.get(metrics).text)
    assert api.get(f"{place}/export").json()["export_status"] in ("queued", "started")
    assert api.get(f"{place}/export/download").status_code == 404

    filler.unlink()
    until(lambda: api.get(f"{place}/export").json()["export_status"] == "finished")
    assert len(api.get(f"{place}/export/download").content) > 3_000_000
    assert attach() == [201, 201]
