"""Behind the machine's own OpenSSH: `ingot ssh authorized-keys` and `ingot ssh shell`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.features.code.git_http.git_client import Run
from tests.features.code.git_ssh.ssh_client import Key, SshWorld, new_key

pytestmark = pytest.mark.costly


def ingot_ssh(ssh: SshWorld, *words: str, stdin: bytes = b"", **more: str) -> Run:
    """What sshd runs, in the environment that it makes."""
    data = ssh.server.data
    command = [sys.executable, "-m", "ingot", "ssh", words[0], "--data", data, *words[1:]]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": "src", **more}
    done = subprocess.run(
        command, env=environment, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return Run(done.returncode, done.stdout.decode("utf-8", "replace"))


def authorized(ssh: SshWorld, key: Key, user: str = "git") -> str:
    return ingot_ssh(ssh, "authorized-keys", user, key.public.split()[1]).text


def test_known_keys_get_a_forced_command_and_others_nothing(ssh: SshWorld) -> None:
    user, key = ssh.person()
    number = ssh.server.call("GET", f"/users/{user['id']}/keys")[0]["id"]

    line = authorized(ssh, key)

    assert line.startswith('command="')
    assert f'key-{number}",no-port-forwarding,no-X11-forwarding,no-agent-forwarding,no-pty ssh-ed25519 ' in line
    assert line.split()[-1] == key.public.split()[1]
    assert authorized(ssh, key, user="root") == authorized(ssh, new_key(ssh.folder, "nobody")) == ""


def test_git_fetches_and_pushes_through_the_shell(ssh: SshWorld) -> None:
    project = ssh.project()
    user, key = ssh.member(project, 40)
    number = ssh.server.call("GET", f"/users/{user['id']}/keys")[0]["id"]
    # What sshd does with the forced command, without needing an account on this machine.
    sshd = Path(ssh.folder / "sshd")
    sshd.write_text(
        "#!/bin/sh\nfor last; do :; done\n"
        "export SSH_ORIGINAL_COMMAND=\"$last\" SSH_CONNECTION='127.0.0.1 1 127.0.0.1 22'\n"
        f"export PYTHONPATH={Path('src').absolute()}\n"
        f"exec {sys.executable} -m ingot ssh shell --data {ssh.server.data} key-{number}\n"
    )
    sshd.chmod(0o700)
    here = ssh.git(key, "through")
    through = {"GIT_SSH_COMMAND": str(sshd), "GIT_SSH_VARIANT": "ssh"}

    here.ok("clone", "-q", f"git@127.0.0.1:{project['path_with_namespace']}.git", ".", **through)
    tip = here.commit("file.txt", "x" * 300_000)
    here.ok("push", "-q", "origin", "HEAD:topic", **through)

    shown = ssh.server.call("GET", f"/projects/{project['id']}/repository/branches/topic")
    assert shown["commit"]["id"] == tip
    greeted = ingot_ssh(ssh, "shell", f"key-{number}")
    assert greeted.text == f"Welcome to Ingot, @{user['username']}!\n"
    unknown = ingot_ssh(ssh, "shell", f"key-{number}", SSH_ORIGINAL_COMMAND="rm -rf /")
    assert unknown.code == 1
    assert "remote: Disallowed command\n" in unknown.text
    missing = ingot_ssh(ssh, "shell", f"key-{number}", SSH_ORIGINAL_COMMAND="git-upload-pack 'no/such'")
    assert missing.code == 1
    assert "remote: The project you were looking for could not be found" in missing.text
