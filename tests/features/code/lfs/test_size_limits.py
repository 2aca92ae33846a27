"""The size limit of repositories: where it is set, and what it refuses."""

import hashlib
import os
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from ingot.features.spaces.projects.queries.size_limits import human_size
from tests.features.code.git_http.git_client import address, clone
from tests.features.code.lfs.test_transfer import batch, send
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.support.world import World

MEGABYTE = 1 << 20
MORE = "Please contact your GitLab administrator for more information."


def ask_for(server: RunningServer, project: dict[str, Any], size: int) -> tuple[int, str]:
    """The status and message of a batch that announces one object."""
    reply = batch(server, project, ROOT_TOKEN, "upload", hashlib.sha256(os.urandom(8)).hexdigest(), size)
    return reply.status_code, reply.json().get("message", "")


def test_the_closest_limit_counts_and_lfs_refuses_above_it(server: RunningServer, world: World) -> None:
    top = world.group()
    inner = world.group(parent_id=top["id"])
    project = world.project(namespace_id=inner["id"], initialize_with_readme=True)
    place = f"/projects/{project['id']}"
    many, few = 3 * MEGABYTE, MEGABYTE // 2

    assert ask_for(server, project, many)[0] == 200
    world.admin.ok("PUT", "/application/settings", json={"repository_size_limit": 1})
    try:
        status, message = ask_for(server, project, many)
        assert (status, ask_for(server, project, few)[0]) == (406, 200)
        start = "Your push has been rejected, because this repository has exceeded its size limit of 1 MB by 2"
        assert message.startswith(start), message
        assert message.endswith(f" MB. {MORE}"), message
        world.admin.ok("PUT", f"/groups/{top['id']}", json={"repository_size_limit": 4})
        assert ask_for(server, project, many)[0] == 200
        world.admin.ok("PUT", f"/groups/{inner['id']}", json={"repository_size_limit": 1})
        assert ask_for(server, project, many)[0] == 406
        assert world.admin.ok("PUT", place, json={"repository_size_limit": 0})["repository_size_limit"] == 0
        assert ask_for(server, project, many)[0] == 200
        world.admin.ok("PUT", place, json={"repository_size_limit": None})
        assert ask_for(server, project, many)[0] == 406
    finally:
        world.admin.ok("PUT", "/application/settings", json={"repository_size_limit": 0})


def test_only_administrators_set_the_limit(world: World) -> None:
    owner = world.user()
    group = world.group()
    world.admin.ok("POST", f"/groups/{group['id']}/members", json={"user_id": owner.id, "access_level": 50})
    project = world.project(namespace_id=group["id"])

    for place in (f"/groups/{group['id']}", f"/projects/{project['id']}"):
        assert owner.client.ok("PUT", place, json={"repository_size_limit": 9})["repository_size_limit"] is None
        assert world.admin.ok("PUT", place, json={"repository_size_limit": 9})["repository_size_limit"] == 9
        refused = world.admin.put(place, json={"repository_size_limit": -1})
        assert refused.json() == {"message": {"repository_size_limit": ["must be greater than or equal to 0"]}}


def is_counted(world: World, place: str, least: int) -> bool:
    """The repository is counted a second after a push."""
    world.run_jobs()
    return bool(world.admin.ok("GET", f"{place}?statistics=true")["statistics"]["repository_size"] > least)


def test_pushes_uploads_commits_and_merges_stop_at_the_limit(
    server: RunningServer, world: World, project: dict[str, Any], tmp_path: Path
) -> None:
    place = f"/projects/{project['id']}"
    action = batch(server, project, ROOT_TOKEN, "upload", hashlib.sha256(b"large").hexdigest(), 5).json()["objects"][0]
    here = clone(tmp_path / "here", address(server, project, ROOT_TOKEN))
    here.ok("push", "-q", "origin", "main:refs/heads/other")
    world.admin.ok("PUT", place, json={"repository_size_limit": 1})
    (here.folder / "large").write_bytes(os.urandom(2 * MEGABYTE))
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Large")

    refused = here.refused("push", "-q", "origin", "main")
    assert "would cause it to exceed the size limit of 1 MB so it has been rejected." in refused
    world.admin.ok("PUT", place, json={"repository_size_limit": 0})
    here.ok("push", "-q", "origin", "main")
    here.ok("push", "-q", "origin", "main:refs/heads/third")
    until(partial(is_counted, world, place, MEGABYTE))
    options = {"source_branch": "main", "target_branch": "other", "title": "Large"}
    request = world.admin.ok("POST", f"{place}/merge_requests", json=options)
    world.run_jobs()
    world.admin.ok("PUT", place, json={"repository_size_limit": 1})

    # It is full: nothing comes in, but branches may go.
    here.ok("commit", "-q", "--allow-empty", "-m", "Small")
    refused = here.refused("push", "-q", "origin", "main")
    excess = "because this repository has exceeded its size limit of 1 MB by"
    assert f"Your push has been rejected, {excess}" in refused
    here.ok("push", "-q", "origin", ":refs/heads/third")
    assert send(action["actions"]["upload"], b"large").status_code == 406
    commit = {"branch": "main", "content": "x", "commit_message": "Add a file"}
    reply = world.admin.post(f"{place}/repository/files/new.txt", json=commit)
    assert reply.status_code == 400
    # How much it is depends on whether the repository was packed meanwhile.
    assert re.fullmatch(rf"Your changes could not be committed, {excess} [\d.]+ MB", reply.json()["message"])
    merged = world.admin.put(f"{place}/merge_requests/{request['iid']}/merge")
    assert (merged.status_code, merged.json()["reason"]) == (405, "repository_size_limit")


