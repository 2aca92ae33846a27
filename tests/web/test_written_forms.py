"""Forms of releases, boards, members and of what is deleted: what they change is what the API then says."""

from typing import Any

import pytest

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly

PLACE, ANVIL = "/smithy/anvil/-", "/projects/smithy%2Fanvil"


def asked(server: RunningServer, path: str) -> Any:
    return server.client(ROOT_TOKEN).ok("GET", path)


def test_a_release_has_milestones_a_message_and_downloads(smithy: RunningServer, ada: Browser) -> None:
    new = {"tag_name": "v7", "tag_message": "Seven", "other_milestones": "1.0"}
    ada.send(ada.open(f"{PLACE}/releases/new"), "/-/releases", **new)
    form = ada.open(f"{PLACE}/releases/v7/edit")
    refused = ada.send(form, "/links", name="Tool", url="no address")
    assert (refused.status, 'value="no address"' in refused.response.text) == (400, True)
    link = {"name": "Tool", "url": "https://example.com/tool", "link_type": "package", "direct_asset_path": "/bin/tool"}
    ada.send(form, "/links", **link)
    release = asked(smithy, f"{ANVIL}/releases/v7")
    assert asked(smithy, f"{ANVIL}/repository/tags/v7")["message"] == "Seven"
    assert [row["title"] for row in release["milestones"]] == ["1.0"]
    assert [(row["name"], row["link_type"]) for row in release["assets"]["links"]] == [("Tool", "package")]

    page = ada.open(f"{PLACE}/releases/v7/edit")
    ada.send(page, f"/links/{release['assets']['links'][0]['id']}/remove")
    ada.send(page, "/v7/edit", **{"milestone_ids[]": []})

    release = asked(smithy, f"{ANVIL}/releases/v7")
    assert (release["assets"]["links"], release.get("milestones")) == ([], None)
    assert "The evidence is being collected." in ada.send(page, "/evidence").text


def test_a_board_is_limited_and_its_columns_are_of_labels_milestones_and_people(
    smithy: RunningServer, ada: Browser
) -> None:
    client = smithy.client(ROOT_TOKEN)
    number = client.ok("POST", f"{ANVIL}/boards", json={"name": "Ways"})["id"]
    board, page = f"{ANVIL}/boards/{number}", f"{PLACE}/boards/{number}/edit"
    limits = {"labels": "bug", "assignee": "ben", "weight": "2", "hide_closed_list": "on"}
    ada.send(ada.open(page), f"/{number}/edit", name="Limited", **limits)
    saved = asked(smithy, board)
    assert (saved["name"], saved["labels"][0]["name"], saved["assignee"]["username"], saved["weight"]) == (
        "Limited", "bug", "ben", 2,
    )  # fmt: skip
    assert saved["hide_closed_list"]
    unknown = ada.send(ada.open(page), f"/{number}/edit", assignee="nobody-here")
    assert (unknown.status, "nobody-here" in unknown.text) == (422, True)
    form = ada.open(page)
    token = form.tree.xpath("//input[@name='authenticity_token']/@value")[0]
    free = {"authenticity_token": token, "name": "Free", "labels": "", "assignee": "", "weight": ""}
    ada.http.post(page, data=free)
    saved = asked(smithy, board)
    assert (saved["labels"], saved["assignee"], saved["weight"], saved["hide_closed_list"]) == ([], None, None, False)

    label = asked(smithy, f"{ANVIL}/labels?search=bug")[0]
    milestone, ben = asked(smithy, f"{ANVIL}/milestones")[0], asked(smithy, "/users?username=ben")[0]
    assert ada.send(form, "/edit/lists", of="").status == 400
    for of in (f"label-{label['id']}", f"milestone-{milestone['id']}", f"assignee-{ben['id']}"):
        ada.send(form, "/edit/lists", of=of)
    columns = asked(smithy, board)["lists"]
    ada.send(ada.open(page), f"/lists/{columns[2]['id']}/move")
    assert [row["id"] for row in asked(smithy, board)["lists"]] == [columns[place]["id"] for place in (0, 2, 1)]
    of_label, of_milestone, of_ben = (str(row["id"]) for row in columns)
    issue = client.ok("POST", f"{ANVIL}/issues", json={"title": "Wanders"})["iid"]

    def move(target: str) -> tuple[list[str], list[str], str | None]:
        shown = ada.open(f"{PLACE}/boards/{number}")
        forms = shown.tree.xpath(f"//form[contains(@action, '/move')][input[@name='issue' and @value='{issue}']]")
        assert len(forms) == 1
        ada.send_form(shown, forms[0], to=target)
        record = asked(smithy, f"{ANVIL}/issues/{issue}")
        return (
            record["labels"],
            [row["username"] for row in record["assignees"]],
            (record["milestone"] or {}).get("title"),
        )

    assert move(of_label) == (["bug"], [], None)
    assert move(of_ben) == ([], ["ben"], None)
    assert move(of_milestone) == ([], [], milestone["title"])
    assert move("open") == ([], [], None)
    further = client.ok("POST", f"{ANVIL}/milestones", json={"title": "Further"})["id"]
    of_further = str(client.ok("POST", f"{board}/lists", json={"milestone_id": further})["id"])
    assert move(of_further) == ([], [], "Further")
    assert move("open") == ([], [], None)
    ada.send(ada.open(page), f"/lists/{of_further}/remove")
    ada.send(ada.open(page), f"/lists/{of_ben}/remove")
    assert len(asked(smithy, board)["lists"]) == 2


