"""The list of merge requests: why each waits, and several edited together."""

import pytest

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly


def test_lists_of_a_group_are_edited_by_the_role_in_each_project(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    group = client.ok("POST", "/groups", json={"name": "Bellows", "path": "bellows", "visibility": "public"})
    user = client.ok("GET", "/users?username=ben")[0]
    bases = []
    for name, level in (("air", 30), ("fire", 10)):
        fields = {"name": name, "namespace_id": group["id"], "initialize_with_readme": True, "visibility": "public"}
        base = f"/projects/{client.ok('POST', '/projects', json=fields)['id']}"
        bases.append(base)
        client.ok("POST", f"{base}/members", json={"user_id": user["id"], "access_level": level})
        config = {"action": "create", "file_path": ".gitlab-ci.yml", "content": "blow:\n  script: blow\n"}
        body = {"branch": "gust", "start_branch": "main", "commit_message": "Gust", "actions": [config]}
        client.ok("POST", f"{base}/repository/commits", json=body)
        fields = {"source_branch": "gust", "target_branch": "main", "title": f"More {name}"}
        client.ok("POST", f"{base}/merge_requests", json=fields)
        client.ok("POST", f"{base}/issues", json={"title": f"Less {name}"})
    client.ok("POST", f"/groups/{group['id']}/milestones", json={"title": "Autumn"})
    until(lambda: all(client.ok("GET", f"{base}/pipelines") for base in bases))
    keys = [f"{base.rpartition('/')[2]}-1" for base in bases]

    for kind, word, title in (("merge_requests", "merge request", "More"), ("issues", "issue", "Less")):
        home = f"/groups/bellows/-/{kind}"
        page = ben.open(home)
        assert page.tree.xpath("//input[@name='records[]']/@value") == [keys[0]]
        counts = [tab.xpath("string(span)") for tab in page.tree.xpath("//nav[@aria-label='State']/a")]
        assert (counts[0], counts[-1], set(counts[1:-1])) == ("2", "2", {"0"})
        assert not Browser(smithy).open(home).tree.xpath("//input[@name='records[]']")
        form = ben.open(f"{home}/edit_many?records[]={keys[0]}&records[]={keys[1]}&back=state%3Dopened")
        milestone = form.tree.xpath("//select[@name='milestone_id']/option/@value")[-1]
        changes = {"add_labels": "windy", "milestone_id": milestone, "assignees": "ben"}
        mixed = ben.send(form, "/edit_many", **{"records[]": keys}, **changes)
        assert (mixed.status, "1 of 2 could not be updated." in mixed.text) == (422, True)
        refused = mixed.tree.xpath("string(//p[@class='problem'][contains(., 'role')]/..)")
        assert f"{title} fire" in refused
        rows = [client.ok("GET", f"{base}/{kind}/1") for base in bases]
        assert [(row["labels"], row["milestone"] and row["milestone"]["title"]) for row in rows] == [
            (["windy"], "Autumn"), ([], None),
        ]  # fmt: skip
        done = ben.send(form, "/edit_many", **{"records[]": keys[:1]}, state_event="close", milestone_id="")
        assert (done.path, f"1 {word} changed." in done.text) == (home, True)
        assert client.ok("GET", f"{bases[0]}/{kind}/1")["state"] == "closed"
        assert ben.send(form, "/edit_many", **{"records[]": [f"{keys[0]}-x", "y"]}, state_event="close").status == 422
    # Pipelines are shown where the visitor may see them.
    everything = ben.open("/groups/bellows/-/merge_requests?state=all").tree
    assert len(everything.xpath("//ul[contains(@class, 'request-rows')]//a[contains(@href, '/-/pipelines/')]")) == 2


def test_requests_of_a_list_say_why_they_wait_and_are_edited_together(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    project = client.ok("POST", "/projects", json={"name": "Tongs", "initialize_with_readme": True})
    base, home = f"/projects/{project['id']}", f"/{project['path_with_namespace']}/-/merge_requests"
    user = client.ok("GET", "/users?username=ben")[0]
    client.ok("POST", f"{base}/members", json={"user_id": user["id"], "access_level": 30})
    client.ok(
        "POST", f"{base}/approval_rules", json={"name": "Any", "approvals_required": 2, "rule_type": "any_approver"}
    )
    client.ok("POST", f"{base}/milestones", json={"title": "Spring"})
    for name in ("left", "right"):
        action = {"action": "create", "file_path": f"{name}.txt", "content": "x\n"}
        body = {"branch": name, "start_branch": "main", "commit_message": name, "actions": [action]}
        client.ok("POST", f"{base}/repository/commits", json=body)
        fields = {"source_branch": name, "target_branch": "main", "title": f"Draft: {name}", "labels": "iron"}
        client.ok("POST", f"{base}/merge_requests", json=fields)
    client.ok("POST", f"{base}/merge_requests/1/discussions", json={"body": "Why?"})
    client.ok("POST", f"{base}/merge_requests/2/discussions", json={"body": "Aside?", "internal": True})
    client.ok("PUT", f"{base}/merge_requests/1", json={"title": "left"})
    client.ok("PUT", base, json={"visibility": "public"})
    ada = Browser(smithy)
    ada.enter_by_link("ada")
    rows = "//ul[contains(@class, 'request-rows')]/li"
    counted = [["open thread" in "".join(row.itertext()) for row in visitor.open(home).tree.xpath(rows)]
               for visitor in (ben, ada)]  # fmt: skip
    assert counted == [[True, True], [False, True]]  # one thread of the newer request is internal
    ben.send(ben.open(f"{home}/1"), "/approve")
    page = ben.open(f"{home}?labels=iron")
    first = page.tree.xpath("string(//ul[contains(@class, 'request-rows')]/li[2])")
    assert [words in first for words in ("Needs approval", "1/2", "1 open thread", "iron")] == [True] * 4
    assert [tab.xpath("string(span)") for tab in page.tree.xpath("//nav[@aria-label='State']/a")] == [
        "2",
        "0",
        "0",
        "2",
    ]
    assert page.tree.xpath("//a[@class='chip'][contains(., 'Labels: iron')]/@href") == ["?state=opened"]
    assert not Browser(smithy).open("/smithy/anvil/-/merge_requests").tree.xpath("//input[@name='iids[]']")

    # A row that is refused is told apart; the others are changed.
    form = ben.open(f"{home}/edit_many?iids[]=1&iids[]=2&iids[]=99&back=labels%3Diron")
    changes = {"add_labels": "hot", "remove_labels": "iron", "assignees": "ben", "reviewers": "root"}
    mixed = ben.send(
        form, "/edit_many", **{"iids[]": ["1", "2", "99"]}, **changes, state_event="close", milestone_id=""
    )
    assert (mixed.status, "1 of 3 could not be updated." in mixed.text) == (422, True)
    for row in client.ok("GET", f"{base}/merge_requests"):
        people = [person["username"] for person in (*row["assignees"], *row["reviewers"])]
        assert (row["labels"], people, row["state"]) == (["hot"], ["ben", "root"], "closed")
    milestone = form.tree.xpath("//select[@name='milestone_id']/option/@value")[-1]
    again = {"state_event": "reopen", "milestone_id": milestone, "assignees": "none"}
    done = ben.send(form, "/edit_many", **{"iids[]": ["1", "2"]}, **again)
    assert (done.path, "2 merge requests changed." in done.text, "labels=iron" in str(done.response.url)) == (
        home,
        True,
        True,
    )
    row = client.ok("GET", f"{base}/merge_requests/2")
    assert (row["assignees"], row["milestone"]["title"], row["state"]) == ([], "Spring", "opened")
    assert ben.send(form, "/edit_many", **{"iids[]": ["1"]}).status == 422  # nothing to change
    assert ben.send(form, "/edit_many", **{"iids[]": ["1"]}, assignees="no-such").status == 422

    # The API takes labels, people and milestones from developers only, so that others are offered the state alone.
    client.ok("PUT", f"{base}/merge_requests/1", json={"assignee_id": user["id"]})
    client.ok("PUT", f"{base}/members/{user['id']}", json={"access_level": 20})
    lesser = ben.open(f"{home}/edit_many?iids[]=1")
    assert lesser.tree.xpath("//main//select/@name") == ["state_event"]
    assert ben.send(lesser, "/edit_many", add_labels="cold").status == 422


def test_lists_have_what_they_show_as_being_checked_checked(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    fields = {"name": "Hinges", "initialize_with_readme": True, "visibility": "public"}
    project = client.ok("POST", "/projects", json=fields)
    base, home = f"/projects/{project['id']}", f"/{project['path_with_namespace']}/-/merge_requests"
    user = client.ok("GET", "/users?username=ben")[0]
    action = {"action": "create", "file_path": "hinge.txt", "content": "x\n"}
    body = {"branch": "hinge", "start_branch": "main", "commit_message": "Hinge", "actions": [action]}
    client.ok("POST", f"{base}/repository/commits", json=body)
    fields = {"source_branch": "hinge", "target_branch": "main", "title": "Hinge", "reviewer_ids": [user["id"]]}
    client.ok("POST", f"{base}/merge_requests", json=fields)

    def words(visitor: Browser, path: str) -> str:
        row = "//ul[contains(@class, 'rows')]/li[contains(., 'Hinge')]"
        return " ".join(visitor.open(path).tree.xpath(f"string({row})").split())

    for number, path in enumerate((home, "/dashboard/merge_requests", "/")):
        # What is pushed to the target makes the state unknown; nobody opens the request itself.
        push = {"branch": "main", "commit_message": "Nail", "actions": [{**action, "file_path": f"{number}.txt"}]}
        client.ok("POST", f"{base}/repository/commits", json=push)
        until(lambda: client.ok("GET", f"{base}/merge_requests")[0]["detailed_merge_status"] == "unchecked")
        assert "eing checked" not in words(Browser(smithy), home)
        assert "Hinge" in words(ben, path)
        until(lambda: client.ok("GET", f"{base}/merge_requests")[0]["detailed_merge_status"] == "mergeable")
        assert "eady" in words(ben, path)
