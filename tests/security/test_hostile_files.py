"""File contents that the server parses, full of patterns that break parsers: quick answers, small growth, no faults."""

import base64
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.features.transfer.project_imports.making import archive
from tests.security.bringing import bring
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.processor_time import slowness
from tests.support.runner import INFO
from tests.support.server import ROOT_TOKEN

pytestmark = pytest.mark.costly

MEGABYTE = 1024 * 1024
MOST_GROWTH = 64 * MEGABYTE
SIZE = 100_000
ROOT = {"PRIVATE-TOKEN": ROOT_TOKEN}
PATTERNS = {
    "one letter": "a",
    "brackets": "[",
    "braces": "{",
    "comments": "<!--",
    "interpolations": "$[[ ",
    "mentions": "@a-",
    "blanks": " \t",
    "lines": "\n",
    "anchors": "- &a [*a, *a]\n",
    "sections": "[a][1] @b\n",
    "stars": "**/*?",
    "quotes": '"\\',
    "NUL": "\0",
    "elements": "<a b='c'>",
}
# The worst of them for each parser; the long form runs all.
WORST = {"brackets", "braces", "anchors", "quotes", "elements", "NUL"}


def these(names: set[str]) -> list[Any]:
    """All patterns; those beside the named ones belong to the long form."""
    return [name if name in names else pytest.param(name, marks=pytest.mark.scale) for name in PATTERNS]


FILES = (
    ".gitlab-ci.yml", "CODEOWNERS", "README.md", "LICENSE", "lfs.bin", "code.py", "run"
)  # fmt: skip
READS = (
    "?license=true",
    "/languages",
    "/ci/lint?content_ref={branch}&dry_run=true",
    "/repository/files/README.md?ref={branch}",
    "/repository/files/lfs.bin/raw?ref={branch}",
    "/repository/files/CODEOWNERS/blame?ref={branch}",
    "/repository/commits/{branch}/diff",
    "/repository/compare?from=main&to={branch}",
    "/repository/archive.tar.gz?sha={branch}",
)


