"""Fields that forms were without: what they change is what the API then says."""

from typing import Any

import pytest
from sqlalchemy import update

from ingot.access.tables import members
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.web.browsing import Browser, Visit, form_values

pytestmark = pytest.mark.costly

PLACE, ANVIL = "/smithy/anvil/-", "/projects/smithy%2Fanvil"


def asked(server: RunningServer, path: str) -> Any:
    return server.client(ROOT_TOKEN).ok("GET", path)


@pytest.mark.parametrize("place", [PLACE, "/groups/smithy/-"])
def test_a_file_is_attached_to_a_wiki_page(smithy: RunningServer, ada: Browser, place: str) -> None:
    page = ada.open(f"{place}/wikis/new")
    button = page.tree.xpath("//details[@class='attach']//button")[0]
    form = page.tree.xpath("//form[.//textarea[@name='content']]")[0]
    fields = {**form_values(form), "title": "With a file", "content": "Look:"}
    fields.pop("attachment", None)
    files = {"attachment": ("die.txt", b"cold", "text/plain")}

    preview = Visit(ada.http.post(button.get("formaction"), data=fields, files=files))

    written = preview.tree.xpath("string(//textarea[@id='written'])")
    assert (written.strip()[:5], "](uploads/" in written) == ("Look:", True)
    assert preview.tree.xpath("//details[@class='attach']")
    saved = ada.send(preview, "/wikis")
    assert saved.path == f"{place}/wikis/With-a-file"
    link = next(link for link in saved.links() if "/wikis/uploads/" in link)
    assert ada.http.get(link).content == b"cold"
    again = ada.open(f"{saved.path}/edit").tree.xpath("//details[@class='attach']//button")[0].get("formaction")
    plain = Visit(ada.http.post(again, data={**fields, "format": "org", "content": "*not bold*"}))
    assert plain.tree.xpath("string(//*[@id='preview'])") == "*not bold*"


def test_a_file_for_a_wiki_that_is_too_large_leaves_the_text(smithy: RunningServer, ada: Browser) -> None:
    smithy.client(ROOT_TOKEN).ok("PUT", "/application/settings", json={"max_attachment_size": 1})
    page = ada.open(f"{PLACE}/wikis/new")
    button = page.tree.xpath("//details[@class='attach']//button")[0]
    form = page.tree.xpath("//form[.//textarea[@name='content']]")[0]
    fields = {**form_values(form), "content": "Look:"}
    fields.pop("attachment", None)

    large = {"attachment": ("large.bin", b"0" * 2_000_000, "application/octet-stream")}
    refused = Visit(ada.http.post(button.get("formaction"), data=fields, files=large))

    assert refused.status == 413
    assert (refused.tree.find(".//*[@role='alert']") is not None, "Look:" in refused.text) == (True, True)


