"""Clone, fetch, push and archive over SSH, with the real clients."""

import pytest
from sqlalchemy import text

from ingot.kit.db import Database
from tests.features.code.git_ssh.ssh_client import SshWorld, new_key
from tests.support import plain_http
from tests.support.waiting import until

pytestmark = pytest.mark.costly


def test_a_member_clones_pushes_and_archives(ssh: SshWorld) -> None:
    project = ssh.project()
    _, key = ssh.member(project, 40)
    url = project["ssh_url_to_repo"]
    here = ssh.git(key, "first")
    here.ok("clone", "-q", url, ".")
    tip = here.commit("file.txt")

    pushed = here.ok("push", "origin", "HEAD:topic", "HEAD:refs/tags/v1")

    assert "To create a merge request for topic, visit:" in pushed
    branch = ssh.server.call("GET", f"/projects/{project['id']}/repository/branches/topic")
    assert branch["commit"]["id"] == tip
    for version in ("0", "1", "2"):
        assert f"{tip}\trefs/tags/v1" in here.ok("-c", f"protocol.version={version}", "ls-remote", url)
    ssh.git(key, "shallow").ok("clone", "-q", "--depth=1", "--filter=blob:none", "--no-checkout", url, ".")
    archive = here.run("archive", f"--remote={url}", "--format=tar", "HEAD", "README.md")
    assert archive.code == 0
    assert "README.md" in archive.text
    assert "Everything up-to-date" in here.ok("push", "origin", "HEAD:topic")
    here.ok("push", "-q", "origin", ":topic")
    assert "topic" not in here.ok("ls-remote", url)


def test_pushes_are_judged_as_over_http(ssh: SshWorld) -> None:
    project = ssh.project()
    _, key = ssh.member(project, 30)
    here = ssh.git(key, "judged")
    here.ok("clone", "-q", project["ssh_url_to_repo"], ".")
    here.commit("file.txt")

    direct = here.refused("push", "origin", "HEAD:main")
    removal = here.refused("push", "origin", ":main")
    asked = here.ok("push", "-o", "merge_request.create", "-o", "merge_request.title=By option", "origin", "HEAD:topic")

    assert "You are not allowed to push code to protected branches on this project." in direct
    assert "pre-receive hook declined" in removal
    assert "merge_requests/1" in asked
    created = ssh.server.call("GET", f"/projects/{project['id']}/merge_requests/1")
    assert created["title"] == "By option"


def test_all_forms_of_an_address_lead_to_the_project(ssh: SshWorld) -> None:
    project = ssh.project()
    _, key = ssh.member(project, 20)
    here = ssh.git(key, "forms")
    start = f"ssh://git@127.0.0.1:{ssh.port}"
    path = project["path_with_namespace"]

    for end in (f"/{path}.git", f"/{path}", f"/~/{path}.git", f"/{path.upper()}.git", f"/{path}.git/"):
        assert "refs/heads/main" in here.ok("ls-remote", start + end)


def test_a_renamed_project_is_still_reached_and_its_new_address_told(ssh: SshWorld) -> None:
    project = ssh.project()
    _, key = ssh.member(project, 40)
    here = ssh.git(key, "renamed")
    here.ok("clone", "-q", project["ssh_url_to_repo"], ".")
    shown = ssh.server.call("PUT", f"/projects/{project['id']}", json={"path": f"{project['path']}-new"})
    here.commit("file.txt")

    reported = here.ok("push", "origin", "HEAD:topic")

    old, new = project["path_with_namespace"], shown["path_with_namespace"]
    assert f"Project '{old}' was moved to '{new}'." in reported
    assert f"git remote set-url origin {shown['ssh_url_to_repo']}" in reported


def test_a_connection_renews_its_keys_and_serves_several_commands(ssh: SshWorld) -> None:
    project = ssh.project()
    _, key = ssh.member(project, 40)
    here = ssh.git(key, "rekeyed")
    here.ok("clone", "-q", project["ssh_url_to_repo"], ".")
    (here.folder / "large.bin").write_bytes(bytes(range(256)) * 40_000)
    here.ok("add", ".")
    here.ok("-c", "core.compression=0", "commit", "-q", "-m", "Large")
    renewing = {"GIT_SSH_COMMAND": f"{key.command} -o RekeyLimit=1M"}

    here.ok("-c", "pack.compression=0", "push", "-q", "origin", "HEAD:large", **renewing)
    copy = ssh.git(key, "copy")
    copy.ok("clone", "-q", "-b", "large", project["ssh_url_to_repo"], ".", **renewing)

    assert (copy.folder / "large.bin").read_bytes() == (here.folder / "large.bin").read_bytes()


def test_commands_and_their_git_processes_are_among_the_metrics(ssh: SshWorld) -> None:
    project = ssh.project()
    _, key = ssh.member(project, 20)
    ssh.git(key, "counted").ok("clone", "-q", project["ssh_url_to_repo"], ".")

    def is_shown() -> bool:
        text = plain_http.get(f"{ssh.server.url}/-/metrics").text
        return (
            'ingot_ssh_commands_total{command="git-upload-pack",result="ok"}' in text
            and 'ingot_git_processes_total{command="upload-pack",result="ok"}' in text
        )

    until(is_shown)


@pytest.mark.parametrize("kind", ["user", "deploy"])
def test_a_fetch_waits_for_no_writer(ssh: SshWorld, kind: str) -> None:
    project = ssh.project()
    here = f"/projects/{project['id']}"
    if kind == "user":
        _, key = ssh.member(project, 20)
    else:
        key = new_key(ssh.folder, "fetching-robot")
        ssh.server.call("POST", f"{here}/deploy_keys", json={"title": "robot", "key": key.public})
    folder, url = ssh.git(key, f"waits-not-{kind}"), project["ssh_url_to_repo"]
    folder.ok("ls-remote", url)  # notes the use of the key
    database = Database(ssh.server.database_url)

    with database.write() as tx:
        if not database.is_sqlite:
            tx.execute(text("LOCK TABLE user_keys, deploy_keys, users, project_fetches IN EXCLUSIVE MODE"))
        folder.ok("ls-remote", url)

    database.dispose()
    until(lambda: ssh.server.call("GET", f"{here}/statistics")["fetches"]["total"] == 2)


def test_a_push_over_ssh_is_heard_over_http_at_once(ssh: SshWorld) -> None:
    """Another process answers there, which knows what it said before."""
    project = ssh.project()
    _, key = ssh.member(project, 40)
    here = ssh.git(key, "heard")
    here.ok("clone", "-q", project["ssh_url_to_repo"], ".")

    for number in range(3):
        tip = here.commit("file.txt", f"{number}\n")
        here.ok("push", "-q", "origin", "HEAD:main")

        for _ in range(3):
            assert f"{tip}\trefs/heads/main" in here.ok("ls-remote", ssh.server.address(project))
