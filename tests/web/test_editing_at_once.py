"""Two people who edit the same thing: nobody undoes what the other saved, unless they were told and want it."""

from typing import Any

import pytest

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser, Visit, form_values

pytestmark = pytest.mark.costly

PASSWORD = "a long enough secret 1"
PLACE, ANVIL = "/smithy/anvil/-", "/projects/smithy%2Fanvil"


@pytest.fixture(scope="module")
def passer(smithy: RunningServer) -> Browser:
    """Somebody who is no member."""
    person = {"username": "passer", "name": "Passer", "email": "passer@example.org", "password": PASSWORD}
    smithy.client(ROOT_TOKEN).ok("POST", "/users", json={**person, "skip_confirmation": True})
    browser = Browser(smithy)
    browser.enter_by_link("passer")
    return browser


def token_of(browser: Browser) -> str:
    """What the forms of a session are sent with."""
    return str(browser.open("/").tree.xpath("//input[@name='authenticity_token']")[0].get("value"))


def issue_of(server: RunningServer, **fields: Any) -> tuple[str, str]:
    """A new issue: its address in the API, and that of its form."""
    issue = server.client(ROOT_TOKEN).ok("POST", f"{ANVIL}/issues", json={"title": "Bent", **fields})
    return f"{ANVIL}/issues/{issue['iid']}", f"{PLACE}/issues/{issue['iid']}/edit"


def problem(visit: Visit) -> str:
    return " ".join("".join(visit.tree.xpath("//*[@role='alert']")[0].itertext()).split())


def form_of(visit: Visit) -> dict[str, Any]:
    return form_values(visit.tree.xpath("//form[.//input[@name='seen']]")[0])


def form_of_section(visit: Visit) -> dict[str, Any]:
    return form_values(visit.tree.xpath("//form[contains(@action, '/merging')]")[0])


def send_fact(browser: Browser, visit: Visit, name: str, value: str) -> Visit:
    return browser.send_form(visit, visit.tree.xpath(f"//details[@id='edit_{name}']/form")[0], **{name: value})


