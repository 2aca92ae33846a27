"""Large artifacts go through the server in pieces, up and down: its memory does not grow with them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

pytestmark = pytest.mark.costly

SRC = Path(__file__).parents[4] / "src"
TOKEN = "glpat-memory-of-artifacts1"
MEGABYTE = 1024 * 1024
PIECE = os.urandom(MEGABYTE)


def peak(pid: int) -> float:
    """The most memory that a process ever had, in MB."""
    return int(Path(f"/proc/{pid}/status").read_text().split("VmHWM:")[1].split()[0]) / 1024


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[tuple[int, httpx.Client]]:
    env = {**os.environ, "PYTHONPATH": str(SRC), "INGOT_ROOT_TOKEN": TOKEN, "INGOT_WORKERS": "1"}
    command = [sys.executable, "-m", "ingot", "serve", "--port", "0", "--data", str(tmp_path / "data")]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    try:
        url = process.stdout.readline().split()[-1]
        with httpx.Client(
            base_url=f"{url}/api/v4",
            headers={"PRIVATE-TOKEN": TOKEN},
            timeout=300,
            transport=httpx.HTTPTransport(retries=5),
        ) as client:
            yield process.pid, client
    finally:
        process.terminate()
        process.communicate(timeout=120)


def body(size: int) -> Iterator[bytes]:
    yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="big.zip"\r\n\r\n'
    for _ in range(size):
        yield PIECE
    yield b"\r\n--x--\r\n"


@pytest.mark.parametrize("size", [96, pytest.param(1024, marks=pytest.mark.scale)])
def test_memory_does_not_grow_with_the_artifact(serving: tuple[int, httpx.Client], size: int) -> None:
    pid, client = serving
    client.put("/application/settings", json={"max_artifacts_size": 4096}).raise_for_status()
    project = client.post("/projects", json={"name": "big", "initialize_with_readme": True}).json()["id"]
    file = {
        "branch": "main",
        "commit_message": "CI [skip ci]",
        "content": "build: {script: [a], artifacts: {paths: [x]}}",
    }
    client.post(f"/projects/{project}/repository/files/.gitlab-ci.yml", json=file).raise_for_status()
    options = {"runner_type": "project_type", "project_id": project}
    token = client.post("/user/runners", json=options).json()["token"]
    client.post(f"/projects/{project}/pipeline", json={"ref": "main"}).raise_for_status()
    info = {"features": {"refspecs": True}}
    job = client.post("/jobs/request", json={"token": token, "info": info}).json()
    before = peak(pid)

    sent = client.post(
        f"/jobs/{job['id']}/artifacts",
        content=body(size),
        headers={"JOB-TOKEN": job["token"], "Content-Type": "multipart/form-data; boundary=x"},
    )
    assert sent.status_code == 201, sent.text
    uploaded = peak(pid)
    received = 0
    with client.stream("GET", f"/projects/{project}/jobs/{job['id']}/artifacts") as got:
        for chunk in got.iter_raw():
            received += len(chunk)
    assert received == size * MEGABYTE
    assert peak(pid) - uploaded < 50
    assert uploaded - before < 80  # parts on their way into the store, and no more
