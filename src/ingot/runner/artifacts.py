"""Collecting and uploading the artifacts of a job."""

import fnmatch
import glob
import gzip
import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

from ingot.runner.job import Artifact, Job
from ingot.runner.protocol import Coordinator, Refused, Unreachable
from ingot.runner.trace import Trace


class UploadFailed(Exception):
    """An artifact that had to be there could not be sent."""


def send(coordinator: Coordinator, job: Job, folder: Path, trace: Trace, scratch: Path, *, succeeded: bool) -> None:
    """Send every artifact that this outcome calls for."""
    for entry in job.artifacts or []:
        when = entry.when or "on_success"
        if when != "always" and (when == "on_success") != succeeded:
            continue
        files = _files(entry, folder, job)
        kind, form = entry.artifact_type, entry.artifact_format
        if not files:
            trace.say(f"WARNING: no files to upload as {kind}")
            continue
        name = _name(entry, job)
        target = scratch / "upload"
        _pack(form, files, folder, target)
        count = f"{len(files)} file" if len(files) == 1 else f"{len(files)} files"
        trace.say(f"Uploading artifacts as {kind}: {count}, {target.stat().st_size} bytes")
        options = {"artifact_type": kind, "artifact_format": form}
        if entry.expire_in:
            options["expire_in"] = entry.expire_in
        try:
            coordinator.upload(job.id, job.token, target, name, options)
        except (Refused, Unreachable) as error:
            trace.say(f"ERROR: uploading artifacts: {error}")
            if kind == "archive":
                raise UploadFailed(str(error)) from error
        finally:
            target.unlink(missing_ok=True)


def _name(entry: Artifact, job: Job) -> str:
    stem = _expanded(entry.name or "artifacts", _scope(job)).replace("/", "_") or "artifacts"
    return stem + {"zip": ".zip", "gzip": ".gz"}.get(entry.artifact_format, "")


def _files(entry: Artifact, folder: Path, job: Job) -> list[Path]:
    """Relative paths, sorted; nothing outside of the folder, and nothing of git's own."""
    root = folder.resolve()
    scope = _scope(job)
    result: set[Path] = set()
    for pattern in entry.paths or []:
        relative = _expanded(pattern, scope).removeprefix("./").removeprefix(f"{root}/")
        # `Path.glob` knows no hidden files as they are meant here.
        for match in glob.glob(relative, root_dir=root, recursive=True, include_hidden=True):  # noqa: PTH207
            result |= _below(root, Path(match))
    if entry.untracked:
        listed = subprocess.run(
            ["git", "-c", "safe.directory=*", "ls-files", "--others", "-z"], cwd=root, capture_output=True, check=False
        )
        result |= {Path(name) for name in listed.stdout.decode("utf-8", "surrogateescape").split("\0") if name}
    excluded = [_expanded(pattern, scope) for pattern in entry.exclude or []]
    return sorted(path for path in result if not any(_matches(path, pattern) for pattern in excluded))


def _scope(job: Job) -> dict[str, str]:
    return {variable.key: variable.value for variable in job.variables}


def _expanded(pattern: str, scope: Mapping[str, str]) -> str:
    for key, value in sorted(scope.items(), key=lambda pair: -len(pair[0])):
        pattern = pattern.replace(f"${{{key}}}", value).replace(f"${key}", value)
    return pattern


def _below(root: Path, match: Path) -> set[Path]:
    place = root / match
    inside = [place, *place.rglob("*")] if place.is_dir() else [place]
    return {
        path.relative_to(root)
        for path in inside
        if path.is_file() and root in path.resolve().parents and ".git" not in path.relative_to(root).parts
    }


def _matches(path: Path, pattern: str) -> bool:
    text = path.as_posix()
    if "**" in pattern:
        return fnmatch.fnmatchcase(text, pattern.replace("**/", "*")) or fnmatch.fnmatchcase(
            text, pattern.replace("**", "*")
        )
    return path.match(pattern) and len(path.parts) == len(Path(pattern).parts)


def _pack(form: str, files: list[Path], folder: Path, target: Path) -> None:
    if form == "zip":
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as packed:
            for path in files:
                packed.write(folder / path, path.as_posix())
        return
    with target.open("wb") as out:
        for path in files:
            with (folder / path).open("rb") as source:
                if form == "gzip":
                    # One member for each file, as the server expects of reports.
                    with gzip.GzipFile(filename=path.name, fileobj=out, mode="wb") as packed_one:
                        shutil.copyfileobj(source, packed_one)
                else:
                    shutil.copyfileobj(source, out)