def test_milestones_of_a_release_are_ticked_whatever_their_titles(smithy: RunningServer, ada: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    first = client.ok("POST", f"{ANVIL}/milestones", json={"title": "Iron, cold"})["id"]
    closed = client.ok("POST", f"{ANVIL}/milestones", json={"title": "Iron, warm"})["id"]
    client.ok("PUT", f"{ANVIL}/milestones/{closed}", json={"state_event": "close"})
    form = ada.open(f"{PLACE}/releases/new")

    unknown = ada.send(form, "/-/releases", tag_name="v20", **{"milestone_ids[]": [first], "other_milestones": "None"})
    assert (unknown.status, "None" in unknown.tree.xpath("string(//*[@role='alert'])")) == (400, True)
    assert unknown.tree.xpath("//input[@name='milestone_ids[]'][@checked]/@value") == [str(first)]
    ada.send(unknown, "/-/releases", other_milestones="Iron, warm\n")

    titles = {row["title"] for row in asked(smithy, f"{ANVIL}/releases/v20")["milestones"]}
    assert titles == {"Iron, cold", "Iron, warm"}
    ada.send(ada.open(f"{PLACE}/releases/v20/edit"), "/v20/edit", **{"milestone_ids[]": [closed]})
    assert [row["title"] for row in asked(smithy, f"{ANVIL}/releases/v20")["milestones"]] == ["Iron, warm"]


def test_milestones_that_are_not_shown_stay_with_their_release(smithy: RunningServer, ada: Browser) -> None:
    client, parts = smithy.client(ROOT_TOKEN), ("issues_access_level", "merge_requests_access_level")
    group = asked(smithy, "/groups/smithy")["id"]
    fields = {"name": "drawer", "namespace_id": group, "initialize_with_readme": True}
    project = client.ok("POST", "/projects", json=fields)
    base, page = f"/projects/{project['id']}", f"/{project['path_with_namespace']}/-/releases/v1/edit"
    client.ok("POST", f"{base}/milestones", json={"title": "Hidden"})
    client.ok("POST", f"{base}/releases", json={"tag_name": "v1", "ref": "main", "milestones": ["Hidden"]})
    client.ok("PUT", base, json=dict.fromkeys(parts, "disabled"))
    form = ada.open(page)
    assert not form.tree.xpath("//input[@name='milestone_ids[]']")

    ada.send(form, "/v1/edit", name="Renamed")

    client.ok("PUT", base, json=dict.fromkeys(parts, "enabled"))
    release = asked(smithy, f"{base}/releases/v1")
    assert (release["name"], [row["title"] for row in release["milestones"]]) == ("Renamed", ["Hidden"])


def test_many_titles_of_milestones_are_refused_unread(smithy: RunningServer, ada: Browser) -> None:
    titles = "\n".join(f"M{number}" for number in range(1000))

    refused = ada.send(ada.open(f"{PLACE}/releases/new"), "/-/releases", tag_name="v22", other_milestones=titles)

    assert (refused.status, "at most 50 titles" in refused.tree.xpath("string(//*[@role='alert'])")) == (400, True)
    assert smithy.client(ROOT_TOKEN).get(f"{ANVIL}/releases/v22").status_code == 404


def test_a_download_of_a_release_is_edited(smithy: RunningServer, ada: Browser, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    client.ok("POST", f"{ANVIL}/releases", json={"tag_name": "v21/a", "ref": "main"})
    links = f"{ANVIL}/releases/v21%2Fa/assets/links"
    values = {"name": "Tool", "url": "https://example.com/a", "link_type": "image", "direct_asset_path": "/bin/a"}
    number = client.ok("POST", links, json=values)["id"]
    page = ada.open(f"{PLACE}/releases/v21%2Fa/edit")
    form = ada.open(next(link for link in page.links() if f"/links/{number}/edit" in link))
    assert form_values(form.tree.xpath("//form[.//input[@name='url']]")[0]).items() >= values.items()

    refused = ada.send(form, "/edit", url="javascript:x", name="Kept name")
    assert (refused.status, "Kept name" in refused.response.text) == (400, True)
    ada.send(refused, "/edit", url="https://example.com/b", link_type="runbook", direct_asset_path="")

    link = asked(smithy, f"{links}/{number}")
    assert (link["name"], link["url"], link["link_type"]) == ("Kept name", "https://example.com/b", "runbook")
    assert link["direct_asset_url"] == link["url"]
    assert Browser(smithy).open(form.response.url.raw_path.decode()).path == "/users/sign_in"


@pytest.mark.parametrize(("place", "base"), [(PLACE, ANVIL), ("/groups/smithy/-", "/groups/smithy")])
def test_labels_are_subscribed_to_where_they_are_listed(
    smithy: RunningServer, ben: Browser, place: str, base: str
) -> None:
    name = f"sharp of {base[1]}"
    number = smithy.client(ROOT_TOKEN).ok("POST", f"{base}/labels", json={"name": name, "color": "#112233"})["id"]
    listed = f"{place}/labels?search=sharp"

    done = ben.send(ben.open(listed), f"/{number}/subscription")
    assert ("You are subscribed" in done.text, done.response.url.query) == (True, b"search=sharp")
    assert "Unsubscribe" in done.text
    again = ben.send(done, f"/{number}/subscription", subscribed="true")  # another tab was first
    assert again.status == 200
    gone = ben.send(again, f"/{number}/subscription")

    assert "no longer subscribed" in gone.text
    assert not Browser(smithy).open(listed).tree.xpath("//form[contains(@action, '/subscription')]")


def test_an_import_takes_settings_that_the_archive_does_not_have(smithy: RunningServer, ada: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    client.ok("POST", f"{ANVIL}/export")
    until(lambda: client.ok("GET", f"{ANVIL}/export")["export_status"] == "finished")
    archive = client.get(f"{ANVIL}/export/download").content
    page = ada.open("/projects/new")
    form = page.tree.xpath("//form[@action='/projects/import']")[0]
    fields = {**form_values(form), "path": "anvil-again", "namespace": "smithy"}
    fields.pop("file", None)
    fields["override_params"] = "description=Ours = yours\nlfs_enabled=false"

    begun = Visit(ada.http.post("/projects/import", data=fields, files={"file": ("anvil.tar.gz", archive)}))

    assert begun.path == "/smithy/anvil-again/-/import"
    again = "/projects/smithy%2Fanvil-again"
    until(lambda: client.ok("GET", f"{again}/import")["import_status"] == "finished")
    project = client.ok("GET", again)
    assert (project["description"], project["lfs_enabled"]) == ("Ours = yours", False)


def test_an_archive_in_a_bucket_is_asked_for_with_its_keys(smithy: RunningServer, ada: Browser) -> None:
    page = ada.open("/projects/new")
    bucket = {
        "path": "from-a-bucket", "namespace": "smithy", "bucket_name": "exports", "region": "", "file_key": "a.tar.gz",
        "access_key_id": "key", "secret_access_key": "do not show",
    }  # fmt: skip

    refused = ada.send(page, "/projects/import", **bucket)

    assert (refused.status, "Region can't be blank" in refused.text) == (400, True)
    form = refused.tree.xpath("//form[@action='/projects/import']")[0]
    assert form_values(form).items() >= {**bucket, "secret_access_key": ""}.items()
    assert "do not show" not in refused.response.text


def test_a_role_from_above_is_not_written_as_one_of_the_project(smithy: RunningServer, ada: Browser) -> None:
    client, page = smithy.client(ROOT_TOKEN), f"{PLACE}/project_members"
    ben = asked(smithy, "/users?username=ben")[0]["id"]
    client.delete(f"{ANVIL}/members/{ben}")

    shown = ada.open(f"{page}?search=ben")
    assert not shown.tree.xpath(f"//form[contains(@action, '/{ben}/change')]")
    assert ("through the group smithy" in shown.text, "/groups/smithy/-/group_members" in shown.links()) == (True, True)
    form = shown.tree.xpath("//form[.//input[@name='who'][@value='ben']]")[0]
    added = ada.send_form(shown, form, access_level="50")
    assert ("Member added." in added.text, client.ok("GET", f"{ANVIL}/members/{ben}")["access_level"]) == (True, 50)

    # One of the project that is lower than that from above, as it is once that was raised.
    with smithy.services.db.write() as tx:
        row = (members.c.user_id == ben) & members.c.project_id.is_not(None)
        tx.execute(update(members).where(row).values(access_level=20))
    lower = ada.open(f"{page}?search=ben")
    assert "direct member as Reporter" in lower.text
    refused = ada.send(lower, f"/{ben}/change", expires_at="2040-01-01")
    assert (refused.status, "inherited membership from group" in refused.text) == (400, True)
    assert client.ok("GET", f"{ANVIL}/members/{ben}")["access_level"] == 20
    client.delete(f"{ANVIL}/members/{ben}")


def test_what_is_open_after_its_day_is_overdue(smithy: RunningServer, ada: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    issue = client.ok("POST", f"{ANVIL}/issues", json={"title": "Sweep the floor", "due_date": "2020-01-31"})["iid"]
    fields = {"title": "Last year", "due_date": "2020-01-31"}
    milestone = client.ok("POST", f"{ANVIL}/milestones", json=fields)
    pages = {
        f"{PLACE}/issues?search=Sweep": f"{ANVIL}/issues/{issue}",
        f"{PLACE}/issues/{issue}": f"{ANVIL}/issues/{issue}",
        f"{PLACE}/milestones/{milestone['iid']}": f"{ANVIL}/milestones/{milestone['id']}",
    }
    listed = ada.open(f"{PLACE}/milestones").tree.xpath("//li[contains(., 'Last year')]//*[@class='badge bad']")
    assert ["".join(badge.itertext()) for badge in listed] == ["Overdue"]

    late = "boolean(//*[@class='badge bad'][normalize-space()='Overdue'])"
    assert [ada.open(page).tree.xpath(late) for page in pages] == [True, True, True]
    for address in set(pages.values()):
        client.ok("PUT", address, json={"state_event": "close"})

    closed = [f"{PLACE}/issues?search=Sweep&state=closed", *list(pages)[1:], f"{PLACE}/milestones?state=closed"]
    assert [("2020-01-31" in (page := ada.open(path)).text, page.tree.xpath(late)) for path in closed] == [
        (True, False)
    ] * 4


def test_a_script_is_made_executable_and_stays_so(smithy: RunningServer, ada: Browser) -> None:
    file = f"{ANVIL}/repository/files/strike.sh?ref=main"
    new = {"file_path": "strike.sh", "content": "#!/bin/sh\n", "branch": "main"}
    ada.send(ada.open(f"{PLACE}/new/main"), "/new/main", **new, execute_filemode="on")
    assert asked(smithy, file)["execute_filemode"] is True

    ada.send(ada.open(f"{PLACE}/edit/main/strike.sh"), "/strike.sh", content="#!/bin/sh\ntrue\n", branch="main")
    assert asked(smithy, file)["execute_filemode"] is True
    form = ada.open(f"{PLACE}/edit/main/strike.sh")
    ada.send(form, "/strike.sh", content="true\n", branch="main", execute_filemode=[])

    assert asked(smithy, file)["execute_filemode"] is False


def test_issues_are_narrowed_by_weight_due_date_and_kind(smithy: RunningServer, ada: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    fields = {"title": "Late and heavy", "weight": 9, "due_date": "2020-01-02", "issue_type": "incident"}
    client.ok("POST", f"{ANVIL}/issues", json=fields)
    for query in ("weight=9", "due_date=overdue", "issue_type=incident", "weight=9&due_date=overdue"):
        page = ada.open(f"{PLACE}/issues?{query}")
        titles = page.tree.xpath("//ul[contains(@class, 'rows')]/li//a[contains(@href, '/-/issues/')]/text()")
        assert "Late and heavy" in titles, query
        assert "A hammer" not in titles, query
        assert len(page.tree.xpath("//p[@class='chips']/a[@class='chip']")) == query.count("=")
