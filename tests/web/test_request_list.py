"""The list of merge requests: why each waits, and several edited together."""

import pytest

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly


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
    assert (mixed.status, "1 of 3 could not be changed." in mixed.text) == (422, True)
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
