"""python-gitlab as a client of merge requests."""

from collections.abc import Iterator

import gitlab
import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def client(world: World, owner: Person) -> Iterator[gitlab.Gitlab]:
    created = gitlab.Gitlab(world.server.url, private_token=owner.token)
    yield created
    created.session.close()


def test_a_request_from_opening_to_merged(world: World, owner: Person, client: gitlab.Gitlab) -> None:
    project = world.project(owner, initialize_with_readme=True)
    friend = world.user()
    world.member(project, friend, "developer")
    world.commit(project, "feature", {"f.txt": "hello\n"})
    there = client.projects.get(project["id"])

    created = there.mergerequests.create(
        {"source_branch": "feature", "target_branch": "main", "title": "Add f", "labels": ["bug", "api"]}
    )

    result = there.mergerequests.list(state="opened", labels=["bug"], author_id=owner.id, get_all=True)
    assert [one.iid for one in result] == [created.iid]
    assert client.mergerequests.list(scope="created_by_me", get_all=True)[0].iid == created.iid
    created.title, created.labels = "Add f.txt", ["bug"]
    created.save()
    assert there.mergerequests.get(created.iid).title == "Add f.txt"
    assert [commit.title for commit in created.commits()] == ["Change f.txt"]
    assert created.changes()["changes"][0]["new_path"] == "f.txt"
    assert len(created.diffs.list(get_all=True)) == 1
    assert created.merge_ref()["commit_id"]
    thread = created.discussions.create({"body": "Why?"})
    thread.notes.create({"body": "Because."})
    assert [note["body"] for note in created.discussions.get(thread.id).attributes["notes"]] == ["Why?", "Because."]
    created.time_estimate("2h")
    created.add_spent_time("30m")
    assert there.mergerequests.get(created.iid).time_stats()["human_total_time_spent"] == "30m"
    other = gitlab.Gitlab(world.server.url, private_token=friend.token)
    try:
        other.projects.get(project["id"]).mergerequests.get(created.iid).approve()
    finally:
        other.session.close()
    assert created.approvals.get().approved_by[0]["user"]["id"] == friend.id
    assert [person["id"] for person in created.participants()] == [owner.id]
    created.merge(merge_commit_message="Merged", should_remove_source_branch=True)
    assert there.mergerequests.get(created.iid).state == "merged"
    assert "feature" not in [branch.name for branch in there.branches.list(get_all=True)]


def test_rebasing(world: World, owner: Person, client: gitlab.Gitlab) -> None:
    project = world.project(owner, initialize_with_readme=True, merge_method="ff")
    world.commit(project, "feature", {"f.txt": "hello\n"})
    there = client.projects.get(project["id"])
    created = there.mergerequests.create({"source_branch": "feature", "target_branch": "main", "title": "f"})
    world.commit(project, "main", {"other.txt": "x\n"})
    with pytest.raises(gitlab.exceptions.GitlabMRClosedError):
        there.mergerequests.get(created.iid).merge()

    created.rebase()
    world.run_jobs()

    there.mergerequests.get(created.iid).merge()
    assert there.mergerequests.get(created.iid).state == "merged"


def test_dependencies_and_approval_rules(world: World, owner: Person, client: gitlab.Gitlab) -> None:
    project = world.project(owner, initialize_with_readme=True)
    there = client.projects.get(project["id"])
    requests = []
    for branch in ("one", "two"):
        world.commit(project, branch, {f"{branch}.txt": "x\n"})
        requests.append(there.mergerequests.create({"source_branch": branch, "target_branch": "main", "title": branch}))
    rule = there.approvalrules.create({"name": "Any", "approvals_required": 0})
    assert [one.id for one in there.approvalrules.list(get_all=True)] == [rule.id]
    client.http_post(
        f"/projects/{there.id}/merge_requests/{requests[1].iid}/blocks",
        post_data={"blocking_merge_request_id": requests[0].id},
    )
    assert there.mergerequests.get(requests[1].iid).detailed_merge_status == "merge_request_blocked"
    settings = client.http_get(f"/projects/{there.id}/merge_request_approval_setting")
    assert settings["allow_author_approval"] == {"value": False, "locked": False, "inherited_from": None}
