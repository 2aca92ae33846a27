"""Files that attack whoever checks them out: every way into a repository refuses what a push cannot bring."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingot.gitstore import Repository, bundle, fsck, refs, storage
from ingot.gitstore.commit_objects import write_blob, write_commit
from ingot.gitstore.errors import BadBundle
from ingot.gitstore.model import Person as Author
from ingot.gitstore.objects import get_commit
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.tree_edit import Folder
from tests.support.bundles import write_bundle
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

MODULES = '[submodule "a"]\n\tpath = a\n\turl = {url}\n'
ATTACKS = {
    "submodule url": (".gitmodules", MODULES.format(url="-u./x")),
    "submodule url with a newline": (".gitmodules", MODULES.format(url='"https://example.com/%0ahost=x"')),
    "submodule path": (".gitmodules", '[submodule "a"]\n\tpath = -a\n\turl = ./a\n'),
    "submodule name": (".gitmodules", '[submodule "../../x"]\n\tpath = a\n\turl = ./a\n'),
    "submodule command": (".gitmodules", '[submodule "a"]\n\tpath = a\n\turl = ./a\n\tupdate = !touch /tmp/x\n'),
    "modules in other letters": (".GITMODULES", MODULES.format(url="-u./x")),
    "modules by a short name": ("gitmod~1", MODULES.format(url="-u./x")),
    "modules below": ("deep/folder/.gitmodules", MODULES.format(url="-u./x")),
    "folder of modules": (".gitmodules/x", "x"),
    "short name": ("git~1/config", "x"),
    "short name in capitals": ("GIT~1/config", "x"),
    "invisible letter": (".git\u200c/config", "x"),
    "invisible letter inside": (".g\u200cit/config", "x"),
    "byte order mark": ("\ufeff.git/config", "x"),
    "trailing dot": (".git./config", "x"),
    "trailing blank": (".git /config", "x"),
    "stream": (".git::$INDEX_ALLOCATION/config", "x"),
    "backslash": ("a\\.git\\config", "x"),
    "below": ("deep/git~1", "x"),
    "capitals": (".GIT/config", "x"),
    "plain": (".git/config", "x"),
    "attributes": (".gitattributes", "* " + "a" * 3000 + "\n"),
}
HONEST = {
    ".gitmodules": MODULES.format(url="https://example.com/a.git"), ".gitignore": "*.o\n", ".gitattributes": "* text\n",
    ".github/workflow.yml": "x", "git.txt": "x", "notes~1": "x", "docs/.gitkeep": "", "été/git\u00e9": "x",
}  # fmt: skip
ANNA = Author.now("Anna", "anna@example.com")


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that may mirror from itself."""
    data: Path = tmp_path_factory.mktemp("data")
    with RunningServer(databases.fresh(data), data, outbound_allow_local=True) as running:
        yield running


@pytest.fixture(scope="module")
def ada(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, ada: Person) -> dict[str, Any]:
    return world.project(ada, visibility="public", initialize_with_readme=True)