def test_uploads_at_the_same_time_share_the_room(server: RunningServer, world: World) -> None:
    project = world.project(initialize_with_readme=True)
    world.admin.ok("PUT", f"/projects/{project['id']}", json={"repository_size_limit": 1})
    contents = [os.urandom(600 * 1024) for _ in range(2)]
    slow, quick = (
        batch(server, project, ROOT_TOKEN, "upload", hashlib.sha256(content).hexdigest(), len(content)).json()
        for content in contents
    )

    def chunks() -> Iterator[bytes]:
        yield contents[0][:1000]
        assert send(quick["objects"][0]["actions"]["upload"], contents[1]).status_code == 200
        yield contents[0][1000:]

    action = slow["objects"][0]["actions"]["upload"]
    answer = httpx.put(
        action["href"], content=chunks(), headers={"Authorization": action["header"]["Authorization"]}, timeout=120
    )
    assert (answer.status_code, "exceeded its size limit of 1 MB" in answer.json()["message"]) == (406, True)


def test_forks_and_archives_that_do_not_fit_are_refused(server: RunningServer, world: World) -> None:
    small, source, content = world.group(), world.project(initialize_with_readme=True), os.urandom(2 * MEGABYTE)
    world.admin.ok("PUT", f"/groups/{small['id']}", json={"repository_size_limit": 1})
    place, oid = f"/projects/{source['id']}", hashlib.sha256(content).hexdigest()
    asked = batch(server, source, ROOT_TOKEN, "upload", oid, len(content)).json()["objects"][0]
    assert send(asked["actions"]["upload"], content).status_code == 200
    world.admin.ok("POST", f"{place}/export")
    world.run_jobs()
    archive = world.admin.get(f"{place}/export/download").content

    def status_of(project: dict[str, Any]) -> tuple[str, str]:
        world.run_jobs()
        shown = world.admin.ok("GET", f"/projects/{project['id']}")
        return shown["import_status"], shown["import_error"] or ""

    form = {"path": world.name("large"), "namespace": small["full_path"]}
    imported = world.admin.ok("POST", "/projects/import", data=form, files={"file": ("a.tar.gz", archive)})
    into = {"namespace_id": small["id"], "path": world.name("fork")}
    for refused in (world.admin.ok("POST", f"{place}/fork", json=into), imported):
        status, sentence = status_of(refused)
        assert status == "failed"
        assert "because this repository has exceeded its size limit of 1 MB by 1" in sentence
    fork = world.admin.ok("POST", f"{place}/fork", json={"namespace_id": world.group()["id"]})
    assert status_of(fork) == ("finished", "")
    shown = world.admin.get(f"/projects/{fork['id']}", statistics=True).json()["statistics"]
    assert shown["lfs_objects_size"] == len(content)
    # The fork has them for itself.
    world.admin.ok("DELETE", f"/projects/{fork['id']}/fork")
    assert "actions" in batch(server, fork, ROOT_TOKEN, "download", oid, len(content)).json()["objects"][0]


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (1, "1 Byte"), (1023, "1023 Bytes"), (1024, "1 KB"), (1536 * 1024, "1.5 MB"), (10 << 20, "10 MB"),
        (123 << 20, "120 MB"), (1023 << 20, "1,000 MB"), (3 << 40, "3 TB"),
    ],
)  # fmt: skip
def test_sizes_have_two_digits(size: int, text: str) -> None:
    assert human_size(size) == text


def test_projects_offer_lfs_as_their_groups_say(server: RunningServer, world: World) -> None:
    top = world.group()
    inner = world.group(parent_id=top["id"])
    project = world.project(namespace_id=inner["id"], initialize_with_readme=True)
    place = f"/projects/{project['id']}"

    def shown() -> tuple[bool, bool, int]:
        offered = world.admin.ok("GET", place)["lfs_enabled"]
        return world.admin.ok("GET", f"/groups/{inner['id']}")["lfs_enabled"], offered, ask_for(server, project, 1)[0]

    assert shown() == (True, True, 200)
    world.admin.ok("PUT", f"/groups/{top['id']}", json={"lfs_enabled": False})
    assert shown() == (False, False, 403)
    world.admin.ok("PUT", f"/groups/{inner['id']}", json={"lfs_enabled": True})
    assert shown() == (True, True, 200)
    world.admin.ok("PUT", place, json={"lfs_enabled": False})
    assert shown() == (True, False, 403)
    assert world.admin.ok("PUT", place, json={"lfs_enabled": None})["lfs_enabled"] is True
    listed = world.admin.ok("GET", f"/groups/{inner['id']}/projects")
    assert [item["lfs_enabled"] for item in listed] == [True]
    world.admin.ok("PUT", f"/groups/{inner['id']}", json={"lfs_enabled": None})
    assert shown() == (False, False, 403)
