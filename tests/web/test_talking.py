"""Writing on pages: threads and asides of issues, files in texts, drafts of answers; lists and mails of one's own."""

from typing import Any

import pytest

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.web.browsing import Browser, Visit, form_values

pytestmark = pytest.mark.costly

ANVIL = "/projects/smithy%2Fanvil"
PLACE = "/smithy/anvil/-"


@pytest.fixture
def issue(smithy: RunningServer) -> str:
    fields = {"title": "Sparks", "description": "They fly."}
    return f"{PLACE}/issues/{smithy.client(ROOT_TOKEN).ok('POST', f'{ANVIL}/issues', json=fields)['iid']}"


def of(browser: Browser, username: str) -> Browser:
    """The browser of somebody else."""
    other = Browser(browser.server)
    other.enter_by_link(username)
    return other


def form_at(visit: Visit, action: str) -> Any:
    return next(form for form in visit.tree.iterfind(".//form") if (form.get("action") or "").endswith(action))


def test_an_issue_is_discussed_in_threads_and_aside(ben: Browser, issue: str) -> None:
    page = ben.open(issue)
    said = ben.send(page, "/comment", body="Cover the floor?", thread="on")
    assert said.tree.xpath("//form[contains(@action, '/resolve/')]")
    ben.send(said, "/comment", body="Between us.", internal="on")
    assert "Between us." in ben.open(issue).text
    assert "Between us." not in Browser(ben.server).open(issue).text
    only = ben.open(f"{issue}?notes=history")
    assert ("Cover the floor?" in only.text, "Cover the floor?" in ben.open(f"{issue}?notes=comments").text) == (
        False,
        True,
    )
    quote = next(link for link in ben.open(issue).links() if "quote=" in link)
    assert ben.open(quote).tree.xpath("string(//*[@id='quote']//textarea)").strip().startswith("> Cover the floor?")
    edit = next(link for link in said.links() if link.endswith("/edit") and "/notes/" in link)
    assert "edited 20" in ben.send(ben.open(edit), "/edit", body="Cover the floor!").text
    guest = of(ben, "dai").open(issue)
    assert bool(guest.tree.xpath("//input[@name='internal']")) is True  # a reporter reads what is internal


def test_tasks_are_ticked_on_the_page(smithy: RunningServer, ben: Browser) -> None:
    client, text = smithy.client(ROOT_TOKEN), "- [ ] first\n- [x] second\n\n```\n- [ ] code\n```\n1. [ ] third\n"
    number = client.ok("POST", f"{ANVIL}/issues", json={"title": "Tasks", "description": text})["iid"]
    where = f"{ANVIL}/issues/{number}"
    page = ben.open(f"{PLACE}/issues/{number}")
    assert len(page.tree.findall(".//button[@class='tick']")) == 3
    again = ben.send(page, "/task", task="2")
    assert client.ok("GET", where)["description"] == text.replace("[ ] third", "[x] third")
    ben.send(again, "/task", task="1")
    assert "[ ] second" in client.ok("GET", where)["description"]
    assert ben.send(again, "/task", task="0").status == 409  # made from an older text


def test_tasks_of_a_comment_are_ticked_by_those_who_may_edit_it(
    smithy: RunningServer, ben: Browser, issue: str
) -> None:
    where = f"{ANVIL}/issues/{issue.rpartition('/')[2]}/notes"
    page = ben.send(ben.open(issue), "/comment", body="- [ ] first\n- [~] never\n- [ ] third\n")
    assert len(page.tree.findall(".//button[@class='tick']")) == 2
    (note,) = smithy.client(ROOT_TOKEN).ok("GET", where)
    action = f"/notes/{note['id']}/task"
    again = ben.send(page, action, task="2")
    assert again.response.url.fragment == f"note_{note['id']}"
    written = smithy.client(ROOT_TOKEN).ok("GET", f"{where}/{note['id']}")["body"]
    assert written.splitlines() == ["- [ ] first", "- [~] never", "- [x] third"]
    assert ben.send(page, action, task="0").status == 409  # made from an older text
    assert ben.send(again, action, task="1").status == 409  # nothing to tick there
    for other in (of(ben, "dai"), Browser(ben.server)):
        assert not other.open(issue).tree.findall(".//button[@class='tick']")