class Target:
    """A project to fill with files, a request to its branch, and a job whose reports are read."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        project = server.call("POST", "/projects", json={"name": "target", "initialize_with_readme": True})
        self.path = f"/projects/{project['id']}"
        self.count = self.requests = 0
        self.plain: dict[str, float] = {}  # seconds that each takes with a text of the same size and no pattern
        config = "build: {script: [a], artifacts: {reports: {junit: j.xml, dotenv: e.env}}}"
        self.commit("main", {".gitlab-ci.yml": config})
        rules = {"name": "attack-*", "code_owner_approval_required": True}
        server.call("POST", f"{self.path}/protected_branches", json=rules)
        options = {"runner_type": "project_type", "project_id": project["id"]}
        self.runner = server.call("POST", "/user/runners", json=options)["token"]

    def commit(self, branch: str, files: dict[str, str]) -> None:
        actions = [
            {
                "action": "update" if name == "README.md" else "create",
                "file_path": name,
                "content": base64.b64encode(content.encode()).decode(),
                "encoding": "base64",
            }
            for name, content in files.items()
        ]
        if branch != "main":
            actions = [{**one, "action": "update"} if one["file_path"] == ".gitlab-ci.yml" else one for one in actions]
        self.server.call(
            "POST",
            f"{self.path}/repository/commits",
            json={"branch": branch, "start_branch": "main", "commit_message": "Files", "actions": actions},
        )

    def ask(self, method: str, path: str, expected: int | None = None, **options: Any) -> float:
        """Seconds of work for the answer; a fault of the server, or another status, fails the test."""
        began = self.server.processor_time()
        answer = httpx.request(
            method, f"{self.server.url}/api/v4{path}", headers=options.pop("headers", ROOT), timeout=120, **options
        )
        assert answer.status_code < 500, f"{method} {path}: {answer.status_code} {answer.text[:300]}"
        assert expected in (None, answer.status_code), f"{method} {path}: {answer.status_code} {answer.text[:300]}"
        return self.server.processor_time() - began

    def request(self, branch: str, description: str = "") -> dict[str, float]:
        """A merge request to the branch, whose CODEOWNERS decide who has to approve it."""
        self.requests += 1
        fields = {"source_branch": "main", "target_branch": branch, "title": "T", "description": description}
        created = self.ask("POST", f"{self.path}/merge_requests", 201, json=fields)
        address = f"{self.path}/merge_requests/{self.requests}/approval_state"
        return {"request": created, "approvals": self.ask("GET", address, 200)}

    def read_all(self, text: str) -> dict[str, float]:
        """Store the text in every file that is parsed, ask whatever parses it, and say how long each took."""
        self.count += 1
        branch = f"attack-{self.count}"
        self.commit(branch, dict.fromkeys(FILES, text))
        took = {read: self.ask("GET", self.path + read.format(branch=branch)) for read in READS}
        took["lint"] = self.ask("POST", f"{self.path}/ci/lint", json={"content": text.replace("\0", "?")})
        took |= self.request(branch, text[:50_000].replace("\0", "?"))
        avatar = {"avatar": ("a.png", b"\x89PNG\r\n\x1a\n" + text.encode(), "image/png")}
        took["avatar"] = self.ask("PUT", self.path, files=avatar)
        quoted = text.replace("&", "&amp;").replace("<", "&lt;").replace("\0", "?")
        nested = f"<testsuite><testcase name='a'><failure>{quoted}</failure></testcase></testsuite>"
        return took | self.upload(("junit", text), ("junit", nested), ("dotenv", text), ("dotenv", f"A={text}"))

    def upload(self, *reports: tuple[str, str]) -> dict[str, float]:
        """Reports of one job by their kinds; returns how long each took."""
        self.server.call("POST", f"{self.path}/pipeline", json={"ref": "main"})
        address = f"{self.server.url}/api/v4/jobs/request"
        job = httpx.post(address, json={"token": self.runner, "system_id": "s_1", "info": INFO}, timeout=120).json()
        took = {}
        for number, (kind, content) in enumerate(reports):
            took[f"{kind} {number}"] = self.ask(
                "POST",
                f"/jobs/{job['id']}/artifacts",
                params={"artifact_type": kind, "artifact_format": "gzip"},
                headers={"JOB-TOKEN": job["token"]},
                files={"file": (f"{kind}.gz", gzip.compress(content.encode(), 6), "application/gzip")},
            )
        self.ask("PUT", f"/jobs/{job['id']}", json={"token": job["token"], "state": "success"})
        return took


@pytest.fixture(scope="module")
def target(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("files")
    with ServerProcess(databases.fresh(folder), folder / "data") as server:
        created = Target(server)
        created.read_all("warm")
        created.plain = created.read_all("words of a plain text\n" * (SIZE // 22))
        yield created


@pytest.mark.parametrize("name", these(WORST))
def test_parsed_files_cost_little(target: Target, name: str) -> None:
    unit = PATTERNS[name]

    took, grown = target.server.growth(lambda: target.read_all(unit * (SIZE // len(unit))))

    # On a quiet machine a plain text takes some milliseconds, so this is little more than a second.
    limit = slowness()
    slow = {what: seconds for what, seconds in took.items() if seconds > limit + 10 * target.plain[what]}
    worst = max(took, key=lambda what: took[what])
    sys.stdout.write(f"{name}: {worst} took {took[worst]:.2f} s, grew by {grown / MEGABYTE:.0f} MB\n")
    assert slow == {}
    assert grown < MOST_GROWTH


@pytest.mark.parametrize("name", these({"brackets", "anchors"}))
def test_large_configurations_cost_little(target: Target, name: str) -> None:
    """As large as they may be: a megabyte of CI configuration and of CODEOWNERS."""
    unit = PATTERNS[name]
    target.count += 1
    branch = f"attack-{target.count}"
    target.commit(branch, dict.fromkeys((".gitlab-ci.yml", "CODEOWNERS"), unit * (MEGABYTE // len(unit) - 1)))

    def attack() -> None:
        target.ask("GET", f"{target.path}/ci/lint?content_ref={branch}&dry_run=true")
        target.request(branch)

    _, grown = target.server.growth(attack)

    assert grown < MOST_GROWTH


@pytest.mark.parametrize("file", [".gitmodules", ".gitattributes"])
@pytest.mark.parametrize("name", these(WORST))
def test_files_that_git_parses_cost_little(target: Target, name: str, file: str) -> None:
    unit = PATTERNS[name]
    text = unit * (SIZE // len(unit))
    target.count += 1
    branch = f"{file[1:]}-{target.count}"
    commit = {
        "branch": branch,
        "start_branch": "main",
        "commit_message": "Files",
        "actions": [{"action": "create", "file_path": file, "content": text.replace("\0", "?")}],
    }
    reads = [read for read in READS if "CODEOWNERS" not in read and "lfs" not in read]

    def attack() -> None:
        target.ask("POST", f"{target.path}/repository/commits", json=commit)
        for read in reads:
            target.ask("GET", target.path + read.format(branch=branch))

    _, grown = target.server.growth(attack)

    assert grown < MOST_GROWTH


def test_a_report_that_is_small_only_on_the_wire_is_refused(target: Target) -> None:
    """Half a megabyte packed: millions of elements, of cases, and a run of blanks."""
    texts = (
        "<testsuite>" + "<a/>" * 4_000_000 + "</testsuite>",
        "<testsuite><testcase name='a'>" + "<a/>" * 4_000_000 + "</testcase></testsuite>",
        "<testsuite>" + "".join(f"<testcase name='{n}'/>" for n in range(700_000)) + "</testsuite>",
        "<testsuite>" + " " * (100 * MEGABYTE),
    )
    for text in texts:
        _, grown = target.server.growth(lambda text=text: target.upload(("junit", text)))
        assert grown < MOST_GROWTH


@pytest.mark.parametrize("name", these(WORST))
def test_lines_of_an_archive_cost_little(target: Target, tmp_path: Path, name: str) -> None:
    text = PATTERNS[name] * (SIZE // len(PATTERNS[name]))
    packed = tmp_path / "archive.tar.gz"
    lines = {"tree/project/issues.ndjson": text.encode(), "project.bundle": text.encode()}
    issues = [{"iid": 1, "title": text, "description": text.replace("\0", "?")}]
    for number, content in enumerate((archive(files=lines), archive(issues=issues))):
        packed.write_bytes(content)
        path = f"{name.replace(' ', '-').lower()}-{number}"
        record, grown = target.server.growth(lambda path=path: bring(target.server, packed, path))
        assert record["import_status"] == ("failed", "finished")[number]
        assert grown < MOST_GROWTH
