"""Files, trees, blobs, archives, comparisons, picks and the other parts of a repository."""

import base64
import hashlib
import io
import tarfile
import zipfile
from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


def base(project: dict[str, Any]) -> str:
    return f"/projects/{project['id']}/repository"


def test_a_file_lives_through_its_commits(owner: Person, project: dict[str, Any]) -> None:
    path = f"{base(project)}/files/docs%2Fa%2Etxt"
    options = {"branch": "main", "commit_message": "Write"}

    created = owner.client.post(
        path, json={**options, "content": "one\n", "author_name": "Ada", "author_email": "a@x.org"}
    )
    assert (created.status_code, created.json()) == (201, {"file_path": "docs/a.txt", "branch": "main"})
    again = owner.client.post(path, json={**options, "content": "one\n"})
    assert again.json() == {"message": "A file with this name already exists"}
    answer = owner.client.get(path, ref="main")
    body = answer.json()
    first = body["commit_id"]
    assert base64.b64decode(body["content"]) == b"one\n"
    assert body["content_sha256"] == hashlib.sha256(b"one\n").hexdigest()
    assert (body["file_name"], body["size"], body["encoding"], body["ref"]) == ("a.txt", 4, "base64", "main")
    assert (body["execute_filemode"], body["last_commit_id"]) == (False, first)
    assert answer.headers["x-gitlab-blob-id"] == body["blob_id"]
    assert answer.headers["x-gitlab-file-path"] == "docs/a.txt"

    changed = owner.client.put(
        path, json={**options, "content": base64.b64encode(b"\xff").decode(), "encoding": "base64"}
    )
    assert (changed.status_code, changed.json()) == (200, {"file_path": "docs/a.txt", "branch": "main"})
    stale = owner.client.put(path, json={**options, "content": "x", "last_commit_id": first})
    assert stale.status_code == 400
    assert stale.json()["message"].startswith("You are attempting to update a file that has changed")
    raw = owner.client.get(f"{path}/raw", ref="main")
    assert (raw.content, raw.headers["content-type"].split(";")[0]) == (b"\xff", "text/plain")
    assert owner.client.get(f"{path}/raw").content == b"\xff"
    head = owner.client.head(path, ref="HEAD")
    assert (head.status_code, head.headers["x-gitlab-size"]) == (200, "1")
    assert owner.client.delete(path, params=options).status_code == 204
    assert owner.client.get(path, ref="main").json() == {"message": "404 File Not Found"}
    assert owner.client.head(path, ref="main").status_code == 404
    assert owner.client.get(path, ref="none").json() == {"message": "404 Commit Not Found"}
    assert owner.client.get(path).json() == {"error": "ref is missing, ref is empty"}
    assert owner.client.get(f"{base(project)}/files/..%2Fetc", ref="main").json() == {
        "error": "file_path should be a valid file path"
    }


def test_tokens_that_read_repositories_read_files(world: World, owner: Person, project: dict[str, Any]) -> None:
    client = world.server.client(world.token(owner.id, ["read_repository"]))

    assert client.get(f"{base(project)}/files/README.md", ref="main").status_code == 200
    refused = client.post(f"{base(project)}/files/x", json={"branch": "main", "commit_message": "x", "content": "x"})
    assert refused.status_code == 403
    assert refused.json()["scope"] == "read_repository api read_api"