def test_fields_that_only_the_other_changed_stay_as_they_are(smithy: RunningServer, ada: Browser, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    address, form = issue_of(smithy, description="One\ntwo  \n", labels="urgent", weight=3)
    of_ada, of_ben = ada.open(form), ben.open(form)

    ada.send(of_ada, "/edit", description="Three", labels="calm", confidential="on", due_date="2026-12-24")
    saved = ben.send(of_ben, "/edit", title="Straight")

    assert (saved.status, "Issue saved." in saved.text) == (200, True)
    issue = client.ok("GET", address)
    assert {name: issue[name] for name in ("title", "description", "labels", "confidential", "due_date")} == {
        "title": "Straight", "description": "Three", "labels": ["calm"], "confidential": True,
        "due_date": "2026-12-24",
    }  # fmt: skip


def test_a_field_that_both_changed_comes_back_and_is_replaced_by_saving_again(
    smithy: RunningServer, ada: Browser, ben: Browser
) -> None:
    address, form = issue_of(smithy, description="Old", labels="urgent")
    client, of_ada, of_ben = smithy.client(ROOT_TOKEN), ada.open(form), ben.open(form)
    ada.send(of_ada, "/edit", title="Of Ada", description="Written by Ada", labels="calm")

    refused = ben.send(of_ben, "/edit", title="Of Ben", description="Written by Ben")

    assert refused.status == 409
    assert problem(refused) == (
        "“Title” and “Description” were changed by someone else while you were editing. "
        "Save again to replace their changes."
    )
    assert refused.tree.xpath("//details/pre/text()") == ["Of Ada", "Written by Ada"]
    kept = form_of(refused)
    assert (kept["title"], kept["description"].strip(), kept["labels"]) == ("Of Ben", "Written by Ben", "calm")
    assert client.ok("GET", address)["title"] == "Of Ada"

    assert ben.send(refused, "/edit").status == 200
    issue = client.ok("GET", address)
    assert (issue["title"], issue["description"], issue["labels"]) == ("Of Ben", "Written by Ben", ["calm"])


def test_both_may_write_the_same_and_a_form_without_changes_saves_nothing(
    smithy: RunningServer, ada: Browser, ben: Browser
) -> None:
    address, form = issue_of(smithy)
    client, of_ada, of_ben, again = smithy.client(ROOT_TOKEN), ada.open(form), ben.open(form), ben.open(form)
    ada.send(of_ada, "/edit", title="Same")
    assert ben.send(of_ben, "/edit", title="Same").status == 200
    moment = client.ok("GET", address)["updated_at"]

    assert ben.send(again, "/edit").status == 200

    issue = client.ok("GET", address)
    assert (issue["title"], issue["updated_at"]) == ("Same", moment)


def test_a_form_that_does_not_say_what_it_showed_saves_all_its_fields(smithy: RunningServer, ada: Browser) -> None:
    address, form = issue_of(smithy, description="Old")
    client, page = smithy.client(ROOT_TOKEN), ada.open(form)
    client.ok("PUT", address, json={"title": "Meanwhile", "description": "Meanwhile"})
    for seen in ("", "no object", "[1]", '{"title": 1}', "x" * 20_000):
        assert ada.send(page, "/edit", seen=seen).status == 200
        issue = client.ok("GET", address)
        assert (issue["title"], issue["description"]) == ("Bent", "Old")


def test_a_refused_form_knows_what_the_other_saved(smithy: RunningServer, ada: Browser, ben: Browser) -> None:
    address, form = issue_of(smithy, description="Old")
    client, of_ada, of_ben = smithy.client(ROOT_TOKEN), ada.open(form), ben.open(form)
    ada.send(of_ada, "/edit", description="Written by Ada")
    refused = ben.send(of_ben, "/edit", assignees="nobody-here")
    assert (refused.status, problem(refused)) == (422, "There is no user named nobody-here.")
    ben.send(refused, "/edit", assignees="ben")
    issue = client.ok("GET", address)
    assert (issue["description"], [one["username"] for one in issue["assignees"]]) == ("Written by Ada", ["ben"])


def test_who_may_not_edit_is_refused_whatever_the_form_holds(
    smithy: RunningServer, ada: Browser, passer: Browser
) -> None:
    address, form = issue_of(smithy)
    for sent in (form_of(ada.open(form)), {"title": "Taken over"}):
        refused = passer.http.post(form, data={**sent, "authenticity_token": token_of(passer)})
        assert refused.status_code == 403
    assert smithy.client(ROOT_TOKEN).ok("GET", address)["title"] == "Bent"


def test_a_merge_request_is_edited_by_two(smithy: RunningServer, ada: Browser, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    branch = client.ok("POST", f"{ANVIL}/repository/branches", params={"branch": "at-once", "ref": "main"})["name"]
    request = {"source_branch": branch, "target_branch": "main", "title": "At once", "description": "Old"}
    number = client.ok("POST", f"{ANVIL}/merge_requests", json=request)["iid"]
    address, form = f"{ANVIL}/merge_requests/{number}", f"{PLACE}/merge_requests/{number}/edit"
    of_ada, of_ben, late = ada.open(form), ben.open(form), ben.open(form)

    ada.send(of_ada, "/edit", squash="on", reviewers="ben", merge_after="2031-01-02T03:04")
    assert ben.send(of_ben, "/edit", description="Written by Ben", remove_source_branch="on").status == 200

    now = client.ok("GET", address)
    assert (now["squash"], now["force_remove_source_branch"], now["description"]) == (True, True, "Written by Ben")
    assert ([one["username"] for one in now["reviewers"]], now["merge_after"][:16]) == (["ben"], "2031-01-02T03:04")
    refused = ben.send(late, "/edit", merge_after="2032-01-02T03:04")
    assert (refused.status, problem(refused)) == (
        409,
        "“Merge after” was changed by someone else while you were editing. Save again to replace their changes.",
    )
    assert "squash" in form_of(refused)


@pytest.mark.parametrize(
    ("kind", "name", "new", "other"),
    [
        ("labels", "name", {"name": "at once", "color": "#aa0000"}, "color"),
        ("milestones", "title", {"title": "At once"}, "due_date"),
    ],
)
def test_labels_and_milestones_are_edited_by_two(
    smithy: RunningServer, ada: Browser, ben: Browser, kind: str, name: str, new: dict[str, str], other: str
) -> None:
    client = smithy.client(ROOT_TOKEN)
    number = client.ok("POST", f"{ANVIL}/{kind}", json=new)["id"]
    form, value = f"{PLACE}/{kind}/{number}/edit", "#00bb00" if other == "color" else "2026-12-24"
    of_ada, of_ben, late = ada.open(form), ben.open(form), ben.open(form)

    ada.send(of_ada, "/edit", **{other: value, "description": "Written by Ada"})
    assert ben.send(of_ben, "/edit", **{name: "Renamed"}).status == 200

    record = client.ok("GET", f"{ANVIL}/{kind}/{number}")
    assert (record[name], record[other], record["description"]) == ("Renamed", value, "Written by Ada")
    refused = ben.send(late, "/edit", description="Written by Ben")
    assert (refused.status, form_of(refused)[name]) == (409, "Renamed")
    assert ben.send(refused, "/edit").status == 200
    assert client.ok("GET", f"{ANVIL}/{kind}/{number}")["description"] == "Written by Ben"


@pytest.mark.parametrize("kind", ["issues", "merge_requests"])
def test_a_fact_beside_the_text_is_edited_by_two(smithy: RunningServer, ada: Browser, ben: Browser, kind: str) -> None:
    client = smithy.client(ROOT_TOKEN)
    new: dict[str, Any] = {"title": "Beside", "labels": "urgent"}
    if kind == "merge_requests":
        client.ok("POST", f"{ANVIL}/repository/branches", params={"branch": "beside", "ref": "main"})
        new |= {"source_branch": "beside", "target_branch": "main"}
    number = client.ok("POST", f"{ANVIL}/{kind}", json=new)["iid"]
    address, page = f"{ANVIL}/{kind}/{number}", f"{PLACE}/{kind}/{number}"
    of_ada, of_ben = ada.open(page), ben.open(page)

    send_fact(ada, of_ada, "labels", "urgent, calm")
    assert send_fact(ben, of_ben, "assignees", "ben").status == 200
    assert send_fact(ben, of_ben, "labels", "urgent").status == 200  # it came back as it was drawn
    refused = send_fact(ben, of_ben, "labels", "urgent, loud")

    assert (refused.status, problem(refused)) == (
        409, "“Labels” was changed by someone else while you were editing. Save again to replace their changes.",
    )  # fmt: skip
    assert client.ok("GET", address)["labels"] == ["calm", "urgent"]
    assert send_fact(ben, refused, "labels", "urgent, loud").status == 200
    record = client.ok("GET", address)
    assert (record["labels"], [one["username"] for one in record["assignees"]]) == (["loud", "urgent"], ["ben"])


def test_settings_are_changed_by_two(smithy: RunningServer, ada: Browser) -> None:
    other = Browser(smithy)
    other.enter_by_link("ada")
    client, page = smithy.client(ROOT_TOKEN), f"{PLACE}/settings/merge_requests"
    of_one, of_two, late = ada.open(page), other.open(page), other.open(page)
    assert ada.send(of_one, "/merging", merge_commit_template="%{title} by one").status == 200
    assert other.send(of_two, "/merging", squash_commit_template="%{title} by two").status == 200
    project = client.ok("GET", ANVIL)
    assert (project["merge_commit_template"], project["squash_commit_template"]) == (
        "%{title} by one", "%{title} by two",
    )  # fmt: skip

    refused = other.send(late, "/merging", merge_commit_template="%{title} by three", squash_option="always")

    assert (refused.status, refused.tree.xpath("//details/pre/text()")) == (409, ["%{title} by one"])
    assert form_of_section(refused)["squash_commit_template"].strip() == "%{title} by two"
    assert client.ok("GET", ANVIL)["squash_option"] == project["squash_option"]
    assert other.send(refused, "/merging").status == 200
    project = client.ok("GET", ANVIL)
    assert (project["merge_commit_template"], project["squash_option"]) == ("%{title} by three", "always")


def test_a_box_of_settings_that_the_other_ticked_stays_ticked(smithy: RunningServer, ada: Browser) -> None:
    page = f"{PLACE}/settings/merge_requests"
    client, of_ada = smithy.client(ROOT_TOKEN), ada.open(page)
    boxes = [
        box.get("name") for box in of_ada.tree.xpath("//form[contains(@action, '/merging')]//input[@type='checkbox']")
        if box.get("checked") is None and box.get("name") in client.ok("GET", ANVIL)
    ]  # fmt: skip
    assert len(boxes) > 1
    client.ok("PUT", ANVIL, json={boxes[0]: True})
    assert ada.send(of_ada, "/merging", **{boxes[1]: "true"}).status == 200
    project = client.ok("GET", ANVIL)
    assert (project[boxes[0]], project[boxes[1]]) == (True, True)


def test_settings_that_came_back_as_they_were_are_saved_for_those_only_who_may(ada: Browser, passer: Browser) -> None:
    page = ada.open(f"{PLACE}/settings/merge_requests")
    assert "Saved." in ada.send(page, "/merging").text
    sent = {**form_of_section(page), "authenticity_token": token_of(passer)}
    assert passer.http.post(f"{PLACE}/settings/merge_requests/merging", data=sent).status_code in (403, 404)