def test_members_get_custom_roles_and_invitations_are_changed(smithy: RunningServer, ada: Browser) -> None:
    client, members = smithy.client(ROOT_TOKEN), "/groups/smithy/-/group_members"
    fields = {"name": "Reading guest", "base_access_level": 10, "read_code": True}
    role = client.ok("POST", "/groups/smithy/member_roles", json=fields)["id"]
    chloe = asked(smithy, "/users?username=chloe")[0]["id"]
    page = ada.send(ada.open(members), f"/{chloe}/change", access_level=f"10-{role}")
    assert asked(smithy, f"/groups/smithy/members/{chloe}")["member_role"]["id"] == role
    assert "Reading guest: change Chloé Martin" in page.text
    ada.send(page, f"/{chloe}/change", access_level="10")
    assert asked(smithy, f"/groups/smithy/members/{chloe}").get("member_role") is None
    ada.send(page, f"/{chloe}/change", access_level="30")

    page = ada.send(ada.open(members), "/group_members", who="una@example.com", access_level="20")
    ada.send(page, "/invitation", access_level="30", expires_at="2040-01-01")
    (invitation,) = asked(smithy, "/groups/smithy/invitations")
    assert (invitation["access_level"], invitation["expires_at"]) == (30, "2040-01-01")


def test_another_expiry_leaves_a_custom_role_that_the_form_does_not_offer(smithy: RunningServer, ada: Browser) -> None:
    client, members = smithy.client(ROOT_TOKEN), "/groups/smithy/-/group_members"
    chloe = asked(smithy, "/users?username=chloe")[0]["id"]
    own, of_instance = (
        client.ok("POST", address, json={"name": name, "base_access_level": 20, "admin_merge_request": True})
        for address, name in (("/groups/smithy/member_roles", "Merging"), ("/member_roles", "Merging everywhere"))
    )
    for role in (own, of_instance):
        fields = {"access_level": 20, "member_role_id": role["id"], "expires_at": ""}
        client.ok("PUT", f"/groups/smithy/members/{chloe}", json=fields)

        ada.send(ada.open(members), f"/{chloe}/change", expires_at="2040-01-01")

        member = asked(smithy, f"/groups/smithy/members/{chloe}")
        assert (member["access_level"], member["member_role"]["id"]) == (20, role["id"])
        assert member["expires_at"] == "2040-01-01"
    ada.send(ada.open(members), f"/{chloe}/change", access_level="20")
    assert asked(smithy, f"/groups/smithy/members/{chloe}").get("member_role") is None
    client.ok("PUT", f"/groups/smithy/members/{chloe}", json={"access_level": 30, "expires_at": ""})


