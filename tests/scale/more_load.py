"""Pipelines whose jobs a runner does, web hooks whose receiver counts, and reads; beside the actions of `load`."""

import hashlib
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from tests.scale.cluster import TOKEN, Cluster
from tests.scale.load import Thread, git, next_number, note_git
from tests.support import plain_http
from tests.support.runner import INFO, zipped
from tests.support.waiting import until

CI = """
workflow: {rules: [{if: $CI_PIPELINE_SOURCE == "api"}]}
work: {script: echo, artifacts: {paths: [result]}}
"""
TRIES = 60
SSH_OPTIONS = " ".join(
    f"-o {option}"
    for option in (
        "IdentitiesOnly=yes",
        "BatchMode=yes",
        "StrictHostKeyChecking=no",
        "UserKnownHostsFile=/dev/null",
        "LogLevel=ERROR",
        "ConnectTimeout=120",
    )
)


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
    mine = {"JOB-TOKEN": job["token"]}
    headers = {**mine, "Content-Range": f"0-{len(log) - 1}", "Content-Type": "text/plain"}
    path = f"/jobs/{job['id']}"
    shown = f"/projects/{job['job_info']['project_id']}{path}"
    # 416: an earlier try whose answer was lost.
    if _insist(lambda: thread.client.call("log", "PATCH", f"{path}/trace", content=log, headers=headers), (202, 416)):
        thread.ledger.promise(f"{shown}/trace", sha256=hashlib.sha256(log).hexdigest())
    result = {"file": ("artifacts.zip", zipped({"result": log}))}
    query = {"artifact_format": "zip", "artifact_type": "archive"}
    # 400: an earlier try whose answer was lost.
    if _insist(
        lambda: thread.client.call("artifacts", "POST", f"{path}/artifacts", params=query, files=result, headers=mine),
        (201, 400),
    ):
        digest = hashlib.sha256(result["file"][1]).hexdigest()
        thread.ledger.promise(f"{shown}/artifacts", sha256=digest)
    end = {"token": job["token"], "state": "success"}
    # 403: an earlier try, again.
    if _insist(lambda: thread.client.call("job end", "PUT", path, json=end), (200, 403)):
        thread.ledger.promise(shown, status="success")
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
            thread.ledger.hooked.add(number)

    return add_hook


def push_large_file(thread: Thread) -> None:
    """An object of Git LFS."""
    if thread.project is None:
        return
    content = f"large {next_number()}".encode() * 5000
    oid = hashlib.sha256(content).hexdigest()
    address = f"/{thread.project['path_with_namespace']}.git/gitlab-lfs/objects/{oid}"
    sent = thread.client.ask("large file", "PUT", f"{address}/{len(content)}", content=content, auth=("oauth2", TOKEN))
    if sent is not None and sent.status_code == 200:
        thread.ledger.promise(f"/{address}", sha256=oid)


def over_ssh(cluster: Cluster, folder: Path) -> Callable[[Thread], None]:
    """An action that pushes and fetches over SSH, with a key of the administrator."""
    key = folder / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    body = {"title": "load", "key": key.with_suffix(".pub").read_text()}
    added = plain_http.post(f"{cluster.urls[0]}/api/v4/user/keys", headers={"PRIVATE-TOKEN": TOKEN}, json=body)
    assert added.status_code == 201, added.text
    until(lambda: all(cluster.answers_ssh(number) for number in range(len(cluster.nodes))))
    command = f"ssh {SSH_OPTIONS} -i {key}"

    def push_over_ssh(thread: Thread) -> None:
        if thread.project is None:
            return
        name = f"pushed-{next_number()}"
        ports = thread.choice.sample(cluster.ssh_ports, len(cluster.ssh_ports))
        remotes = [f"ssh://git@127.0.0.1:{port}/{thread.project['path_with_namespace']}.git" for port in ports]
        with tempfile.TemporaryDirectory() as place:
            git(place, "init", "-q")
            git(place, "config", "core.sshCommand", command)
            for words in (["fetch", "-q", remotes[0], "main"], ["checkout", "-q", "-b", name, "FETCH_HEAD"]):
                begun = time.monotonic()
                done = git(place, *words)
                note_git(thread.ledger, "ssh fetch", done, begun)
                if done.returncode != 0:
                    return
            Path(place, name).write_text(name)
            git(place, "add", ".")
            git(place, "commit", "-qm", name)
            begun = time.monotonic()
            pushed = git(place, "push", "-q", remotes[-1], f"HEAD:refs/heads/{name}")
            note_git(thread.ledger, "ssh push", pushed, begun)
            if pushed.returncode == 0:
                thread.keep_branch(place, name)

    return push_over_ssh


def visit_pages(thread: Thread) -> None:
    """What somebody who has not signed in sees of the project."""
    if thread.project is None:
        return
    base = f"/{thread.project['path_with_namespace']}"
    pages = [
        "tree/main",
        "blob/main/README.md",
        "commits/main",
        "issues",
        "merge_requests",
        "pipelines",
        "network/main",
    ]
    for path in (base, *(f"{base}/-/{page}" for page in pages), "/explore"):
        thread.client.ask("page", "GET", path, headers={"PRIVATE-TOKEN": ""})


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