def test_what_comments_name_is_looked_up_once(smithy: RunningServer, ben: Browser, issue: str) -> None:
    where = f"{ANVIL}/issues/{issue.rpartition('/')[2]}/notes"

    def statements_with(comments: int) -> int:
        for number in range(comments):
            smithy.client(ROOT_TOKEN).ok("POST", where, json={"body": f"{number}: @ben, @nobody, !2+, ~bug, x/y#1"})
        return ben.statements_after_a_write(issue)

    assert statements_with(2) == statements_with(6)


def test_an_issue_begins_a_branch_and_a_request_and_is_cloned(smithy: RunningServer, ben: Browser, issue: str) -> None:
    client, number = smithy.client(ROOT_TOKEN), issue.rpartition("/")[2]
    form = ben.open(f"{issue}/branch")
    assert form.tree.xpath("string(//input[@name='branch']/@value)") == f"{number}-sparks"
    request = ben.send(form, "/branch", request="1")
    assert request.path == f"{PLACE}/merge_requests/new"
    values = form_values(form_at(request, "/merge_requests"))
    assert (values["source_branch"], values["title"], values["description"].strip()) == (
        f"{number}-sparks", 'Draft: Resolve "Sparks"', f"Closes #{number}",
    )  # fmt: skip
    assert ben.send(form, "/branch").status == 400  # it is there already
    client.ok("PUT", ANVIL, json={"issue_branch_template": "work/%{id}_%{title}"})
    client.ok("PUT", f"{ANVIL}/issues/{number}", json={"confidential": True})
    again = ben.open(f"{issue}/branch")
    assert again.tree.xpath("string(//input[@name='branch']/@value)") == f"work/{number}_confidential-issue"
    assert ben.send(again, "/branch").path == f"{PLACE}/tree/work/{number}_confidential-issue"
    client.ok("POST", f"{ANVIL}/issues/{number}/notes", json={"body": "Bring water."})
    copy = ben.send(ben.open(f"{issue}/clone"), "/clone", with_notes="on")
    assert copy.path != issue
    assert ("Sparks" in copy.text, "Bring water." in copy.text) == (True, True)
    assert ben.send(ben.open(f"{issue}/clone"), "/clone", project="no/such").status == 422
    reporter = of(ben, "dai")
    assert f"{issue}/branch" not in reporter.open(issue).links()
    assert not reporter.open(f"{issue}/branch").tree.xpath("//input[@name='branch']")
    shown = Browser(smithy).open(copy.path)  # confidential as the first, so not for everybody
    assert shown.status == 404


def test_a_file_comes_with_a_comment(smithy: RunningServer, ben: Browser, issue: str) -> None:
    page = ben.open(issue)
    button = page.tree.xpath("//details[@class='attach']//button")[0]
    fields = {**form_values(form_at(page, "/comment")), "body": "Look:"}
    fields.pop("attachment", None)
    files = {"attachment": ("sparks.txt", b"bright", "text/plain")}
    preview = Visit(ben.http.post(button.get("formaction"), data=fields, files=files))
    written = preview.tree.xpath("string(//textarea[@id='written'])")
    assert "Look:" in written
    assert "/uploads/" in written
    said = ben.send(preview, "/comment")
    link = next(link for link in said.links() if "/uploads/" in link)
    assert ben.http.get(link).content == b"bright"
    # A file alone, as the script sends it, and one that is refused: its sentence, and the text is kept.
    smithy.client(ROOT_TOKEN).ok("PUT", "/application/settings", json={"max_attachment_size": 1})
    large = {"attachment": ("large.bin", b"0" * 2_000_000, "application/octet-stream")}
    refused = Visit(ben.http.post(button.get("formaction"), data=fields, files=large))
    assert refused.status == 413
    assert (refused.tree.find(".//*[@role='alert']") is not None, "Look:" in refused.text) == (True, True)
    assert not Browser(smithy).open(issue).tree.xpath("//details[@class='attach']")


