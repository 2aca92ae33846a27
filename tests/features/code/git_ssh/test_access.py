"""Who comes in over SSH, and what everybody else reads."""

import hashlib
import re

import pytest
from sqlalchemy import insert, select

from ingot.features.code.git_ssh.limits import CommandRate
from ingot.identity.tables import recovery_codes, second_factors
from ingot.kit.clock import now
from ingot.kit.db import Database
from tests.features.code.git_ssh.ssh_client import SshWorld, new_key
from tests.support import plain_http

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


def test_rules_for_keys_and_protocols_hold_for_keys_that_are_there(ssh: SshWorld) -> None:
    project = ssh.project(visibility="public")
    _, key = ssh.person()
    command = f"git-upload-pack '{project['path_with_namespace']}.git'"
    forbidden = "Your SSH key type is forbidden. Must be RSA, ECDSA, ECDSA_SK, or ED25519_SK."

    for setting, value, text in (
        ("ed25519_key_restriction", -1, forbidden),
        ("enabled_git_access_protocol", "http", "Git access over SSH is not allowed"),
    ):
        ssh.server.call("PUT", "/application/settings", json={setting: value})
        try:
            run = ssh.ssh(key, command, stdin=b"0000")
        finally:
            ssh.server.call("PUT", "/application/settings", json={setting: None})
        assert (run.code, f"remote: ERROR: {text}\n" in run.text) == (1, True), run.text
    assert ssh.ssh(key, command, stdin=b"0000").code == 0


def test_a_key_creates_a_token(ssh: SshWorld) -> None:
    user, key = ssh.person()
    machine = new_key(ssh.folder, "machine-without-tokens")
    path = f"/projects/{ssh.project()['id']}/deploy_keys"
    ssh.server.call("POST", path, json={"title": "d", "key": machine.public})

    created = ssh.ssh(key, "personal_access_token laptop read_api,read_repository 5")

    token, scopes, expires = (line.split()[1] for line in created.text.splitlines())
    address = f"{ssh.server.url}/api/v4/personal_access_tokens/self"
    shown = plain_http.request("GET", address, headers={"PRIVATE-TOKEN": token}).json()
    assert (shown["name"], shown["user_id"], ",".join(shown["scopes"])) == ("laptop", user["id"], scopes)
    assert (scopes, shown["expires_at"]) == ("read_api,read_repository", expires)
    for pair, words, text in (
        (key, "", "Usage: personal_access_token <name> <scope1[,scope2,...]> [ttl_days]"),
        (key, "'' api", "No token name specified"),
        (key, "t sudo", "Invalid scope: 'sudo'. Valid scopes are: ["),
        (key, "t api 0", "Invalid value for days_ttl: '0'"),
        (key, "t api 4000", "expires_at must be before "),
        (machine, "t api", "Deploy keys cannot be used to create personal access tokens"),
    ):
        refused = ssh.ssh(pair, f"personal_access_token {words}")
        assert (refused.code, f"remote: ERROR: {text}" in refused.text) == (1, True), refused.text


def test_a_key_renews_recovery_codes(ssh: SshWorld) -> None:
    user, key = ssh.person()
    question = "Are you sure you want to generate new two-factor recovery codes?\n"

    declined, without = (ssh.ssh(key, "2fa_recovery_codes", stdin=text) for text in (b"y\n", b"yes\n"))
    database = Database(ssh.server.database_url)
    with database.write() as tx:
        tx.execute(insert(second_factors).values(user_id=user["id"], secret="x", last_step=0, created_at=now()))
    renewed = ssh.ssh(key, "2fa_recovery_codes", stdin=b"yes\n")

    assert declined.text.startswith(question)
    assert "New recovery codes have *not* been generated. Existing codes will remain valid." in declined.text
    assert (without.code, "Two-factor authentication is not enabled for this user" in without.text) == (1, True)
    assert "Your two-factor authentication recovery codes are:" in renewed.text
    codes = re.findall(r"^[0-9a-f]{16}$", renewed.text, re.MULTILINE)
    with database.read() as conn:
        mine = recovery_codes.c.user_id == user["id"]
        digests = set(conn.execute(select(recovery_codes.c.digest).where(mine)).scalars())
    assert {hashlib.sha256(code.encode()).hexdigest() for code in codes} == digests
    assert len(digests) == 10
    database.dispose()


def test_a_minute_has_six_hundred_commands_of_a_key_and_of_an_address() -> None:
    rate = CommandRate()

    admitted = [rate.admits("git-upload-pack", "a/b", f"key-{number % 2}", "::1", at=119.0) for number in range(602)]

    assert admitted.count(True) == 600
    assert rate.admits("git-upload-pack", "a/c", "key-0", "::1", at=119.0)
    assert rate.admits("git-upload-pack", "a/b", "key-0", "::1", at=120.0)


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
