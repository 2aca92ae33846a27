"""A server that dies or sleeps between the move of a ref and what follows it: all of it happens, and once."""

import os
import subprocess
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from sqlalchemy import select, update

from ingot.features.code.pushing.notes import note_push, push_notes
from ingot.kit.clock import now
from ingot.kit.db import Database
from ingot.kit.jobs import enqueue
from ingot.kit.jobs.tables import jobs
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.waiting import until

pytestmark = [pytest.mark.long, pytest.mark.costly]

# One more listener, which ends or pauses the process at this place among the others.
HARMED = """
import os, signal
from ingot.events import Pushed
from ingot.kit.events import listen

@listen(Pushed, order={order})
def harm(services, event):
    if not os.path.exists({marker!r}):
        open({marker!r}, "w").close()
        os.kill(os.getpid(), signal.{signal})
"""
CONFIG = "build: {script: [make]}"
_SWEEPS = select(jobs.c.id).where(jobs.c.kind == "push_follow_up", jobs.c.ended_at.is_(None))


class Scene:
    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self.database = Database(url)

    def server(self, path: str = os.environ["PATH"], **harm: Any) -> ServerProcess:
        self._hold_back()
        process = ServerProcess(self.url, self.folder / "data", PATH=path)
        if harm:
            process.prelude = HARMED.format(marker=str(self.folder / "harmed"), **harm)
        return process

    def notes(self) -> list[Any]:
        with self.database.read() as conn:
            return list(conn.execute(select(push_notes)).all())

    def _hold_back(self) -> None:
        """No sweep is due before `announce_again`, however long the machine takes."""
        with self.database.write() as tx:
            tx.execute(update(push_notes).values(taken_at=now() + timedelta(hours=1)))

    def announce_again(self) -> None:
        """As after some seconds: the sweep looks at what is left."""
        until(self._make_due)
        until(lambda: not self._is_sweeping())

    def _make_due(self) -> bool:
        """Not beside a sweep whose time has come by itself: that one would take a note that this one is to take."""
        with self.database.write() as tx:
            if tx.execute(_SWEEPS).first() is not None:
                return False
            tx.execute(update(push_notes).values(taken_at=now() - timedelta(minutes=1)))
            enqueue(tx, "push_follow_up", key="now")
        return True

    def _is_sweeping(self) -> bool:
        with self.database.read() as conn:
            return conn.execute(_SWEEPS).first() is not None


@pytest.fixture
def scene(databases: Databases, tmp_path: Path) -> Iterator[Scene]:
    created = Scene(databases.fresh(tmp_path), tmp_path)
    (tmp_path / "data").mkdir(exist_ok=True)
    yield created
    created.database.dispose()


def working_copy(folder: Path) -> Path:
    work = folder / "work"
    for words in (["init", "-q", "-b", "main", str(work)], ["-C", str(work), "checkout", "-q", "-b", "topic"]):
        subprocess.run(["git", *words], check=True)
    (work / ".gitlab-ci.yml").write_text(CONFIG)
    person = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    subprocess.run(["git", "-C", str(work), "add", "."], check=True)
    subprocess.run(["git", "-C", str(work), *person, "commit", "-qm", "first"], check=True)
    return work


def push(work: Path, server: ServerProcess, project: dict[str, Any], *options: str, force: bool = False) -> int:
    given = [word for option in options or ("mr.create",) for word in ("-o", option)]
    words = ["push", "-q", *(["--force"] if force else []), *given, server.address(project), "topic"]
    return subprocess.run(["git", "-C", str(work), *words], capture_output=True, check=False).returncode


