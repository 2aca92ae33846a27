"""Large projects go out and come in without the process growing with them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.databases import Databases
from tests.support.server import RunningServer

MEGABYTES = int(os.environ.get("ARCHIVE_MEGABYTES", "1000"))
NOTES = int(os.environ.get("ARCHIVE_NOTES", "200000"))
GROWTH = 150 * 1024 * 1024

WORK = """
import sys
from pathlib import Path
from ingot.cli.ready import load_settings, ready_services
from ingot.cli.archives import _schedule, _work, _close
from ingot.access.subjects import find_project
from ingot.features.project_exports.commands.write import Workplace, write_archive
from ingot.kit.actor import Actor

def peak():  # not getrusage, which a process inherits from the one that started it
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024

services = ready_services(load_settings(data=sys.argv[1], database_url=sys.argv[2]))
word, path, file = sys.argv[3], sys.argv[4], Path(sys.argv[5])
def export(path, file):
    with services.db.read() as conn:
        project = find_project(conn, Actor(user_id=0, is_admin=True), path)
    with Workplace(services) as folder, file.open("wb") as target:
        write_archive(services, project, target, folder, None, lambda _name, _count: None)

def load(path, file):
    project_id, import_id = _schedule(services, file, path, "root", overwrite=False)
    _work(services, import_id)
    _close(services, project_id, import_id)

small = Path(sys.argv[6])
(export if word == "export" else load)("root/warm", small)
before = peak()
(export if word == "export" else load)(path, file)
print("GREW", peak() - before)
"""


def grown(data: Path, url: str, *words: str) -> int:
    """By how many bytes a process grew that did a small archive first and a large one then."""
    done = subprocess.run(
        [sys.executable, "-c", WORK, str(data), url, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=3600,
        env={**os.environ, "PYTHONPATH": "src"},
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout.rpartition("GREW ")[2])


@pytest.mark.scale
def test_large_archives_need_little_memory(databases: Databases, tmp_path: Path) -> None:
    from bench.archives import fill_repository, make_archive

    url = databases.fresh(tmp_path)
    with RunningServer(url, tmp_path, worker=False):
        pass
    source = tmp_path / "source.git"
    subprocess.run(["git", "init", "-q", "--bare", str(source)], check=True)
    fill_repository(source, MEGABYTES)
    bundle = tmp_path / "large.bundle"
    subprocess.run(["git", "-C", str(source), "bundle", "create", "-q", str(bundle), "HEAD", "--all"], check=True)
    large, small = tmp_path / "large.tar.gz", tmp_path / "small.tar.gz"
    make_archive(large, NOTES // 20, 20, bundle)
    make_archive(small, 100, 5)

    came = grown(tmp_path, url, "import", "root/large", str(large), str(small))
    small_out = tmp_path / "small-out.tar.gz"
    went = grown(tmp_path, url, "export", "root/large", str(tmp_path / "out.tar.gz"), str(small_out))

    sys.stdout.write(f"import grew by {came / 1e6:.0f} MB, export by {went / 1e6:.0f} MB\n")
    assert came < GROWTH
    assert went < GROWTH