def commit(repo: Repository, branch: str, path: str, content: str, mode: str = "100644") -> str:
    """Write it without any check, as an attacker's own git does."""
    head = refs.find_branch(repo, branch) or refs.find_branch(repo, "main")
    parents = [head] if head else []
    root = Folder(repo, get_commit(repo, head).tree_id if head else None)
    root.put(path.encode().split(b"/"), mode, write_blob(repo, content.encode()))
    sha = write_commit(repo, root.write(), parents, "Attack", ANNA)
    refs.update(repo, [RefUpdate(f"refs/heads/{branch}", sha)])
    return sha


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_way_in_takes_an_attack(
    world: World, ada: Person, project: dict[str, Any], tmp_path: Path, attack: str
) -> None:
    path, content = ATTACKS[attack]
    here = f"/projects/{project['id']}/repository"
    local = Repository(tmp_path / "attack.git")
    storage.create(local)
    commit(local, "main", path, content)
    file = {"action": "create", "file_path": path, "content": content}

    by_commit = ada.client.post(f"{here}/commits", json={"branch": "main", "commit_message": "x", "actions": [file]})
    body = {"branch": "main", "commit_message": "x", "content": content}
    by_file = ada.client.post(f"{here}/files/{path.replace('/', '%2F')}", json=body)
    address = project["http_url_to_repo"].replace("://", f"://oauth2:{ada.token}@")
    pushed = subprocess.run(
        ["git", f"--git-dir={local.path}", "push", "-q", address, "main:attack"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip

    assert pushed.returncode != 0
    assert "fsck error" in pushed.stderr or "unpacker error" in pushed.stderr, pushed.stderr
    assert (by_commit.status_code, by_file.status_code) == (400, 400), (by_commit.text, by_file.text)
    for answer in (by_commit, by_file):
        assert "cannot be stored: " in answer.json()["message"] or "invalid path: " in answer.json()["message"]
    write_bundle(local, tmp_path / "attack.bundle")
    with pytest.raises(BadBundle):
        bundle.read_bundle(world.repository(project), tmp_path / "attack.bundle")
    assert set(refs_of(world.repository(project))) == {"refs/heads/main"}
    assert fsck.check(world.repository(project)).is_sound


def refs_of(repo: Repository) -> list[str]:
    return repo.git("for-each-ref", "--format=%(refname)").text.split()


def test_the_sentence_names_the_file_and_the_reason(ada: Person, project: dict[str, Any]) -> None:
    path, content = ATTACKS["submodule url"]

    answer = ada.client.post(
        f"/projects/{project['id']}/repository/files/deep%2F{path}",
        json={"branch": "main", "commit_message": "x", "content": content},
    )

    assert answer.json() == {"message": "'deep/.gitmodules' cannot be stored: disallowed submodule url: -u./x"}


def test_honest_files_with_such_names_are_taken(world: World, ada: Person) -> None:
    project = world.project(ada, initialize_with_readme=True)
    files = [{"action": "create", "file_path": path, "content": content} for path, content in HONEST.items()]

    ada.client.ok(
        "POST",
        f"/projects/{project['id']}/repository/commits",
        json={"branch": "main", "commit_message": "x", "actions": files},
    )

    tree = ada.client.ok("GET", f"/projects/{project['id']}/repository/tree?recursive=true&per_page=100")
    assert set(HONEST) <= {entry["path"] for entry in tree}


def test_a_link_does_not_become_the_list_of_submodules(world: World, ada: Person) -> None:
    project = world.project(ada, initialize_with_readme=True)
    commit(world.repository(project), "main", "link", "README.md", "120000")
    move = {"action": "move", "previous_path": "link", "file_path": ".gitmodules"}

    answer = ada.client.post(
        f"/projects/{project['id']}/repository/commits",
        json={"branch": "main", "commit_message": "x", "actions": [move]},
    )

    assert answer.status_code == 400
    assert answer.json() == {"message": "'.gitmodules' cannot be stored: .gitmodules is a symbolic link"}


@pytest.mark.parametrize(
    "action",
    [
        {"action": "chmod", "file_path": "module", "execute_filemode": True},
        {"action": "update", "file_path": "module", "content": "x"},
        {"action": "move", "previous_path": "module", "file_path": "other", "content": "x"},
    ],
    ids=lambda action: str(action["action"]),
)
def test_a_submodule_does_not_become_a_file_that_is_not_there(
    world: World, ada: Person, action: dict[str, Any]
) -> None:
    project = world.project(ada, initialize_with_readme=True)
    repo = world.repository(project)
    head = refs.find_branch(repo, "main") or ""
    root = Folder(repo, get_commit(repo, head).tree_id)
    root.put([b"module"], "160000", "1" * 40)
    refs.update(repo, [RefUpdate("refs/heads/main", write_commit(repo, root.write(), [head], "Module", ANNA))])

    answer = ada.client.post(
        f"/projects/{project['id']}/repository/commits",
        json={"branch": "main", "commit_message": "x", "actions": [action]},
    )

    assert answer.status_code == 400
    assert answer.json() == {"message": "A submodule has no content or mode of its own to change"}
    assert fsck.check(repo).is_sound


@pytest.mark.parametrize("attack", ["submodule url", "invisible letter"])
def test_a_mirror_brings_nothing_that_a_push_cannot(world: World, ada: Person, attack: str) -> None:
    source = world.project(ada, visibility="public", initialize_with_readme=True)
    mirror = world.project(ada, import_url=source["http_url_to_repo"], mirror=True)
    until(lambda: status_of(ada, mirror) == "finished")
    before = refs.find_branch(world.repository(mirror), "main")
    commit(world.repository(source), "main", *ATTACKS[attack])

    ada.client.ok("POST", f"/projects/{mirror['id']}/mirror/pull")
    until(lambda: status_of(ada, mirror) == "failed")

    assert refs.find_branch(world.repository(mirror), "main") == before
    assert "fsck error" in ada.client.ok("GET", f"/projects/{mirror['id']}")["import_error"]


def status_of(person: Person, project: dict[str, Any]) -> str:
    return str(person.client.ok("GET", f"/projects/{project['id']}")["import_status"])


def test_two_harmless_changes_do_not_merge_into_an_attack(world: World, ada: Person, tmp_path: Path) -> None:
    """Lines that end in a backslash go on in the next: each side alone is `/a` or `.-u./x`, both are `-u./x`."""
    project = world.project(ada, initialize_with_readme=True)
    here = f"/projects/{project['id']}"

    def write(branch: str, first: str, last: str, action: str = "update", **more: Any) -> dict[str, Any]:
        url = f"{first}\\\n\\\n{last}"
        file = {"action": action, "file_path": ".gitmodules", "content": MODULES.format(url=url)}
        body = {"branch": branch, "commit_message": "x", "actions": [file], **more}
        return dict(ada.client.ok("POST", f"{here}/repository/commits", json=body))

    write("main", ".", "/a", "create")
    picked = write("side", ".", "-u./x", start_branch="main")
    write("main", "", "/a")
    request = ada.client.ok(
        "POST", f"{here}/merge_requests", json={"source_branch": "side", "target_branch": "main", "title": "x"}
    )
    until(lambda: ada.client.ok("GET", f"{here}/merge_requests/{request['iid']}")["merge_status"] != "checking")

    pick = ada.client.post(f"{here}/repository/commits/{picked['id']}/cherry_pick", json={"branch": "main"})
    merge = ada.client.put(f"{here}/merge_requests/{request['iid']}/merge")

    assert pick.status_code == 400
    assert pick.json()["message"] == "'.gitmodules' cannot be stored: disallowed submodule url: -u./x"
    assert merge.status_code in (405, 422), merge.text
    copied = Repository(tmp_path / "copy.git")
    storage.create(copied)
    config = {"protocol.file.allow": "always", "fetch.fsckObjects": "true"}
    copied.git("fetch", "--quiet", str(world.repository(project).path), "+refs/*:refs/*", config=config)
    assert ".gitmodules" in copied.git("ls-tree", "--name-only", "refs/heads/main").text
