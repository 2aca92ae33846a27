"""python-gitlab, a client that people use, on repositories."""

import base64
import io
import tarfile
from collections.abc import Iterator
from typing import Any

import gitlab
import pytest
from gitlab.exceptions import GitlabCreateError, GitlabGetError, GitlabRevertError

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> Iterator[Any]:
    created = world.project(owner, initialize_with_readme=True)
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        yield client.projects.get(created["path_with_namespace"])


def test_branches(project: Any) -> None:
    branch = project.branches.create({"branch": "feature/x", "ref": "main"})
    assert branch.name == "feature/x"
    assert project.branches.get("feature/x").commit["id"] == project.branches.get("main").commit["id"]
    assert [entry.name for entry in project.branches.list(iterator=True)] == ["feature/x", "main"]
    rule = project.protectedbranches.create({"name": "feature/*", "merge_access_level": 30, "push_access_level": 0})
    assert project.protectedbranches.get("feature/*").merge_access_levels[0]["access_level"] == 30
    rule.delete()
    branch.delete()
    project.delete_merged_branches()
    with pytest.raises(GitlabGetError):
        project.branches.get("feature/x")


def test_tags(project: Any) -> None:
    tag = project.tags.create({"tag_name": "v1.0", "ref": "main", "message": "First"})
    assert (tag.name, tag.message) == ("v1.0", "First")
    assert [entry.name for entry in project.tags.list(all=True)] == ["v1.0"]
    rule = project.protectedtags.create({"name": "v*", "create_access_level": "40"})
    assert project.tags.get("v1.0").protected is True
    rule.delete()
    tag.delete()
    assert project.tags.list(all=True) == []


def test_commits(project: Any) -> None:
    commit = project.commits.create(
        {
            "branch": "topic",
            "start_branch": "main",
            "commit_message": "Two files",
            "actions": [
                {"action": "create", "file_path": "a.txt", "content": "a\n"},
                {"action": "create", "file_path": "b/c.txt", "content": "c\n"},
            ],
        }
    )
    assert commit.stats["additions"] == 2
    assert [entry["new_path"] for entry in commit.diff(get_all=True)] == ["a.txt", "b/c.txt"]
    assert commit.refs("branch") == [{"type": "branch", "name": "topic"}]
    assert commit.merge_requests() == []
    assert [item.title for item in project.commits.list(ref_name="topic", iterator=True)] == [
        "Two files",
        "Initial commit",
    ]
    commit.cherry_pick(branch="main")
    assert project.commits.list(ref_name="main", get_all=False)[0].title == "Two files"
    picked = project.commits.get("main")
    picked.revert("main")
    with pytest.raises(GitlabRevertError):
        picked.revert("main")
    with pytest.raises(GitlabGetError):
        project.commits.get("0" * 40)
    with pytest.raises(GitlabCreateError):
        project.commits.create(
            {"branch": "main", "commit_message": "x", "actions": [{"action": "delete", "file_path": "no"}]}
        )


def test_files(project: Any) -> None:
    created = project.files.create(
        {"file_path": "docs/a.txt", "branch": "main", "content": "one\n", "commit_message": "Write"}
    )
    assert created.file_path == "docs/a.txt"
    file = project.files.get("docs/a.txt", ref="main")
    assert file.decode() == b"one\n"
    file.content = base64.b64encode(b"two\n").decode()
    file.save(branch="main", commit_message="Change", encoding="base64")
    assert project.files.raw("docs/a.txt", ref="main") == b"two\n"
    assert project.files.blame("docs/a.txt", ref="main")[0]["lines"] == ["two"]
    assert project.files.head("docs/a.txt", ref="main")["X-Gitlab-Size"] == "4"
    file.delete(branch="main", commit_message="Remove")
    with pytest.raises(GitlabGetError):
        project.files.get("docs/a.txt", ref="main")


def test_trees_blobs_archives_and_comparisons(project: Any) -> None:
    tree = project.repository_tree(get_all=True)
    assert [entry["path"] for entry in tree] == ["README.md"]
    assert list(project.repository_tree(recursive=True, pagination="keyset", order_by="id", iterator=True)) == tree
    blob = project.repository_blob(tree[0]["id"])
    assert project.repository_raw_blob(tree[0]["id"]) == base64.b64decode(blob["content"])
    archive = tarfile.open(fileobj=io.BytesIO(project.repository_archive()))  # noqa: SIM115
    assert any(name.endswith("/README.md") for name in archive.getnames())
    assert project.repository_archive(format="zip")[:2] == b"PK"
    project.branches.create({"branch": "other", "ref": "main"})
    assert project.repository_compare("main", "other")["commits"] == []
    assert project.repository_merge_base(["main", "other"])["title"] == "Initial commit"
    assert project.repository_contributors(get_all=True)[0]["commits"] == 1
