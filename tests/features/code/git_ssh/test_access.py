"""Who comes in over SSH, and what everybody else reads."""

import pytest

from tests.features.code.git_ssh.ssh_client import SshWorld, new_key

pytestmark = pytest.mark.costly

NOT_FOUND = "The project you were looking for could not be found or you don't have permission to view it."


def test_people_are_greeted_by_name_and_their_key_remembers_it(ssh: SshWorld) -> None:
    user, key = ssh.person()

    greeted = ssh.ssh(key)

    assert (greeted.code, greeted.text) == (0, f"Welcome to Ingot, @{user['username']}!\n")
    assert ssh.server.call("GET", f"/users/{user['id']}/keys")[0]["last_used_at"] is not None


def test_unknown_keys_wrong_names_and_signing_keys_stay_outside(ssh: SshWorld) -> None:
    _, key = ssh.person()
    _, signing = ssh.person(usage_type="signing")

    for run in (ssh.ssh(new_key(ssh.folder, "stranger")), ssh.ssh(key, user="root"), ssh.ssh(signing)):
        assert run.code == 255
        assert "Permission denied (publickey)." in run.text


def test_expired_keys_and_blocked_people_are_told(ssh: SshWorld) -> None:
    project = ssh.project(visibility="public")
    _, expired = ssh.person(expires_at="2020-01-01T00:00:00Z")
    user, key = ssh.person()
    ssh.server.call("POST", f"/users/{user['id']}/block")
    path = f"'{project['path_with_namespace']}.git'"

    for pair, text in ((expired, "Your SSH key has expired."), (key, "Your account has been blocked.")):
        run = ssh.ssh(pair, "git-upload-pack", path)
        assert run.code == 1
        assert f"remote: ERROR: {text}\n" in run.text


def test_private_projects_are_not_found_and_guests_do_not_download(ssh: SshWorld) -> None:
    project = ssh.project()
    _, stranger = ssh.person()
    _, guest = ssh.member(project, 10)
    _, reporter = ssh.member(project, 20)
    path = f"'{project['path_with_namespace']}.git'"

    assert NOT_FOUND in ssh.ssh(stranger, "git-upload-pack", path).text
    assert "You are not allowed to download code" in ssh.ssh(guest, "git-upload-pack", path).text
    assert "You are not allowed to push code to this project." in ssh.ssh(reporter, "git-receive-pack", path).text


def test_a_deploy_key_opens_its_projects_only(ssh: SshWorld) -> None:
    project, other, closed = ssh.project(), ssh.project(), ssh.project()
    key = new_key(ssh.folder, "deploy")
    options = {"title": "deploy", "key": key.public, "can_push": False}
    created = ssh.server.call("POST", f"/projects/{project['id']}/deploy_keys", json=options)
    ssh.server.call("POST", f"/projects/{other['id']}/deploy_keys", json={**options, "can_push": True})
    here = ssh.git(key, "deployed")

    assert ssh.ssh(key).text == "Welcome to Ingot, Anonymous!\n"
    here.ok("clone", "-q", project["ssh_url_to_repo"], ".")
    here.commit("file.txt")
    assert "This deploy key does not have write access" in here.refused("push", "origin", "HEAD:topic")
    here.ok("fetch", "-q", other["ssh_url_to_repo"])
    here.ok("push", "-q", "--force", other["ssh_url_to_repo"], "HEAD:topic")
    assert NOT_FOUND in here.refused("ls-remote", closed["ssh_url_to_repo"])
    ssh.server.call("DELETE", f"/projects/{project['id']}/deploy_keys/{created['id']}")
    assert NOT_FOUND in here.refused("ls-remote", project["ssh_url_to_repo"])


def test_a_group_can_close_itself_to_ssh(ssh: SshWorld) -> None:
    group = ssh.server.call("POST", "/groups", json={"name": "by-http", "path": "by-http"})
    project = ssh.project(namespace_id=group["id"])
    ssh.server.call("PUT", f"/groups/{group['id']}", json={"enabled_git_access_protocol": "http"})
    _, key = ssh.member(project, 40)

    refused = ssh.git(key, "closed").refused("ls-remote", project["ssh_url_to_repo"])

    assert "Git access over SSH is not allowed" in refused
