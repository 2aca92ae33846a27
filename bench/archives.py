"""Exports against bare `git bundle` plus writing the same bytes, and records per second of an import on SQLite."""

from __future__ import annotations

import io
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any, Self

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from sqlalchemy import select

from ingot import settings as configuration
from ingot.access.subjects import find_project
from ingot.access.tables import projects
from ingot.cli.archives import _schedule
from ingot.cli.ready import ready_services
from ingot.features.spaces.projects import repository_of
from ingot.features.transfer.project_exports.commands.write import Workplace, write_archive
from ingot.first_start import ensure_root
from ingot.kit.actor import Actor
from ingot.kit.jobs import JobWorker

REQUESTS = int(os.environ.get("BENCH_REQUESTS", "10000"))
NOTES = 10
REPOSITORY_MB = int(os.environ.get("BENCH_REPOSITORY_MB", "100"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "9"))
MOMENT = "2024-03-01T10:00:00.000Z"


def request_line(number: int, notes: int) -> bytes:
    """A merge request as the original writes it, with labels, people and notes."""
    head = f"{number:040x}"
    record = {
        "iid": number, "title": f"Change {number}", "description": "Some words about the change.", "state": "merged",
        "source_branch": f"feature-{number}", "target_branch": "main", "author_id": 7, "source_project_id": 3,
        "target_project_id": 3, "created_at": MOMENT, "updated_at": MOMENT, "merge_status": "can_be_merged",
        "label_links": [{"label": {"title": f"label {number % 20}", "color": "#ff0000"}}],
        "milestone": {"title": f"v{number % 5}", "iid": number % 5 + 1},
        "merge_request_assignees": [{"user_id": 7}],
        "merge_request_diff": {
            "state": "collected", "base_commit_sha": head, "head_commit_sha": head, "start_commit_sha": head,
            "real_size": "1", "created_at": MOMENT, "merge_request_diff_commits": [], "merge_request_diff_files": [],
        },
        "notes": [
            {
                "note": f"Note {index} with a sentence or two, as people write them.", "author_id": 7,
                "noteable_type": "MergeRequest", "created_at": MOMENT, "updated_at": MOMENT, "system": False,
                "author": {"name": "Ada"}, "discussion_id": f"{number * 1000 + index:040x}",
            }
            for index in range(notes)
        ],
    }  # fmt: skip
    return json.dumps(record).encode() + b"\n"


def make_archive(path: Path, requests: int, notes: int, bundle: Path | None = None) -> None:
    """An archive of so many merge requests with so many notes each."""
    lines = path.with_suffix(".ndjson")
    with lines.open("wb") as file:
        for number in range(1, requests + 1):
            file.write(request_line(number, notes))
    member = {"access_level": 40, "source_type": "Project", "user": {"id": 7, "public_email": "", "username": "ada"}}
    small = {
        "VERSION": b"0.2.4",
        "tree/project.json": b'{"description":"bench","visibility_level":0}',
        "tree/project/project_members.ndjson": json.dumps({"user_id": 7, **member}).encode() + b"\n",
    }
    with tarfile.open(path, "w:gz", compresslevel=1) as tar:
        for name, data in small.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        tar.add(lines, "tree/project/merge_requests.ndjson")
        if bundle is not None:
            tar.add(bundle, "project.bundle")
    lines.unlink()


def run_import(services: Any, archive: Path, path: str) -> tuple[int, float, float]:
    """Import it; returns the project's id, and seconds of the clock and of this process."""
    project_id, _ = _schedule(services, archive, path, "root", overwrite=False)
    state = select(projects.c.import_status, projects.c.import_error).where(projects.c.id == project_id)
    worker = JobWorker(services.db, services, concurrency=1)
    began, busy = time.perf_counter(), time.process_time()
    worker.start()
    while True:
        with services.db.read() as conn:
            row = conn.execute(state).one()
        if row.import_status in ("finished", "failed"):
            break
        time.sleep(0.05)
    took = time.perf_counter() - began, time.process_time() - busy
    worker.stop()
    assert row.import_status == "finished", row.import_error
    return project_id, *took


