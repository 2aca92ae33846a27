"""Git LFS at SSH addresses: the real git-lfs gets a token over the real ssh, which opens that project's LFS alone."""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.features.code.git_ssh.ssh_client import Key, SshGit, SshWorld, new_key
from tests.support.large_files import needs_git_lfs
from tests.support.processor_time import children

pytestmark = pytest.mark.costly

OID = "a" * 64
MEGABYTE = 1_000_000


def tracking(ssh: SshWorld, key: Key, project: dict[str, Any], name: str) -> SshGit:
    """A clone whose `.bin` files go to LFS."""
    here = ssh.git(key, name)
    here.ok("clone", "-q", project["ssh_url_to_repo"], ".")
    here.ok("lfs", "install", "--local")
    here.ok("config", "lfs.locksverify", "false")
    here.ok("lfs", "track", "*.bin")
    return here


def admission(ssh: SshWorld, key: Key, project: dict[str, Any], operation: str) -> dict[str, Any]:
    """What the server answers to a client that wants to use LFS."""
    done = ssh.ssh(key, "git-lfs-authenticate", f"{project['path_with_namespace']}.git", operation)
    assert done.code == 0, done.text
    answer: dict[str, Any] = json.loads(done.text)
    return answer


def batch(admitted: dict[str, Any], operation: str, href: str | None = None) -> int:
    """The status of a question with the token."""
    body = {"operation": operation, "objects": [{"oid": OID, "size": 1}]}
    url = f"{href or admitted['href']}/objects/batch"
    return httpx.post(url, json=body, headers=admitted["header"], timeout=120).status_code


@needs_git_lfs
def test_git_lfs_pushes_and_pulls_by_ssh(ssh: SshWorld) -> None:
    project = ssh.project()
    _, key = ssh.member(project, 40)
    content = os.urandom(500_000)
    here = tracking(ssh, key, project, "large")
    (here.folder / "large.bin").write_bytes(content)
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Large")

    missing = here.refused("push", "--no-verify", "origin", "HEAD:main")
    here.ok("push", "-q", "origin", "HEAD:main")
    there = tracking(ssh, key, project, "large-again")
    there.ok("lfs", "pull")

    assert "GitLab: LFS objects are missing." in missing
    assert (there.folder / "large.bin").read_bytes() == content
    assert here.ok("cat-file", "-p", "HEAD:large.bin").startswith("version https://git-lfs")


def processes(ssh: SshWorld) -> list[int]:
    """Those of the server itself, without git."""
    seen, pending = [], [ssh.server.pid]
    while pending:
        pid = pending.pop()
        seen.append(pid)
        pending += children(pid)
    return [pid for pid in seen if program(pid).startswith("python")]


