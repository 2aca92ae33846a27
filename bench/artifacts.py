"""Artifact downloads against a bare static file server in the same run, and one file out of a large archive."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[1]
TOKEN = "glpat-bench-artifacts-1"
ENTRIES, ARCHIVE = 5000, 1024**3
ROUNDS = 5
CONFIG = "build: {script: [make], artifacts: {paths: [out]}}"
STATIC = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
app = Starlette(routes=[Mount("/", StaticFiles(directory=sys.argv[1]))])
uvicorn.run(app, port=int(sys.argv[2]), log_level="error")
"""


def make_archive(place: Path) -> None:
    """5,000 stored and deflated entries, together a gigabyte."""
    content = os.urandom(ARCHIVE // ENTRIES - 200)
    with zipfile.ZipFile(place, "w") as packed:
        for number in range(ENTRIES):
            packed.writestr(f"out/dir{number % 50}/file{number}.bin", content)


def wait_for(url: str) -> None:
    limit = time.monotonic() + 30
    while time.monotonic() < limit:
        try:
            httpx.get(url)
            return
        except httpx.TransportError:
            time.sleep(0.05)
    raise RuntimeError(f"{url} does not answer")


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def upload(client: httpx.Client, archive: Path) -> tuple[int, int]:
    """A project with one finished job that has the archive; project and job id."""
    client.put("/application/settings", json={"max_artifacts_size": 4096}).raise_for_status()
    project = client.post("/projects", json={"name": "bench", "initialize_with_readme": True}).json()["id"]
    file = {"branch": "main", "commit_message": "CI [skip ci]", "content": CONFIG}
    client.post(f"/projects/{project}/repository/files/.gitlab-ci.yml", json=file).raise_for_status()
    options = {"runner_type": "project_type", "project_id": project}
    token = client.post("/user/runners", json=options).json()["token"]
    client.post(f"/projects/{project}/pipeline", json={"ref": "main"}).raise_for_status()
    info = {"features": {"refspecs": True}}
    job = client.post("/jobs/request", json={"token": token, "info": info}).json()
    started = time.perf_counter()
    with archive.open("rb") as body:
        answer = client.post(f"/jobs/{job['id']}/artifacts", files={"file": ("artifacts.zip", body)},
                             headers={"JOB-TOKEN": job["token"]})  # fmt: skip
    answer.raise_for_status()
    seconds = time.perf_counter() - started
    print(f"upload, one gigabyte: {archive.stat().st_size / seconds / 1e6:.0f} MB/s, indexed {ENTRIES} entries")
    client.put(f"/jobs/{job['id']}", json={"token": job["token"], "state": "success"}).raise_for_status()
    return project, job["id"]


def fetch(url: str, headers: dict[str, str]) -> float:
    """Seconds for one download with a client that does nothing else."""
    started = time.perf_counter()
    flags = [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")]
    subprocess.run(["curl", "-sf", "-o", "/dev/null", *flags, url], check=True)
    return time.perf_counter() - started


def resident(pid: int) -> float:
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.split("VmHWM:")[1].split()[0]) / 1024


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="ingot-bench-", dir=os.environ.get("BENCH_DIR")))
    archive = folder / "artifacts.zip"
    make_archive(archive)
    port, other = free_port(), free_port()
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "INGOT_ROOT_TOKEN": TOKEN}
    ours = subprocess.Popen(
        [sys.executable, "-m", "ingot", "serve", "--workers", "1", "--port", str(port), "--data", str(folder / "data")],
        env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    bare = subprocess.Popen([sys.executable, "-c", STATIC, str(folder), str(other)])
    headers = {"PRIVATE-TOKEN": TOKEN}
    try:
        wait_for(f"http://127.0.0.1:{port}/api/v4/version")
        wait_for(f"http://127.0.0.1:{other}/artifacts.zip.none")
        with httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v4", headers=headers, timeout=300) as client:
            project, job = upload(client, archive)
        api = f"http://127.0.0.1:{port}/api/v4/projects/{project}/jobs/{job}/artifacts"
        before = resident(ours.pid)
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(ROUNDS):
            times[0].append(fetch(api, headers))
            times[1].append(fetch(f"http://127.0.0.1:{other}/artifacts.zip", {}))
        mine, theirs = (archive.stat().st_size / statistics.median(one) / 1e6 for one in times)
        print(f"download, one gigabyte: {mine:.0f} MB/s; bare static server {theirs:.0f} MB/s; {mine / theirs:.0%}")
        print(f"memory grown by the downloads: {resident(ours.pid) - before:.0f} MB")
        single(archive, api, headers, f"http://127.0.0.1:{other}/artifacts.zip")
    finally:
        for process in (ours, bare):
            process.terminate()
            process.wait(timeout=20)
        shutil.rmtree(folder, ignore_errors=True)


def single(archive: Path, api: str, headers: dict[str, str], bare: str) -> None:
    """One file through the API, against the same bytes by a range: of our own download, and of the bare server."""
    with zipfile.ZipFile(archive) as packed:
        entry = packed.infolist()[ENTRIES // 2]
    with httpx.Client(headers=headers, timeout=60) as client:
        first = {"Range": f"bytes={entry.header_offset}-{entry.header_offset + entry.file_size - 1}"}
        times: tuple[list[float], list[float], list[float]] = ([], [], [])
        places = (f"{api}/{entry.filename}", api, bare)
        for _ in range(101):
            for remaining, url, more in zip(times, places, ({}, first, first), strict=True):
                started = time.perf_counter()
                client.get(url, headers=more).raise_for_status()
                remaining.append(time.perf_counter() - started)
    reads = []
    for _ in range(101):
        started = time.perf_counter()
        with archive.open("rb") as file:
            file.seek(entry.header_offset)
            file.read(entry.file_size)
        reads.append(time.perf_counter() - started)
    one, own, direct = (statistics.median(remaining[1:]) * 1000 for remaining in times)
    print(
        f"one file of {entry.file_size / 1000:.0f} kB out of {ENTRIES}: {one:.2f} ms; "
        f"by a range of our own download {own:.2f} ms ({one / own:.2f}x); "
        f"by a range of the bare server {direct:.2f} ms ({one / direct:.2f}x); "
        f"read from the disk without HTTP {statistics.median(reads) * 1000:.2f} ms"
    )
