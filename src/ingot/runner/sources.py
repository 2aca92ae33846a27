"""The project folder of a job: the commit checked out, and the archives of earlier jobs unpacked into it."""

import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from ingot.runner.job import Job
from ingot.runner.protocol import Coordinator
from ingot.runner.shell import run
from ingot.runner.trace import Trace


class SourcesFailed(Exception):
    """The folder could not be made ready."""


def fetch(job: Job, folder: Path, trace: Trace, env: Mapping[str, str], is_over: Callable[[], bool]) -> None:
    """Check out the job's commit as `GIT_STRATEGY` wants it."""
    strategy = env.get("GIT_STRATEGY", "fetch").lower()
    if strategy in ("clone", "empty"):
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    if strategy in ("none", "empty"):
        trace.say("Skipping Git repository setup")
        return
    trace.say("Getting source from Git repository")
    git = job.git_info
    quiet = {**env, "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}

    def do(*words: str) -> bool:
        return run(["git", "-c", "safe.directory=*", *words], trace, quiet, folder, is_over) == 0

    if not (folder / ".git").is_dir() and not do("init", "--quiet", "--initial-branch=runner"):
        raise SourcesFailed("git init")
    deep = [f"--depth={git.depth}"] if git.depth else []
    specs = git.refspecs
    fetched = do("fetch", "--quiet", "--no-tags", "--force", *deep, git.repo_url, *specs)
    if not fetched:
        raise SourcesFailed("git fetch")
    checkout = ("checkout", "--quiet", "--force", "--detach", git.sha)
    if not do(*checkout):
        # The commit lies deeper than the history that was fetched.
        whole = ["--unshallow"] if (folder / ".git/shallow").exists() else []
        if not do("fetch", "--quiet", "--force", *whole, git.repo_url, *specs) or not do(*checkout):
            raise SourcesFailed("git checkout")
    do("clean", "-ffdxq")
    trace.say(f"Checking out {git.sha[:8]} as {git.ref}")


def unpack_dependencies(coordinator: Coordinator, job: Job, folder: Path, trace: Trace, scratch: Path) -> None:
    """The archives of earlier jobs, one after another."""
    for dependency in job.dependencies or []:
        if dependency.artifacts_file is None:
            continue
        trace.say(f"Downloading artifacts for {dependency.name} ({dependency.id})")
        archive = scratch / f"{dependency.id}.zip"
        coordinator.download(dependency.id, dependency.token, archive)
        _unpack(archive, folder)
        archive.unlink()


def _unpack(archive: Path, folder: Path) -> None:
    root = folder.resolve()
    with zipfile.ZipFile(archive) as packed:
        for entry in packed.infolist():
            target = (root / entry.filename).resolve()
            if root not in target.parents:
                continue  # outside of the project: another runner's archive may hold anything
            if entry.is_dir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            with packed.open(entry) as source, target.open("wb") as out:
                shutil.copyfileobj(source, out)
            mode = (entry.external_attr >> 16) & 0o777
            if mode:
                target.chmod(mode)