def fill_repository(path: Path, megabytes: int, *, packed: bool = False) -> None:
    """Commits of files of a megabyte, as one stream into git; `packed` ones do not compress any further."""
    chance = random.Random(1)
    level = ["-c", "core.compression=0", "-c", "pack.compression=0"] if packed else []
    process = subprocess.Popen(["git", "-C", str(path), *level, "fast-import", "--quiet"], stdin=subprocess.PIPE)
    assert process.stdin is not None
    for number in range(megabytes):
        data = chance.randbytes(1_000_000) if packed else chance.randbytes(500_000).hex().encode()
        process.stdin.write(b"commit refs/heads/main\ncommitter A <a@b.c> %d +0000\ndata 1\nx\n" % (10**9 + number))
        process.stdin.write(b"M 100644 inline f%d.txt\ndata %d\n" % (number, len(data)) + data + b"\n")
    process.stdin.close()
    assert process.wait() == 0
    subprocess.run(["git", "-C", str(path), "symbolic-ref", "HEAD", "refs/heads/main"], check=True)


class Clock:
    """Seconds of the wall, and of the processor for this process and the commands that it ran."""

    def __enter__(self) -> Self:
        self._began = time.perf_counter(), _busy()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall = time.perf_counter() - self._began[0]
        self.busy = _busy() - self._began[1]


def _busy() -> float:
    return time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def bare(repository: Path, folder: Path, size: int) -> Clock:
    """What git alone needs for the bundle, and the disk for so many bytes."""
    for name in ("b", "copy"):
        (folder / name).unlink(missing_ok=True)
    with Clock() as clock:
        subprocess.run(["git", "-C", str(repository), "bundle", "create", "-q", str(folder / "b"), "--all"], check=True)
        with (folder / "b").open("rb") as source, (folder / "copy").open("wb") as target:
            left = size
            while left > 0 and (chunk := source.read(min(left, 1 << 20))):
                target.write(chunk)
                left -= len(chunk)
            os.fsync(target.fileno())
    return clock


def export(services: Any, project: Any) -> tuple[Clock, int]:
    """Our archive, into the store and onto the disk, as the background job makes it; returns its size too."""
    with Clock() as clock, Workplace(services) as place:
        file = place / "ours.tar.gz"
        with file.open("wb") as target:
            write_archive(services, project, target, None, lambda _name, _count: None)
            os.fsync(target.fileno())
        size = services.blobs.take_file("bench/ours.tar.gz", file)
    return clock, size


def compare(services: Any, project: Any, repository: Path, folder: Path) -> None:
    """Both in turn, so that whatever else the machine does meets both; the middle of the ratios counts."""
    _, size = export(services, project)
    rounds = []
    for number in range(ROUNDS):
        first = bare(repository, folder, size) if number % 2 else None
        ours, _ = export(services, project)
        rounds.append((ours, first or bare(repository, folder, size)))
    middle = [
        statistics.median(values)
        for values in zip(*((ours.wall, plain.wall, ours.busy, plain.busy) for ours, plain in rounds), strict=True)
    ]
    ratios = sorted(ours.wall / plain.wall for ours, plain in rounds)
    load = os.getloadavg()[0]
    print(
        f"export   {REPOSITORY_MB} MB of files, {size / 1e6:.0f} MB written, {ROUNDS} rounds at load {load:.1f}: "
        f"{middle[0]:.2f} s (processor {middle[2]:.2f} s), git bundle and writing as much {middle[1]:.2f} s "
        f"(processor {middle[3]:.2f} s); {statistics.median(ratios):.2f} times (goal 1.5), "
        f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
    )


def main() -> None:
    """Both, on an instance in a temporary folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = folder / "data"
        services = ready_services(configuration.make({"data": str(data), "root_token": "bench-root-token-0123456789"}))
        ensure_root(services)
        archive = folder / "in.tar.gz"
        make_archive(archive, REQUESTS, NOTES)
        project_id, wall, busy = run_import(services, archive, "root/bench")
        records = REQUESTS * (1 + NOTES)
        print(
            f"import   {REQUESTS} merge requests, {REQUESTS * NOTES} notes: {wall:.1f} s (process {busy:.1f} s), "
            f"{records / wall:.0f} records/s (goal 5000), {records / busy:.0f} per second of processor"
        )
        with services.db.read() as conn:
            project = find_project(conn, Actor(user_id=0, is_admin=True), project_id)
        took, size = export(services, project)
        print(f"export   the same records: {took.wall:.1f} s, {records / took.wall:.0f} records/s, {size / 1e6:.1f} MB")
        make_archive(archive, 1, 1)
        project_id, _, _ = run_import(services, archive, "root/big")
        with services.db.read() as conn:
            project = find_project(conn, Actor(user_id=0, is_admin=True), project_id)
        repository = repository_of(services, project)
        fill_repository(Path(repository.path), REPOSITORY_MB)
        compare(services, project, Path(repository.path), folder)
        services.pools.close()
        services.db.dispose()


if __name__ == "__main__":
    main()
