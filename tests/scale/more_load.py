"""Pipelines whose jobs a runner does, web hooks whose receiver counts, and reads; beside the actions of `load`."""

import tempfile
import time
from collections.abc import Callable

import httpx

from tests.scale.load import Thread, next_number, note_git
from tests.support.runner import INFO

CI = """
workflow: {rules: [{if: $CI_PIPELINE_SOURCE == "api"}]}
work: {script: echo}
"""
TRIES = 60


def run_pipeline(thread: Thread) -> None:
    """A pipeline that somebody asks for, and the work of a runner."""
    if thread.project is None:
        return
    base = f"/projects/{thread.project['id']}"
    if not thread.project.get("has_ci"):
        body = {"branch": "main", "content": CI, "commit_message": "Add CI"}
        added = thread.client.call("ci file", "POST", f"{base}/repository/files/.gitlab-ci.yml", json=body)
        if added is None or added.status_code not in (201, 400):  # 400: an earlier attempt whose answer was lost
            return
        thread.project["has_ci"] = True
    # The key, because values are sealed: by it a pipeline that is there twice is known.
    marked = {"ref": "main", "variables": [{"key": f"MARK_{next_number()}", "value": "1"}]}
    created = thread.client.call("pipeline", "POST", f"{base}/pipeline", json=marked)
    if created is not None and created.status_code == 201:
        thread.ledger.promise(f"{base}/pipelines/{created.json()['id']}", ref="main")
    do_a_job(thread)


def do_a_job(thread: Thread) -> bool:
    """Take a job and end it well, asking again as runners do; False when there was none."""
    if thread.runner is None:
        made = thread.client.call("runner", "POST", "/user/runners", json={"runner_type": "instance_type"})
        if made is None or made.status_code != 201:
            return True
        thread.runner = str(made.json()["token"])
    ask = {"token": thread.runner, "info": INFO, "system_id": "s_1"}
    asked = thread.client.call("job request", "POST", "/jobs/request", json=ask)
    if asked is None:
        thread.ledger.lost_job_answers += 1
        return True
    if asked.status_code != 201:
        return asked.status_code != 204
    job = asked.json()
    thread.ledger.hand_out(int(job["id"]))
    log = f"did {job['id']}\n".encode()
    headers = {"JOB-TOKEN": job["token"], "Content-Range": f"0-{len(log) - 1}", "Content-Type": "text/plain"}
    path = f"/jobs/{job['id']}"
    _insist(lambda: thread.client.call("log", "PATCH", f"{path}/trace", content=log, headers=headers), (202, 416, 403))
    end = {"token": job["token"], "state": "success"}
    ended = _insist(lambda: thread.client.call("job end", "PUT", path, json=end), (200, 403))
    if ended is not None:
        project = job["job_info"]["project_id"]
        thread.ledger.promise(f"/projects/{project}/jobs/{job['id']}", status="success")
    return True


def _insist(ask: Callable[[], httpx.Response | None], enough: tuple[int, ...]) -> httpx.Response | None:
    for _ in range(TRIES):
        answer = ask()
        if answer is not None and answer.status_code in enough:
            return answer
        time.sleep(1.0)
    return None


def with_hook(url: str) -> Callable[[Thread], None]:
    """An action that gives the project a hook, once; the receiver's path then names the project and the try.

    A try whose answer broke off may have added a hook as well, which is told the same under keys of its own.
    """

    def add_hook(thread: Thread) -> None:
        if thread.project is None or thread.project.get("has_hook"):
            return
        number = thread.project["id"]
        thread.project["tries"] = thread.project.get("tries", 0) + 1
        body = {"url": f"{url}/{number}/{thread.project['tries']}", "issues_events": True, "push_events": False}
        added = thread.client.call("hook", "POST", f"/projects/{number}/hooks", json=body)
        if added is not None and added.status_code == 201:
            thread.project["has_hook"] = True
            thread.ledger.hooked[number] = len(thread.ledger.acknowledged)

    return add_hook


def read_much(thread: Thread) -> None:
    """What people look at between two writes, and a clone."""
    if thread.project is None:
        return
    base = f"/projects/{thread.project['id']}"
    lists = ["issues", "labels", "merge_requests", "pipelines", "jobs", "uploads", "hooks", "members/all"]
    of_repository = ["tree", "commits", "branches", "archive.tar.gz", "compare?from=main&to=main"]
    for path in (base, "/projects", *(f"{base}/{one}" for one in lists)):
        thread.client.call("list", "GET", path)
    for path in of_repository:
        thread.client.call("read", "GET", f"{base}/repository/{path}")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        cloned = thread.git(folder, ["clone", "-q", "--bare"], "copy")
    note_git(thread.ledger, "clone", cloned, begun)
