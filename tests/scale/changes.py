"""Changes of what was written before: edits, comments, removals, force pushes. What was removed must not come back."""

import tempfile
import time
from pathlib import Path
from typing import Any

from tests.scale.ledger import GONE, Either
from tests.scale.load import PROJECT, Thread, git, head, next_number, note_git


def change(thread: Thread, action: str, method: str, path: str, fields: dict[str, Any], **options: Any) -> bool:
    """Ask for a change of what this path shows; True if it was acknowledged.

    Refused, the old values are promised again; where nobody knows, the old or the new ones.
    """
    before = thread.ledger.withdraw(path)
    answer = thread.client.call(action, method, path, **options)
    if answer is not None and answer.status_code < 300:
        thread.ledger.promise(path, **before | fields)
        return True
    may_be_done = answer is None or answer.status_code >= 500
    unsure = {name: Either(before.get(name), value) for name, value in fields.items()}
    thread.ledger.restore(path, before | unsure if may_be_done else before)
    return False


def remove(thread: Thread, path: str) -> bool:
    """Ask for a removal; True if it was acknowledged. Where nobody knows, nothing is promised any more."""
    before = thread.ledger.withdraw(path)
    answer = thread.client.call("removal", "DELETE", path)
    if answer is not None and answer.status_code < 300:
        thread.ledger.promise(path, **GONE)
        return True
    if answer is not None and answer.status_code < 500:
        thread.ledger.restore(path, before)
    return False


def edit_an_issue(thread: Thread) -> None:
    """Another title, or the end of it."""
    if not thread.changeable["issue"]:
        return
    path = thread.choice.choice(thread.changeable["issue"])
    number = int(path.split("/")[2])
    if thread.choice.random() < 0.6:
        title = f"edited issue {next_number()}"
        if change(thread, "edit", "PUT", path, {"title": title}, json={"title": title}):
            thread.ledger.expect_event(number, title, "update")
        return
    thread.changeable["issue"].remove(path)  # it stays closed
    if change(thread, "close", "PUT", path, {"state": "closed"}, json={"state_event": "close"}):
        title = thread.ledger.snapshot()[path]["title"]
        if isinstance(title, str):
            thread.ledger.expect_event(number, title, "close")


def comment(thread: Thread) -> None:
    """A comment on an issue, and a change or the removal of an older one."""
    if not thread.changeable["issue"]:
        return
    notes = f"{thread.choice.choice(thread.changeable['issue'])}/notes"
    older = list(thread.changeable["note"])
    body = f"comment {next_number()}"
    created = thread.client.call("comment", "POST", notes, json={"body": body})
    if created is not None and created.status_code == 201:
        thread.keep("note", f"{notes}/{created.json()['id']}", body=body)
    if not older:
        return
    path = thread.choice.choice(older)
    if thread.choice.random() < 0.5:
        body = f"edited comment {next_number()}"
        change(thread, "edit comment", "PUT", path, {"body": body}, json={"body": body})
    else:
        thread.changeable["note"].remove(path)
        remove(thread, path)


def remove_something(thread: Thread) -> None:
    """A label, an upload, an issue with its comments, or a branch."""
    kinds = [kind for kind in ("label", "upload", "issue", "branch") if len(thread.changeable[kind]) > 1]
    if not kinds:
        return
    kind = thread.choice.choice(kinds)
    path = thread.changeable[kind].pop(0)
    if kind == "issue":
        thread.ledger.withdraw_below(path)
        notes = thread.changeable["note"]
        thread.changeable["note"] = [note for note in notes if not note.startswith(f"{path}/")]
    if kind == "branch":
        remove_branch(thread, path)
    else:
        remove(thread, path)


def remove_branch(thread: Thread, path: str) -> None:
    """By the API or by a push."""
    commit = path.replace("/branches/", "/commits/")
    thread.ledger.withdraw(commit)
    if thread.choice.random() < 0.5:
        is_removed = remove(thread, path)
    else:
        thread.ledger.withdraw(path)
        with tempfile.TemporaryDirectory() as folder:
            git(folder, "init", "-q")
            begun = time.monotonic()
            done = thread.git(folder, ["push", "-q"], f":refs/heads/{path.rpartition('/')[2]}")
        note_git(thread.ledger, "push of a removal", done, begun)
        is_removed = done.returncode == 0
        if is_removed:
            thread.ledger.promise(path, **GONE)
    if is_removed:
        thread.ledger.promise(commit, **GONE)


def force_push(thread: Thread) -> None:
    """Another history in place of one that was pushed before."""
    if not thread.changeable["branch"]:
        return
    path = thread.choice.choice(thread.changeable["branch"])
    name, commit = path.rpartition("/")[2], path.replace("/branches/", "/commits/")
    before = thread.ledger.withdraw(commit)
    with tempfile.TemporaryDirectory() as folder:
        git(folder, "init", "-q")
        Path(folder, "y").write_text(f"forced {next_number()}")
        git(folder, "add", "y")
        git(folder, "commit", "-qm", "Write history anew")
        begun = time.monotonic()
        done = thread.git(folder, ["push", "-q", "--force"], f"HEAD:refs/heads/{name}")
        note_git(thread.ledger, "force push", done, begun)
        pushed = head(folder)
    if done.returncode == 0:
        thread.ledger.promise(commit, id=pushed)
    else:
        thread.ledger.restore(commit, {"id": Either(before.get("id"), pushed)})


def remove_project(thread: Thread) -> None:
    """A project with an issue and an upload, which goes again."""
    path = f"short-{next_number()}-{thread.choice.getrandbits(32):x}"
    created = thread.client.call("project", "POST", "/projects", json={**PROJECT, "path": path})
    if created is None or created.status_code != 201:
        return
    base = f"/projects/{created.json()['id']}"
    thread.client.call("issue", "POST", f"{base}/issues", json={"title": f"short {path}"})
    thread.client.call(
        "upload", "POST", f"{base}/uploads", files={"file": ("short.bin", thread.choice.randbytes(2000))}
    )
    remove(thread, base)


CHANGES = [comment, edit_an_issue, force_push, remove_something, remove_project]