def test_files_in_a_branch_that_is_closed_to_a_developer_are_refused(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    developer, reporter = world.user(), world.user()
    world.member(project, developer, "developer")
    world.member(project, reporter, "reporter")
    path, body = f"{base(project)}/files/x", {"branch": "main", "commit_message": "x", "content": "x"}

    refused = developer.client.post(path, json=body)

    assert (refused.status_code, refused.json()) == (400, {"message": "You are not allowed to push into this branch"})
    refused = reporter.client.post(path, json=body)
    assert (refused.status_code, refused.json()) == (403, {"message": "403 Forbidden"})


def test_blame_tells_who_wrote_which_lines(world: World, owner: Person, project: dict[str, Any]) -> None:
    world.commit(project, "main", {"a.txt": "1\n2\n3\n"})
    second = world.commit(project, "main", {"a.txt": "1\ntwo\n3\n"})
    path = f"{base(project)}/files/a.txt/blame"

    parts = owner.client.ok("GET", path, params={"ref": "main"})
    assert [part["lines"] for part in parts] == [["1"], ["two"], ["3"]]
    assert parts[1]["commit"]["id"] == second
    some = owner.client.get(f"{path}?ref=main&range[start]=2&range[end]=2")
    assert [part["lines"] for part in some.json()] == [["two"]]
    assert owner.client.get(f"{path}?ref=main&range[start]=9&range[end]=12").json() == []
    assert owner.client.get(f"{path}?ref=main&range[start]=3&range[end]=1").status_code == 400
    assert owner.client.get(f"{path}?ref=main&range[start]=1").json() == {"error": "range[end] is missing"}
    assert owner.client.head(path, ref="main").headers["x-gitlab-file-name"] == "a.txt"


def test_trees_list_folders_first(world: World, owner: Person, project: dict[str, Any]) -> None:
    world.commit(project, "main", {"b/x.txt": "same\n", "b/c/y.txt": "same\n", "a.txt": "same\n"})
    path = f"{base(project)}/tree"

    def paths(**params: Any) -> list[str]:
        return [entry["path"] for entry in owner.client.get(path, **params).json()]

    assert paths() == ["b", "README.md", "a.txt"]
    assert paths(path="b") == ["b/c", "b/x.txt"]
    assert paths(recursive=True) == ["b", "b/c", "README.md", "a.txt", "b/c/y.txt", "b/x.txt"]
    assert paths(recursive=True, pagination="none", per_page=1) == paths(recursive=True)
    seen: list[str] = []
    url: str | None = f"{path}?recursive=true&pagination=keyset&per_page=2"
    while url is not None:
        answer = owner.client.get(url)
        seen += [entry["path"] for entry in answer.json()]
        url = answer.headers["link"].split(">")[0].strip("<") if "link" in answer.headers else None
    assert seen == paths(recursive=True)
    entry = owner.client.get(path).json()[1]
    assert (entry["type"], entry["mode"], entry["name"]) == ("blob", "100644", "README.md")
    assert owner.client.get(path, ref="none").json() == {"message": "404 Tree Not Found"}
    assert owner.client.get(path, path="none").json() == {"message": "404 invalid revision or path Not Found"}
    assert owner.client.get(path, pagination="x").json() == {"error": "pagination does not have a valid value"}
    assert owner.client.get(path, pagination="none").json() == {
        "error": 'pagination cannot be "none" unless "recursive" is true'
    }
    blob = owner.client.ok("GET", f"{base(project)}/blobs/{entry['id']}")
    assert blob["size"] == len(base64.b64decode(blob["content"]))
    raw = owner.client.get(f"{base(project)}/blobs/{entry['id']}/raw")
    assert raw.content == base64.b64decode(blob["content"])
    assert owner.client.get(f"{base(project)}/blobs/{'0' * 40}").json() == {"message": "404 Blob Not Found"}


def test_archives_come_in_four_formats(world: World, owner: Person, project: dict[str, Any]) -> None:
    sha = world.commit(project, "main", {"b/x.txt": "x\n", "c/y.txt": "y\n"})
    path = f"{base(project)}/archive"
    top = f"{project['path']}-main-{sha}"

    zipped = owner.client.get(f"{path}.zip")
    assert zipped.headers["content-type"] == "application/zip"
    assert f'filename="{top}.zip"' in zipped.headers["content-disposition"]
    assert f"{top}/b/x.txt" in zipfile.ZipFile(io.BytesIO(zipped.content)).namelist()
    for suffix, mode in (("", "r:gz"), (".tar.gz", "r:gz"), (".tar.bz2", "r:bz2"), (".tar", "r:"), (".tbz2", "r:bz2")):
        answer = owner.client.get(f"{path}{suffix}", path="b", sha="main")
        assert answer.status_code == 200, suffix
        names = tarfile.open(fileobj=io.BytesIO(answer.content), mode=mode).getnames()  # noqa: SIM115
        assert f"{top}-b/b/x.txt" in names
        assert not any("y.txt" in name for name in names)
    less = owner.client.get(f"{path}.tar", exclude_paths="b,README.md")
    names = tarfile.open(fileobj=io.BytesIO(less.content)).getnames()  # noqa: SIM115
    assert f"{top}/c/y.txt" in names
    assert not any("x.txt" in name or "README" in name for name in names)
    assert owner.client.get(path, sha="none").json() == {"message": "404 File Not Found"}
    assert owner.client.get(path, path="none").json() == {"message": "404 File Not Found"}
    assert owner.client.get(f"{path}.rar").status_code == 406


def test_comparisons(world: World, owner: Person, project: dict[str, Any]) -> None:
    world.commit(project, "topic", {"t.txt": "t\n"})
    world.commit(project, "topic", {"u.txt": "u\n"})
    world.commit(project, "main", {"m.txt": "m\n"})
    path = f"{base(project)}/compare"

    result = owner.client.get(f"{path}?from=main&to=topic").json()
    assert [commit["title"] for commit in result["commits"]] == ["Change t.txt", "Change u.txt"]
    assert result["commit"] == result["commits"][-1]
    assert [entry["new_path"] for entry in result["diffs"]] == ["t.txt", "u.txt"]
    assert result["diffs"][0]["diff"] == "@@ -0,0 +1 @@\n+t\n"
    assert (result["compare_same_ref"], result["compare_timeout"]) == (False, False)
    assert result["web_url"].endswith("/-/compare/main...topic")
    straight = owner.client.get(f"{path}?from=main&to=topic&straight=true&unidiff=1").json()
    assert [entry["new_path"] for entry in straight["diffs"]] == ["m.txt", "t.txt", "u.txt"]
    assert straight["diffs"][1]["diff"].startswith("--- /dev/null\n+++ b/t.txt\n")
    assert owner.client.get(f"{path}?from=main&to=main").json()["compare_same_ref"] is True
    assert owner.client.get(f"{path}?from=none&to=main").json() == {"message": "404 Ref Not Found"}
    other = world.project(owner, initialize_with_readme=True)
    refused = owner.client.get(f"{path}?from=main&to=main&from_project_id={other['id']}")
    assert refused.json() == {"message": f"Target project id:{other['id']} is not a fork of project id:{project['id']}"}
    merge_base = f"{base(project)}/merge_base"
    assert owner.client.get(merge_base, refs=["main", "topic"]).json()["title"] == "Initial commit"
    assert owner.client.get(merge_base, refs=["main"]).json() == {"message": "Provide at least 2 refs"}
    assert owner.client.get(merge_base, refs=["main", "x"]).json() == {"message": "Could not find ref: x"}


def test_cherry_picks_and_reverts(world: World, owner: Person, project: dict[str, Any]) -> None:
    sha = world.commit(project, "topic", {"t.txt": "t\n"}, author_name="Grace")
    commits = f"{base(project)}/commits"

    tried = owner.client.post(f"{commits}/{sha}/cherry_pick", json={"branch": "main", "dry_run": True})
    assert (tried.status_code, tried.json()) == (200, {"dry_run": "success"})
    picked = owner.client.post(f"{commits}/{sha}/cherry_pick", json={"branch": "main"})
    assert picked.status_code == 201
    assert picked.json()["author_name"] == "Grace"
    assert picked.json()["message"].endswith(f"(cherry picked from commit {sha})")
    again = owner.client.post(f"{commits}/{sha}/cherry_pick", json={"branch": "main"})
    assert again.status_code == 400
    assert again.json()["error_code"] == "empty"
    assert again.json()["message"].startswith("Sorry, we cannot cherry-pick this commit automatically.")
    undone = owner.client.post(f"{commits}/{picked.json()['id']}/revert", json={"branch": "main"})
    assert (undone.status_code, undone.json()["title"]) == (201, 'Revert "Change t.txt"')
    world.commit(project, "topic", {"t.txt": "other\n"})
    conflict = owner.client.post(f"{commits}/{sha}/revert", json={"branch": "topic", "dry_run": True})
    assert conflict.status_code == 400
    assert (conflict.json()["error_code"], conflict.json()["dry_run"]) == ("conflict", "error")
    lost = owner.client.post(f"{commits}/{sha}/revert", json={"branch": "none"})
    assert lost.json() == {"message": "404 Branch Not Found"}
    missing = owner.client.post(f"{commits}/{'1' * 40}/revert", json={"branch": "main"})
    assert missing.json() == {"message": "404 Commit Not Found"}


def test_parts_of_a_commit(world: World, owner: Person, project: dict[str, Any]) -> None:
    sha = world.commit(project, "topic", {"t.txt": "t\n"})
    path = f"{base(project)}/commits/{sha}"
    owner.client.ok("POST", f"{base(project)}/tags", json={"tag_name": "v1", "ref": sha})

    diffs = owner.client.ok("GET", f"{path}/diff")
    assert [(entry["new_path"], entry["new_file"], entry["diff"]) for entry in diffs] == [
        ("t.txt", True, "@@ -0,0 +1 @@\n+t\n")
    ]
    assert owner.client.ok("GET", f"{path}/refs") == [
        {"type": "branch", "name": "topic"},
        {"type": "tag", "name": "v1"},
    ]
    assert owner.client.get(f"{path}/refs", type="tag").json() == [{"type": "tag", "name": "v1"}]
    assert owner.client.ok("GET", f"{path}/sequence") == {"count": 2}
    assert owner.client.get(f"{path}/signature").json() == {"message": "404 Signature Not Found"}
    assert owner.client.ok("GET", f"{path}/merge_requests") == []
    request = owner.client.ok(
        "POST",
        f"/projects/{project['id']}/merge_requests",
        json={"title": "m", "source_branch": "topic", "target_branch": "main"},
    )
    result = owner.client.ok("GET", f"{path}/merge_requests")
    assert [entry["iid"] for entry in result] == [request["iid"]]
    first = owner.client.ok("GET", f"{base(project)}/commits/main")["id"]
    assert owner.client.ok("GET", f"{base(project)}/commits/{first}/merge_requests") == []


@pytest.mark.parametrize("level", ["private", "disabled"])
def test_merge_requests_of_a_commit_are_for_those_who_may_read_requests(
    world: World, owner: Person, level: str
) -> None:
    project = world.project(owner, initialize_with_readme=True, visibility="public", merge_requests_access_level=level)
    path = f"{base(project)}/commits/main/merge_requests"

    assert world.user().client.get(path).json() == {"message": "403 Forbidden"}
    assert world.anonymous.get(path).status_code == 403
    assert owner.client.get(path).status_code == (200 if level == "private" else 403)


def test_raw_files_and_blobs_are_shown_and_not_kept(world: World, owner: Person, project: dict[str, Any]) -> None:
    world.commit(project, "main", {"ü b.txt": "x\n", "a.b.xhtml": "<x/>"})
    blob = owner.client.get(f"{base(project)}/files/%C3%BC%20b.txt", ref="main").json()["blob_id"]

    named = owner.client.get(f"{base(project)}/files/%C3%BC%20b.txt/raw", ref="main")
    plain = owner.client.get(f"{base(project)}/files/README.md/raw")
    page = owner.client.get(f"{base(project)}/files/a.b.xhtml/raw")
    by_id = owner.client.get(f"{base(project)}/blobs/{blob}/raw")

    assert plain.headers["content-disposition"] == "inline; filename=\"README.md\"; filename*=UTF-8''README.md"
    assert named.headers["content-disposition"] == "inline; filename=\"_ b.txt\"; filename*=UTF-8''%C3%BC%20b.txt"
    assert page.headers["content-disposition"] == "inline; filename=\"a\"; filename*=UTF-8''a"
    assert (by_id.headers["content-disposition"], by_id.content) == ("inline", b"x\n")
    for reply in (named, plain, page, by_id):
        assert reply.headers["content-type"].split(";")[0] == "text/plain"
        assert reply.headers["cache-control"] == "max-age=0, private, must-revalidate, no-store, no-cache"
        assert reply.headers["expires"] == "Fri, 01 Jan 1990 00:00:00 GMT"


def test_a_branch_in_an_empty_repository_brings_the_default_branch(world: World, owner: Person) -> None:
    project, other = world.project(owner), world.project(owner)

    created = owner.client.post(f"{base(project)}/branches", json={"branch": "topic", "ref": "main"})
    same = owner.client.post(f"{base(other)}/branches", json={"branch": "main", "ref": "main"})

    assert (created.status_code, created.json()["name"]) == (201, "topic")
    assert [one["name"] for one in owner.client.ok("GET", f"{base(project)}/branches")] == ["main", "topic"]
    assert [one["path"] for one in owner.client.ok("GET", f"{base(project)}/tree")] == ["README.md"]
    assert owner.client.ok("GET", f"/projects/{project['id']}")["empty_repo"] is False
    assert (same.status_code, same.json()["default"]) == (201, True)
    assert [one["name"] for one in owner.client.ok("GET", f"{base(other)}/branches")] == ["main"]


def test_contributors_are_counted(world: World, owner: Person, project: dict[str, Any]) -> None:
    for number in range(2):
        world.commit(project, "main", {f"{number}": "x\n"}, author_name="Ada", author_email="ada@x.org")

    result = owner.client.ok("GET", f"{base(project)}/contributors")
    assert [entry["commits"] for entry in result] == [1, 2]
    assert result[1] == {"name": "Ada", "email": "ada@x.org", "commits": 2, "additions": 0, "deletions": 0}
    names = [entry["name"] for entry in owner.client.get(f"{base(project)}/contributors", order_by="name").json()]
    assert names == sorted(names, key=str.lower)


def test_an_empty_repository_answers_calmly(world: World, owner: Person) -> None:
    project = world.project(owner)

    assert owner.client.ok("GET", f"{base(project)}/branches") == []
    assert owner.client.ok("GET", f"{base(project)}/tags") == []
    assert owner.client.ok("GET", f"{base(project)}/commits") == []
    assert owner.client.get(f"{base(project)}/tree").json() == {"message": "404 Tree Not Found"}
    assert owner.client.get(f"{base(project)}/archive").status_code == 404
    assert owner.client.post(f"{base(project)}/branches", json={"branch": "x", "ref": "gone"}).status_code == 400
    assert owner.client.ok("GET", f"{base(project)}/branches") == []
    created = owner.client.post(
        f"{base(project)}/files/a.txt", json={"branch": "main", "commit_message": "First", "content": "a\n"}
    )
    assert created.status_code == 201
    assert owner.client.ok("GET", f"/projects/{project['id']}")["empty_repo"] is False
