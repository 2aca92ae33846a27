"""What the merge box says of jobs that failed: their last line, whatever the log looks like, or why there is none."""

from itertools import count
from typing import Any

import pytest

from ingot.features.ci.job_outputs import traces
from tests.support.runner import WireJob, WireRunner, project_runner
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.support.world import World
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly

_numbers = count(1)
CLEANING = b"\x1b[0K\x1b[36;1mCleaning up project directory and file based variables\x1b[0;m\n"
ENDS = (
    b"\x1b[0Ksection_start:1560896358:cleanup_file_variables\r\x1b[0K" + CLEANING
    + b"\x1b[0Ksection_end:1560896359:cleanup_file_variables\r\x1b[0K"
    + b"\x1b[31;1mERROR: Job failed: exit code 1\n\x1b[0;m\n"
)  # fmt: skip
AFTERWARDS = b"section_start:1560896357:after_script\r\x1b[0K\x1b[36mRunning after_script\x1b[0m\n"
LAST = b"$ make\nE the die cracked"
ERROR = "E the die cracked"
FIRST = "ERROR: Job failed: exit code 1"
LOGS = {
    "as runners end it": (LAST + b"\n" + ENDS, ERROR),
    "without an end": (LAST, ERROR),
    "line ends of Windows": (LAST + b"\r\n\r\n", ERROR),
    "empty lines at the end": (LAST + b"\n\n   \n\t\n\x1b[0;m\n" + ENDS, ERROR),
    "colours behind a carriage return": (LAST + b"\r\x1b[0m\n" + ENDS, ERROR),
    "a bar that was wiped": (LAST + b"\n50 %\r100 %\r\x1b[2K\n" + ENDS, ERROR),
    "a section that ends": (LAST + b"\nsection_end:1560896359:step_script\r\x1b[0K\n" + ENDS, ERROR),
    "more empty lines than the tail": (LAST + b"\n" * 4900 + ENDS, ERROR),
    "a script afterwards": (LAST + b"\n" + AFTERWARDS + b"cleaned\n" + ENDS, ERROR),
    "artifacts afterwards": (LAST + b"\nUploading artifacts for failed job\nreport.xml: found 1 file\n" + ENDS, ERROR),
    "a long afterwards": (LAST + b"\nRunning after_script\n" + b"swept\n" * 900 + ENDS, "swept"),
    "the runner alone": (ENDS, FIRST),
    "no UTF-8": (b"caf\xe9 <b>\n" + ENDS, "caf\ufffd <b>"),
}  # fmt: skip


class Kiln:
    """A project with a request whose pipeline a test's runner runs."""

    def __init__(self, server: RunningServer, config: str, **more: str) -> None:
        self.client = server.client(ROOT_TOKEN)
        project = self.client.ok(
            "POST", "/projects", json={"name": f"Kiln {next(_numbers)}", "initialize_with_readme": True}
        )
        self.id, self.path = project["id"], f"/{project['path_with_namespace']}"
        self.base = f"/projects/{self.id}"
        ben = self.client.ok("GET", "/users?username=ben")[0]["id"]
        self.client.ok("POST", f"{self.base}/members", json={"user_id": ben, "access_level": 40})
        self.runner: WireRunner = project_runner(World(server), project, run_untagged=True)
        contents = {".gitlab-ci.yml": config, **more}
        actions = [{"action": "create", "file_path": path, "content": text} for path, text in contents.items()]
        body = {"branch": "slow", "start_branch": "main", "commit_message": "Add it", "actions": actions}
        self.client.ok("POST", f"{self.base}/repository/commits", json=body)
        wanted = {"source_branch": "slow", "target_branch": "main", "title": "Slow"}
        iid = self.client.ok("POST", f"{self.base}/merge_requests", json=wanted)["iid"]
        self.box = f"{self.path}/-/merge_requests/{iid}/widget"

    def pipeline(self) -> Any:
        """The first pipeline, which started the others."""
        return self.client.ok("GET", f"{self.base}/pipelines?sort=asc&source=push")[0]

    def told(self, browser: Browser) -> list[tuple[str, str, str]]:
        """Name, last line and reason of each failed job, once the pipeline has failed."""
        until(lambda: self.pipeline()["status"] == "failed")
        rows = browser.open(self.box).tree.xpath("//ul[contains(@class, 'failed')]/li")
        return [
            (
                row.xpath("string(a)"), row.xpath("string(code)"),
                row.xpath("string(span[@class='muted'])"),
            )
            for row in rows
        ]  # fmt: skip


@pytest.fixture(scope="module")
def kiln(smithy: RunningServer) -> Kiln:
    return Kiln(smithy, "bake: {script: [make]}")


@pytest.fixture
def job(kiln: Kiln) -> WireJob:
    """The job, or another attempt where earlier ones failed."""
    if kiln.pipeline()["status"] == "failed":
        (last,) = kiln.client.ok("GET", f"{kiln.base}/pipelines/{kiln.pipeline()['id']}/jobs")
        kiln.client.ok("POST", f"{kiln.base}/jobs/{last['id']}/retry")
    return kiln.runner.take()


@pytest.mark.parametrize("name", LOGS)
def test_the_last_line_of_the_script_is_told(
    smithy: RunningServer, ben: Browser, kiln: Kiln, job: WireJob, name: str
) -> None:
    log, line = LOGS[name]
    job.patch(0, log)
    job.fail()
    assert kiln.told(ben) == [("bake", line, "")]

    def is_one_object() -> bool:
        with smithy.services.db.read() as conn:
            row = traces.find_trace(conn, job.id)
            return row is not None and row.blob_key is not None

    until(is_one_object)
    assert kiln.told(ben) == [("bake", line, "")]


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("runner_system_failure", "The runner's system failed. Run the job again."),
        ("script_failure", "The script ended with an error."),
    ],
)
def test_a_job_without_a_log_says_why_it_failed(
    ben: Browser, kiln: Kiln, job: WireJob, reason: str, words: str
) -> None:
    job.fail(reason)

    assert kiln.told(ben) == [("bake", "", words)]


def test_jobs_that_may_fail_hide_no_others(smithy: RunningServer, ben: Browser) -> None:
    names = [f"try{number}" for number in range(4)]
    config = "bake: {script: [make]}\n" + "".join(
        f"{name}: {{script: [make], allow_failure: true}}\n" for name in names
    )
    kiln = Kiln(smithy, config)
    for _ in range(5):
        job = kiln.runner.take()
        job.patch(0, f"{job.response['job_info']['name']} cracked\n".encode())
        job.fail()

    told = kiln.told(ben)

    assert told[0] == ("bake", "bake cracked", "")
    assert len(told) == 3


def test_jobs_of_a_child_pipeline_are_told_with_what_started_them(smithy: RunningServer, ben: Browser) -> None:
    child = "glaze: {script: [make]}"
    config = (
        "child: {trigger: {include: child.yml, strategy: depend}}\n"
        "lost: {trigger: {project: nobody/nothing, strategy: depend}, allow_failure: true}\n"
    )
    kiln = Kiln(smithy, config, **{"child.yml": child})
    job = kiln.runner.take()
    job.patch(0, LAST)
    job.fail()

    told = kiln.told(ben)

    assert ("child: glaze", ERROR, "") in told
    lost = "The downstream project does not exist, or the user who started the job cannot see it."
    assert ("lost", "", lost) in told