def committed(work: Path, content: str, *more: str) -> str:
    """One more commit; returns it."""
    (work / "a").write_text(content)
    subprocess.run(["git", "-C", str(work), "add", "."], check=True)
    person = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    subprocess.run(["git", "-C", str(work), *person, "commit", "-qm", content, *more], check=True)
    done = subprocess.run(["git", "-C", str(work), "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.mark.parametrize("order", [0, 98, 100], ids=["at once", "after the pipeline", "before the options"])
def test_the_pipeline_of_a_push_starts_once_after_kill_9(scene: Scene, order: int) -> None:
    work = working_copy(scene.folder)
    with scene.server(order=order, signal="SIGKILL") as doomed:
        (scene.folder / "harmed").touch()
        project = doomed.call("POST", "/projects", json={"name": "p", "initialize_with_readme": True})
        (scene.folder / "harmed").unlink()
        assert push(work, doomed, project) != 0
        assert doomed.died()
    assert len(scene.notes()) == 1

    with scene.server() as server:
        place = f"/projects/{project['id']}"
        assert server.call("GET", f"{place}/repository/branches/topic")["name"] == "topic"
        scene.announce_again()
        scene.announce_again()

        result = server.call("GET", f"{place}/pipelines")
        opened = server.call("GET", f"{place}/merge_requests")
    assert [(row["ref"], row["source"]) for row in result] == [("topic", "push")]
    assert [row["source_branch"] for row in opened] == ["topic"]
    assert scene.notes() == []


def test_the_pipeline_starts_once_when_the_server_was_only_asleep(scene: Scene) -> None:
    work = working_copy(scene.folder)
    with scene.server(order=79, signal="SIGSTOP") as sleeper, scene.server() as other:
        project = other.call("POST", "/projects", json={"name": "p"})
        codes: list[int] = []
        pushing = threading.Thread(target=lambda: codes.append(push(work, sleeper, project)))
        pushing.start()
        until(sleeper.is_paused)
        scene.announce_again()
        assert len(other.call("GET", f"/projects/{project['id']}/pipelines")) == 1

        sleeper.go_on()
        pushing.join()

        assert codes == [0]
        assert len(other.call("GET", f"/projects/{project['id']}/pipelines")) == 1
    assert scene.notes() == []


def test_what_follows_a_merge_happens_after_kill_9(scene: Scene) -> None:
    with scene.server(order=0, signal="SIGKILL") as doomed:
        (scene.folder / "harmed").touch()
        project = doomed.call("POST", "/projects", json={"name": "p", "initialize_with_readme": True})
        place = f"/projects/{project['id']}"
        issue = doomed.call("POST", f"{place}/issues", json={"title": "Broken"})
        commit = {"branch": "topic", "start_branch": "main", "commit_message": "x"}
        action = {"action": "create", "file_path": ".gitlab-ci.yml", "content": CONFIG}
        doomed.call("POST", f"{place}/repository/commits", json={**commit, "actions": [action]})
        body = {"source_branch": "topic", "target_branch": "main", "title": "T", "description": "Closes #1"}
        request = doomed.call("POST", f"{place}/merge_requests", json={**body, "remove_source_branch": True})
        (scene.folder / "harmed").unlink()
        with pytest.raises(Exception, match=r"disconnected|reset"):
            doomed.call("PUT", f"{place}/merge_requests/{request['iid']}/merge")
        assert doomed.died()

    with scene.server() as server:
        scene.announce_again()
        scene.announce_again()

        merged = server.call("GET", f"{place}/merge_requests/{request['iid']}")
        assert merged["state"] == "merged"
        assert server.call("GET", f"{place}/issues/{issue['iid']}")["state"] == "closed"
        branches = [row["name"] for row in server.call("GET", f"{place}/repository/branches")]
        assert branches == ["main"]
        pipelines = server.call("GET", f"{place}/pipelines", params={"ref": "main"})
        assert [row["sha"] for row in pipelines] == [merged["merge_commit_sha"]]
        notes = server.call("GET", f"{place}/merge_requests/{request['iid']}/notes")
        assert [note["body"] for note in notes if note["body"] == "merged"] == ["merged"]
    assert scene.notes() == []


def test_a_source_branch_stays_for_another_time_when_its_git_is_killed(scene: Scene) -> None:
    dying = scene.folder / "dying"
    git = scene.folder / "programs" / "git"
    git.parent.mkdir()
    git.write_text(
        f'#!/bin/sh\ncase "$*" in *update-ref*) [ -e "{dying}" ] && kill -9 $$;; esac\nexec {which("git")} "$@"\n'
    )
    git.chmod(0o755)
    with scene.server(path=f"{git.parent}{os.pathsep}{os.environ['PATH']}") as server:
        project = server.call("POST", "/projects", json={"name": "p", "initialize_with_readme": True})
        place = f"/projects/{project['id']}"
        action = {"action": "create", "file_path": "a", "content": "a"}
        commit = {"branch": "topic", "start_branch": "main", "commit_message": "x", "actions": [action]}
        server.call("POST", f"{place}/repository/commits", json=commit)
        body = {"source_branch": "topic", "target_branch": "main", "title": "T", "remove_source_branch": True}
        request = server.call("POST", f"{place}/merge_requests", json=body)
        dying.touch()
        merged = server.call("PUT", f"{place}/merge_requests/{request['iid']}/merge")
        branches = [row["name"] for row in server.call("GET", f"{place}/repository/branches")]
        dying.unlink()
        scene.announce_again()

        assert merged["state"] == "merged"
        assert branches == ["main", "topic"]
        assert [row["name"] for row in server.call("GET", f"{place}/repository/branches")] == ["main"]
    assert scene.notes() == []


def shown(server: ServerProcess, place: str) -> list[tuple[str, str, str]]:
    """The commits of the pipelines of pushes, oldest first, with what was given to each, and their states."""
    result = server.call("GET", f"{place}/pipelines", params={"sort": "asc", "source": "push"})
    given = [server.call("GET", f"{place}/pipelines/{row['id']}/variables") for row in result]
    words = ["".join(one["value"] for one in variables) for variables in given]
    return [(row["sha"], word, row["status"]) for row, word in zip(result, words, strict=True)]


def test_each_of_several_pushes_during_an_outage_gets_its_own_pipeline(scene: Scene) -> None:
    work = working_copy(scene.folder)
    with scene.server() as server:
        project = server.call("POST", "/projects", json={"name": "p", "initialize_with_readme": True})
        place = f"/projects/{project['id']}"
    pushed = []
    for word in ("one", "two"):
        (scene.folder / "harmed").unlink(missing_ok=True)
        with scene.server(order=0, signal="SIGKILL") as doomed:
            pushed.append(committed(work, word))
            assert push(work, doomed, project, f"ci.variable=WORD={word}") != 0
            assert doomed.died()
    (scene.folder / "harmed").unlink()
    with scene.server(order=0, signal="SIGKILL") as doomed:
        action = {"action": "create", "file_path": "b", "content": "three"}
        body = {"branch": "topic", "commit_message": "three", "actions": [action]}
        with pytest.raises(Exception, match=r"disconnected|reset"):
            doomed.call("POST", f"{place}/repository/commits", json=body)
        assert doomed.died()
    with scene.server() as server:
        pushed.append(server.call("GET", f"{place}/repository/branches/topic")["commit"]["id"])
        body["actions"] = [{**action, "action": "update", "content": "four"}]
        pushed.append(server.call("POST", f"{place}/repository/commits", json=body)["id"])
        assert shown(server, place) == [(pushed[3], "", "pending")]
        assert len(scene.notes()) == 3

        scene.announce_again()
        scene.announce_again()

        first, second, third, fourth = pushed
        assert shown(server, place) == [
            (fourth, "", "pending"),
            (first, "one", "pending"),
            (second, "two", "pending"),
            (third, "", "pending"),
        ]
    assert scene.notes() == []


def test_a_push_that_was_pushed_over_gets_its_pipeline_too(scene: Scene) -> None:
    work = working_copy(scene.folder)
    with scene.server(order=0, signal="SIGKILL") as doomed:
        (scene.folder / "harmed").touch()
        project = doomed.call("POST", "/projects", json={"name": "p", "initialize_with_readme": True})
        place = f"/projects/{project['id']}"
        (scene.folder / "harmed").unlink()
        lost = committed(work, "lost")
        assert push(work, doomed, project, "ci.variable=WORD=lost") != 0
        assert doomed.died()
    with scene.server() as server:
        remaining = committed(work, "kept", "--amend")
        assert push(work, server, project, "ci.variable=WORD=kept", force=True) == 0

        scene.announce_again()
        scene.announce_again()

        assert shown(server, place) == [(remaining, "kept", "pending"), (lost, "lost", "pending")]
    assert scene.notes() == []


def test_a_push_that_never_moved_its_branch_is_not_told_of(scene: Scene) -> None:
    work = working_copy(scene.folder)
    with scene.server() as server:
        project = server.call("POST", "/projects", json={"name": "p", "initialize_with_readme": True})
        place = f"/projects/{project['id']}"
        head = committed(work, "here")
        assert push(work, server, project, "ci.variable=WORD=here") == 0
        before = {"refs/heads/topic": "1" * 40}
        with scene.database.write() as tx:
            note_push(tx, project["id"], 1, before, {"refs/heads/topic": "2" * 40}, ["ci.variable=WORD=never"])

        scene.announce_again()

        assert shown(server, place) == [(head, "here", "pending")]
        assert len(scene.notes()) == 1  # it may still be under way