def program(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/exe").readlink().name
    except FileNotFoundError:
        return ""  # it has just ended


def memory(pid: int, name: str) -> int:
    """Zero of a process that has ended: a child is Python, too, until it runs its git."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1]) * 1024
    return 0


def grown_by(ssh: SshWorld, megabytes: int) -> int:
    """How many bytes all processes grew by, together, while that much came in and went out again."""
    project = ssh.project()
    _, key = ssh.member(project, 40)
    here = tracking(ssh, key, project, f"memory-{megabytes}")
    (here.folder / "first.bin").write_bytes(os.urandom(MEGABYTE))
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Warm up")
    here.ok("push", "-q", "origin", "HEAD:main")
    for number in range(megabytes // 20):
        (here.folder / f"{number}.bin").write_bytes(os.urandom(20 * MEGABYTE))
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Large")
    before = {pid: size for pid in processes(ssh) if (size := memory(pid, "VmRSS:"))}
    here.ok("push", "-q", "origin", "HEAD:main")
    tracking(ssh, key, project, f"memory-{megabytes}-again").ok("lfs", "pull")
    return sum(peak - size for pid, size in before.items() if (peak := memory(pid, "VmHWM:")))


@needs_git_lfs
def test_sixty_megabytes_do_not_fill_the_memory(ssh: SshWorld) -> None:
    assert grown_by(ssh, 60) < 48 * MEGABYTE


@needs_git_lfs
@pytest.mark.scale
def test_a_gigabyte_does_not_fill_the_memory(ssh: SshWorld) -> None:
    grown = grown_by(ssh, 1000)
    sys.stdout.write(f"the server grew by {grown // MEGABYTE} MB\n")
    assert grown < 64 * MEGABYTE


def test_a_token_opens_one_operation_of_one_project(ssh: SshWorld) -> None:
    project, other = ssh.project(), ssh.project()
    user, key = ssh.member(project, 30)
    path = f"/projects/{other['id']}/members"
    ssh.server.call("POST", path, json={"user_id": user["id"], "access_level": 30})
    download, upload = (admission(ssh, key, project, operation) for operation in ("download", "upload"))
    elsewhere = download["href"].replace(project["path_with_namespace"], other["path_with_namespace"])
    refs = download["href"].replace("/info/lfs", "/info/refs?service=git-upload-pack")

    assert download["href"].endswith(f"/{project['path_with_namespace']}.git/info/lfs")
    assert download["expires_in"] == 7200
    assert (batch(download, "download"), batch(upload, "upload")) == (200, 200)
    assert (batch(download, "upload"), batch(upload, "download")) == (403, 403)
    assert batch(download, "download", elsewhere) == 404
    assert httpx.get(refs, headers=download["header"], timeout=120).status_code == 401
    wiki = admission(ssh, key, {"path_with_namespace": project["path_with_namespace"] + ".wiki"}, "download")
    assert wiki["href"].endswith(f"/{project['path_with_namespace']}.wiki.git/info/lfs")
    assert batch(wiki, "download") == 200


def test_a_token_ends_with_its_key_and_its_rights(ssh: SshWorld) -> None:
    project = ssh.project()
    user, key = ssh.member(project, 30)
    upload = admission(ssh, key, project, "upload")
    member = f"/projects/{project['id']}/members/{user['id']}"

    ssh.server.call("PUT", member, json={"access_level": 20})
    assert batch(upload, "upload") == 401
    ssh.server.call("PUT", member, json={"access_level": 30})
    assert batch(upload, "upload") == 200
    [row] = ssh.server.call("GET", f"/users/{user['id']}/keys")
    ssh.server.call("DELETE", f"/users/{user['id']}/keys/{row['id']}")
    assert batch(upload, "upload") == 401


def test_who_may_not_push_or_read_gets_no_token(ssh: SshWorld) -> None:
    project = ssh.project()
    _, reporter = ssh.member(project, 20)
    _, stranger = ssh.person()
    path = f"{project['path_with_namespace']}.git"

    refused = ssh.ssh(reporter, "git-lfs-authenticate", path, "upload")
    unknown = ssh.ssh(stranger, "git-lfs-authenticate", path, "download")
    nonsense = ssh.ssh(reporter, "git-lfs-authenticate", path, "remove")
    ssh.server.call("PUT", f"/projects/{project['id']}", json={"lfs_enabled": False})
    switched_off = ssh.ssh(reporter, "git-lfs-authenticate", path, "download")

    assert (refused.code, unknown.code, nonsense.code) == (1, 1, 128)
    assert "Authorization" not in refused.text + unknown.text + nonsense.text
    assert (switched_off.code, switched_off.text) == (0, "")


def test_a_deploy_key_uses_its_own_projects_only(ssh: SshWorld) -> None:
    project, other = ssh.project(), ssh.project()
    key = new_key(ssh.folder, "deploy-lfs")
    ssh.server.call("POST", f"/projects/{project['id']}/deploy_keys", json={"title": "d", "key": key.public})

    download = admission(ssh, key, project, "download")

    elsewhere = download["href"].replace(project["path_with_namespace"], other["path_with_namespace"])
    assert batch(download, "download") == 200
    assert batch(download, "download", elsewhere) == 401
    assert ssh.ssh(key, "git-lfs-authenticate", project["path_with_namespace"], "upload").code == 1