def test_an_answer_waits_for_the_review(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    iid = client.ok("GET", f"{ANVIL}/merge_requests?state=opened")[0]["iid"]
    thread = client.ok("POST", f"{ANVIL}/merge_requests/{iid}/discussions", json={"body": "Is it hot?"})
    path = f"{PLACE}/merge_requests/{iid}"
    page = ben.open(path)
    drafted = ben.send(page, f"/reply/{thread['id']}", body="Very", draft="1")
    assert drafted.tree.xpath("//article[contains(@class, 'draft')]")
    assert "Very" not in of(ben, "chloe").open(path).text
    edit = next(link for link in drafted.links() if "/drafts/" in link)
    saved = ben.send(ben.open(edit), "/edit", body="Very hot")
    assert "Very hot" in saved.text
    changes = ben.open(f"{path}/diffs")
    ben.send(changes, "/review", body="")
    assert "Very hot" in of(ben, "chloe").open(path).text
    again = ben.send(ben.open(path), f"/reply/{thread['id']}", body="Forget it", draft="1")
    assert "Forget it" not in ben.send(again, "/remove").text


def test_lists_of_ones_own_are_filtered_and_say_why_things_wait(ben: Browser) -> None:
    mine = ben.open("/dashboard/merge_requests?part=mine&state=all")
    assert mine.tree.xpath("//ul[contains(@class, 'request-rows')]/li")
    none = ben.open("/dashboard/merge_requests?part=mine&search=nothing-has-these-words")
    assert "No merge requests match these filters." in none.text
    chip = none.tree.xpath("//a[@class='chip']/@href")[0]
    assert chip == "?part=mine"
    starred = ben.send(ben.open("/dashboard/projects?search=bellows"), "/star")
    assert starred.path == "/dashboard/projects"
    assert "Bellows" in ben.open("/dashboard/projects/starred").text
    assert ben.open("/ben").status == 200
    issues = ben.open("/dashboard/issues?part=mine&state=all&labels=bug")
    assert (issues.status, len(issues.tree.xpath("//a[@class='chip']"))) == (200, 2)


def test_mails_are_chosen_for_a_project_and_a_group(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    for place, address in (("/smithy/anvil", ANVIL), ("/groups/smithy", "/groups/smithy")):
        assert f"{place}/-/notifications" in ben.open(place).links()
        saved = ben.send(ben.open(f"{place}/-/notifications"), "/notifications", level="custom", new_issue="true")
        assert "Notifications saved." in saved.text
        number = client.ok("GET", "/users?username=ben")[0]["id"]
        mine = client.ok("GET", f"{address}/notification_settings?sudo={number}")
        assert (mine["level"], mine["events"]["new_issue"]) == ("custom", True)


def test_a_group_joins_and_a_member_leaves(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    client.ok("POST", "/groups", json={"name": "Farriers", "path": "farriers", "visibility": "public"})
    members = f"{PLACE}/project_members"
    assert "through the group smithy" in ben.open(members).text
    missing = ben.send(ben.open(members), "/share", group="no-such-group")
    assert (missing.status, "no-such-group" in missing.text) == (422, True)
    shared = ben.send(ben.open(members), "/share", group="farriers", access_level="20")
    assert "members get at most the role Reporter" in shared.text
    assert "farriers" not in ben.send(shared, "/unshare").tree.xpath("string(//main)")
    client.ok("POST", f"{ANVIL}/members", json={"user_id": _user(smithy, "leaver"), "access_level": 30})
    leaver = of(ben, "leaver")
    left = leaver.send(leaver.open(members), "/leave")
    assert left.path == "/dashboard/projects"
    assert "leaver" not in [row["username"] for row in client.ok("GET", f"{ANVIL}/members")]


def _user(server: RunningServer, name: str) -> int:
    fields = {"username": name, "name": name, "email": f"{name}@example.com", "force_random_password": True}
    number: int = server.client(ROOT_TOKEN).ok("POST", "/users", json={**fields, "skip_confirmation": True})["id"]
    return number


def test_messages_of_administrators_stand_on_pages_until_they_are_closed(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)

    def tell(**fields: object) -> int:
        number: int = client.ok("POST", "/broadcast_messages", json=fields)["id"]
        return number

    numbers = [tell(message="The **fire** is out", dismissable=True, target_path="/smithy/*"),
               tell(message="For developers", target_access_levels=[30])]  # fmt: skip
    fire = "//section[@class='silence info']//strong[.='fire']"
    until(lambda: ben.open("/smithy/anvil").tree.xpath(fire))  # the list is remembered for a moment
    page = ben.open("/smithy/anvil")
    assert "For developers" not in page.text
    assert "The fire is out" not in ben.open("/dashboard/todos").text
    assert "For developers" in of(ben, "chloe").open("/smithy/anvil").text
    closed = ben.send(page, "/dismiss")
    assert (closed.path, "The fire is out" in closed.text) == ("/smithy/anvil", False)
    for number in numbers:
        client.ok("DELETE", f"/broadcast_messages/{number}")


def test_an_integration_is_set_up_and_switched_off(smithy: RunningServer, ben: Browser) -> None:
    list_ = ben.open(f"{PLACE}/settings/integrations")
    assert f"{PLACE}/settings/integrations/slack/edit" in list_.links()
    form = ben.open(f"{PLACE}/settings/integrations/slack/edit")
    assert ben.send(form, "/integration").status == 400
    saved = ben.send(form, "/integration", webhook="https://chat.example.com/x", username="smith")
    assert "Saved." in saved.text
    shown = smithy.client(ROOT_TOKEN).ok("GET", f"{ANVIL}/integrations/slack")
    assert (shown["active"], shown["properties"]["username"]) == (True, "smith")
    assert "chat.example.com" not in ben.open(f"{PLACE}/settings/integrations/slack/edit").response.text
    ben.send(saved, "/remove")
    assert smithy.client(ROOT_TOKEN).ok("GET", f"{ANVIL}/integrations") == []


def test_a_file_is_looked_at_on_another_branch(ben: Browser) -> None:
    switch = f"{PLACE}/switch_ref?kind=blob&path=README.md&ref="
    branch = ben.server.client(ROOT_TOKEN).ok("GET", f"{ANVIL}/merge_requests?state=opened")[0]["source_branch"]
    assert ben.open(f"{switch}{branch}").path == f"{PLACE}/blob/{branch}/README.md"
    assert ben.open(f"{PLACE}/switch_ref?kind=blob&path=missing.md&ref={branch}").path == f"{PLACE}/tree/{branch}"
    assert ben.open(f"{PLACE}/switch_ref?kind=tree&path=src&ref={branch}").path == f"{PLACE}/tree/{branch}/src"


def test_a_token_gets_another_value(ben: Browser) -> None:
    page = ben.open("/-/user_settings/personal_access_tokens")
    made = ben.send(page, "/personal_access_tokens", name="turning", scope_read_user="1")
    first = made.tree.xpath("string(//input[@id='token']/@value)")
    rotated = ben.send(made, "/rotate")
    second = rotated.tree.xpath("string(//input[@id='token']/@value)")
    assert ("“turning” was rotated" in rotated.text, bool(second), second != first) == (True, True, True)
    statuses = [ben.server.client(token).get("/user").status_code for token in (first, second)]
    assert statuses == [401, 200]


def test_a_pipeline_leads_to_the_one_that_it_started_and_back(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    files = {
        ".gitlab-ci.yml": "go: {trigger: {include: child.yml}}\n",
        "child.yml": "inner: {script: [echo], when: manual}\n",
    }
    actions = [{"action": "update" if name.startswith(".") else "create", "file_path": name, "content": text}
               for name, text in files.items()]  # fmt: skip
    body = {"branch": "kids", "start_branch": "main", "commit_message": "Have children", "actions": actions}
    client.ok("POST", f"{ANVIL}/repository/commits", json=body)

    def started() -> Any:
        rows = client.ok("GET", f"{ANVIL}/pipelines?ref=kids&source=push")
        bridges = client.ok("GET", f"{ANVIL}/pipelines/{rows[0]['id']}/bridges") if rows else []
        return (rows[0]["id"], bridges[0]["id"], below["id"]) if (
            bridges and (below := bridges[0]["downstream_pipeline"])) else None  # fmt: skip

    until(started)
    above, bridge, below = started()
    assert f"{PLACE}/pipelines/{below}" in ben.open(f"{PLACE}/pipelines/{above}").links()
    assert f"Started by pipeline #{above}" in ben.open(f"{PLACE}/pipelines/{below}").text
    assert ben.open(f"{PLACE}/jobs/{bridge}").path == f"{PLACE}/pipelines/{below}"
    job = client.ok("GET", f"{ANVIL}/pipelines/{below}/jobs")[0]["id"]
    played = ben.send(ben.open(f"{PLACE}/jobs/{job}"), "/play", variables="WHERE=there\n")
    assert (played.path, "Manual" in played.tree.xpath("string(//*[@id='live-head'])")) == (
        f"{PLACE}/jobs/{job}",
        False,
    )


def test_a_project_begins_with_something_that_exists(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    address = "https://127.0.0.1/anvil.git"
    refused = ben.send(ben.open("/projects/new"), "/projects", name="Copied", import_url=address)
    assert refused.status in (400, 422)
    assert refused.tree.xpath("string(//input[@name='import_url']/@value)") == address
    group = client.ok("GET", "/groups/smithy")["id"]
    client.ok("PUT", "/application/settings", json={"custom_project_templates_group_id": group})
    form = ben.open("/projects/new")
    template = form.tree.xpath("//select[@name='template_project_id']/option[.='Anvil']/@value")[0]
    made = ben.send(form, "/projects", name="Second anvil", template_project_id=template)
    assert (made.status, made.path) == (200, "/ben/second-anvil")
    until(lambda: "README.md" in ben.open("/ben/second-anvil").text)
    client.ok("PUT", "/application/settings", json={"custom_project_templates_group_id": None})


def test_a_setting_that_the_group_has_locked_says_so(smithy: RunningServer, ben: Browser) -> None:
    client, address = smithy.client(ROOT_TOKEN), "/groups/smithy/merge_request_approval_setting"
    client.ok("PUT", address, json={"allow_author_approval": False})
    approvals = ben.open(f"{PLACE}/settings/merge_requests").tree.xpath("string(//section[@id='approvals'])")
    client.ok("PUT", address, json={"allow_author_approval": True})
    assert "Locked by the group." in approvals


def test_a_request_waits_for_its_time(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    iid = client.ok("GET", f"{ANVIL}/merge_requests?state=opened&wip=no")[0]["iid"]
    path = f"{PLACE}/merge_requests/{iid}"
    saved = ben.send(ben.open(f"{path}/edit"), "/edit", merge_after="2090-01-02T03:04")
    assert saved.path == path
    assert client.ok("GET", f"{ANVIL}/merge_requests/{iid}")["merge_after"][:16] == "2090-01-02T03:04"
    assert ben.open(f"{path}/edit").tree.xpath("string(//input[@name='merge_after']/@value)") == "2090-01-02T03:04"
    ben.send(ben.open(f"{path}/edit"), "/edit", merge_after="")
    assert client.ok("GET", f"{ANVIL}/merge_requests/{iid}")["merge_after"] is None
