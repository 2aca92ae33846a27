"""Wikis over SSH."""

import pytest

from tests.features.code.git_ssh.ssh_client import SshWorld, new_key

pytestmark = pytest.mark.costly


def test_a_wiki_is_cloned_and_pushed_by_role(ssh: SshWorld) -> None:
    project = ssh.project(visibility="private")
    pages = f"/projects/{project['id']}/wikis"
    ssh.server.call("POST", pages, json={"title": "home", "content": "hello\n"})
    url = project["ssh_url_to_repo"].removesuffix(".git") + ".wiki.git"
    _, developer = ssh.member(project, 30)
    _, reporter = ssh.member(project, 20)
    _, guest = ssh.member(project, 10)
    here = ssh.git(developer, "wiki")
    here.ok("clone", "-q", url, ".")
    here.commit("more.md", "pushed\n")

    here.ok("push", "-q", "origin", "main")

    assert ssh.server.call("GET", f"{pages}/more")["content"] == "pushed\n"
    reading = ssh.git(reporter, "reading")
    reading.ok("clone", "-q", url, ".")
    reading.commit("third.md")
    assert "not allowed to write to this project's wiki" in reading.refused("push", "origin", "main")
    assert "not allowed to download files" in ssh.git(guest, "guest").refused("clone", "-q", url, ".")
    assert "could not be found" in ssh.git(ssh.person()[1], "stranger").refused("clone", "-q", url, ".")


def test_a_deploy_key_reads_the_wiki_of_its_project_only(ssh: SshWorld) -> None:
    own, other = ssh.project(visibility="private"), ssh.project(visibility="private")
    key = new_key(ssh.folder, "wiki-robot")
    options = {"title": "robot", "key": key.public, "can_push": True}
    ssh.server.call("POST", f"/projects/{own['id']}/deploy_keys", json=options)
    addresses = []
    for project in (own, other):
        ssh.server.call("POST", f"/projects/{project['id']}/wikis", json={"title": "home", "content": "hello\n"})
        addresses.append(project["ssh_url_to_repo"].removesuffix(".git") + ".wiki.git")
    here = ssh.git(key, "robot")

    here.ok("clone", "-q", addresses[0], ".")

    here.commit("more.md")
    assert "not allowed to upload" in here.refused("push", "origin", "main")
    assert "could not be found" in here.refused("ls-remote", addresses[1])
