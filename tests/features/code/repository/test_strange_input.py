"""Strange values never end in a fault: they are refused, or read as what they are."""

from typing import Any

import pytest

from tests.support.world import Person, World

pytestmark = pytest.mark.costly

TEXTS = [
    "", " ", "--all", "..", "../..", "/", "a//b", ".git/config", "a/../b", "@{-1}", "main^{tree}", "main:README.md",
    ":/Initial", "main..", "...", "x" * 300, "é\u202e🦊", "a\nb\x01", "[*?", ":(glob)**", "refs/merge-requests/1/head",
    "f" * 40, "%2F", "main~99999999999", "'\"\\", "README.md/x",
]  # fmt: skip


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def base(world: World, owner: Person) -> str:
    project = world.project(owner, initialize_with_readme=True)
    return f"/projects/{project['id']}/repository"


def quoted(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


@pytest.mark.parametrize("text", TEXTS)
def test_reading_with_strange_values(owner: Person, base: str, text: str) -> None:
    queries: list[tuple[str, dict[str, Any]]] = [
        ("branches", {"search": text}), ("branches", {"regex": text}), ("tags", {"search": text}),
        ("branches", {"pagination": "keyset", "page_token": text}), ("commits", {"ref_name": text}),
        ("commits", {"path": text}), ("commits", {"author": text}), ("commits", {"path": text, "follow": "true"}),
        ("tree", {"ref": text}), ("tree", {"path": text}), ("tree", {"path": text, "recursive": "true"}),
        ("tree", {"pagination": "keyset", "page_token": text}), ("compare", {"from": text, "to": "main"}),
        ("merge_base", {"refs[]": [text, "main"]}), ("archive.tar", {"sha": text}), ("archive.tar", {"path": text}),
        ("archive.tar", {"exclude_paths": text}), ("contributors", {"ref": text}), ("files/README.md", {"ref": text}),
    ]  # fmt: skip
    for path, params in queries:
        answer = owner.client.request("GET", f"{base}/{path}", params=params)
        assert answer.status_code < 500, f"{path} {params}: {answer.text}"
    places = ("branches/{}", "tags/{}", "commits/{}/diff", "files/{}/raw", "files/{}/blame?ref=main", "blobs/{}/raw")
    for place in places if text else ():
        answer = owner.client.request("GET", f"{base}/{place.format(quoted(text))}")
        assert answer.status_code < 500, f"{place}: {answer.text}"


@pytest.mark.parametrize("text", TEXTS)
def test_writing_with_strange_values(owner: Person, base: str, text: str) -> None:
    fresh = f"n{abs(hash(text))}"
    action = {"action": "create", "file_path": fresh, "content": "x\n"}
    options: dict[str, Any] = {"branch": "main", "commit_message": "x", "actions": [action]}

    def doing(**change: Any) -> dict[str, Any]:
        return {**options, "actions": [{**action, **change}]}

    calls: list[tuple[str, dict[str, Any]]] = [
        ("branches", {"branch": text, "ref": "main"}), ("branches", {"branch": f"b-{fresh}", "ref": text}),
        ("tags", {"tag_name": text, "ref": "main"}), ("tags", {"tag_name": f"t-{fresh}", "ref": text}),
        ("tags", {"tag_name": f"m-{fresh}", "ref": "main", "message": text}), ("commits", {**options, "branch": text}),
        ("commits", {**options, "start_branch": text}), ("commits", {**options, "branch": "s", "start_sha": text}),
        ("commits", {**options, "start_project": text}),
        ("commits", {**options, "commit_message": text, "branch": "main"}),
        ("commits", {**doing(file_path=f"a{fresh}"), "author_name": text, "author_email": text}),
        ("commits", doing(file_path=text)), ("commits", doing(action="move", previous_path=text)),
        ("commits", doing(action="update", file_path="README.md", last_commit_id=text)),
        ("commits", doing(file_path=f"c{fresh}", encoding="base64", content=text)),
        ("commits/main/revert", {"branch": text, "dry_run": True}),
        ("commits/main/cherry_pick", {"branch": "main", "message": text, "dry_run": True}),
    ]  # fmt: skip
    for path, body in calls:
        answer = owner.client.post(f"{base}/{path}", json=body)
        assert answer.status_code < 500, f"{path} {body}: {answer.text}"


def test_strange_times_and_pages(owner: Person, base: str) -> None:
    for since in ("0001-01-01", "1600-01-01", "1969-12-31", "9999-12-31", "2038-01-20T00:00:00+14:00"):
        assert owner.client.get(f"{base}/commits", since=since, until=since).status_code == 200
    assert owner.client.get(f"{base}/commits", page=10**17).json() == []
    assert owner.client.get(f"{base}/branches", page=10**17).json() == []


def test_names_that_stand_in_each_others_way(owner: Person, base: str) -> None:
    owner.client.ok("POST", f"{base}/branches", json={"branch": "way", "ref": "main"})

    refused = owner.client.post(f"{base}/branches", json={"branch": "way/blocked", "ref": "main"})

    assert refused.status_code == 400
    body = {"branch": "way/too", "start_branch": "main", "commit_message": "x", "actions": []}
    assert owner.client.post(f"{base}/commits", json=body).status_code == 400
    nul = {
        "branch": "main",
        "commit_message": "a\0b",
        "actions": [{"action": "create", "file_path": "z\0", "content": "\0"}],
    }
    assert owner.client.post(f"{base}/commits", json=nul).status_code == 400
    content = {
        "branch": "main",
        "commit_message": "nul",
        "actions": [{"action": "create", "file_path": "z", "content": "\0"}],
    }
    assert owner.client.post(f"{base}/commits", json=content).status_code in (201, 400)