def test_an_issue_that_moves_between_people_stays_with_its_others(smithy: RunningServer, ada: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    number = client.ok("POST", f"{ANVIL}/boards", json={"name": "People"})["id"]
    board = f"{ANVIL}/boards/{number}"
    people = {name: asked(smithy, f"/users?username={name}")[0]["id"] for name in ("ada", "ben", "chloe")}
    columns = {
        name: str(client.ok("POST", f"{board}/lists", json={"assignee_id": people[name]})["id"])
        for name in ("ben", "chloe")
    }
    fields = {"title": "Shared", "assignee_ids": [people["ada"], people["ben"]]}
    issue = client.ok("POST", f"{ANVIL}/issues", json=fields)["iid"]

    def move(source: str, target: str) -> list[str]:
        shown = ada.open(f"{PLACE}/boards/{number}")
        has_fields = f"input[@name='issue' and @value='{issue}'] and input[@name='from' and @value='{source}']"
        (form,) = shown.tree.xpath(f"//form[contains(@action, '/move')][{has_fields}]")
        ada.send_form(shown, form, to=target)
        return sorted(row["username"] for row in asked(smithy, f"{ANVIL}/issues/{issue}")["assignees"])

    assert move(columns["ben"], columns["chloe"]) == ["ada", "chloe"]
    assert move(columns["chloe"], "open") == ["ada"]
    assert move("open", columns["ben"]) == ["ada", "ben"]
    client.ok("PUT", f"{ANVIL}/issues/{issue}", json={"assignee_ids": [people["ben"]]})
    assert move(columns["ben"], "open") == []


def test_a_release_with_a_comma_in_a_milestone_is_edited(smithy: RunningServer, ada: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    milestone = client.ok("POST", f"{ANVIL}/milestones", json={"title": "Q1, 2026"})["id"]
    release = {"tag_name": "v8", "ref": "main", "name": "Eight", "milestone_ids": [milestone]}
    client.ok("POST", f"{ANVIL}/releases", json=release)

    saved = ada.send(ada.open(f"{PLACE}/releases/v8/edit"), "/v8/edit", name="Number eight")

    assert (saved.status, "Release saved." in saved.text) == (200, True)
    shown = asked(smithy, f"{ANVIL}/releases/v8")
    assert (shown["name"], [row["title"] for row in shown["milestones"]]) == ("Number eight", ["Q1, 2026"])


def test_a_board_stays_limited_to_a_closed_milestone(smithy: RunningServer, ada: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    milestone = client.ok("POST", f"{ANVIL}/milestones", json={"title": "Over soon"})["id"]
    number = client.ok("POST", f"{ANVIL}/boards", json={"name": "Closed"})["id"]
    client.ok("PUT", f"{ANVIL}/boards/{number}", json={"milestone_id": milestone})
    client.ok("PUT", f"{ANVIL}/milestones/{milestone}", json={"state_event": "close"})

    ada.send(ada.open(f"{PLACE}/boards/{number}/edit"), f"/{number}/edit", name="Looked back")

    board = asked(smithy, f"{ANVIL}/boards/{number}")
    assert (board["name"], board["milestone"]["id"]) == ("Looked back", milestone)


def test_open_threads_are_settled_in_an_issue(smithy: RunningServer, ada: Browser) -> None:
    page = ada.open(f"{PLACE}/merge_requests/2")
    link = next(path for path in page.links() if "merge_request_to_resolve_discussions_of=2" in path)
    form = ada.open(link)
    assert "Creating this issue resolves the open threads of !2" in form.text
    issue = ada.send(form, "/-/issues", title="What is left")
    assert issue.status == 200
    threads = asked(smithy, f"{ANVIL}/merge_requests/2/discussions")
    left = [note for thread in threads for note in thread["notes"] if note["resolvable"] and not note["resolved"]]
    assert left == []


def test_what_was_deleted_is_deleted_for_good_at_once(smithy: RunningServer, ada: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    client.ok("PUT", "/application/settings", json={"deletion_adjourned_period": 7})
    group = asked(smithy, "/groups/smithy")["id"]
    number = client.ok("POST", "/projects", json={"name": "Scrap", "namespace_id": group})["id"]
    client.ok("DELETE", f"/projects/{number}")
    path = asked(smithy, f"/projects/{number}")["path_with_namespace"]
    gone = ada.send(ada.open(f"/{path}/edit"), "/edit/remove", confirm=path)
    assert (gone.status, "Project deleted." in gone.text) == (200, True)
    assert client.get(f"/projects/{number}").status_code == 404
