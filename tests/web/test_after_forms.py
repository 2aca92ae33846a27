"""What pages say after a form, what they keep of one that came too late, and forms beside what they change."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import update

from ingot import web
from ingot.features.ci.engine.tables import pipelines
from tests.support.runner import project_runner
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.support.world import World
from tests.web.browsing import Browser, Visit, form_values

pytestmark = pytest.mark.costly

ANVIL = "/smithy/anvil"
PROJECT = "/projects/smithy%2Fanvil"
PASSWORD = "a long enough secret 1"
NO_MILESTONE = "Could not apply milestone command: no open milestone has that title."
NO_ESTIMATE = "Could not apply estimate command: it needs a duration, such as 1h 30m."
FROM_HERE = {"Sec-Fetch-Site": "same-origin"}  # as browsers say


def said(visit: Visit) -> list[str]:
    """What the page says was done."""
    return [" ".join("".join(line.itertext()).split()) for line in visit.tree.xpath("//*[@role='status'][@tabindex]")]


def send_fact(browser: Browser, visit: Visit, name: str, value: str) -> Visit:
    form = visit.tree.xpath(f"//details[@id='edit_{name}']/form")[0]
    return browser.send_form(visit, form, **{name: value})


def test_every_redirect_after_a_form_says_what_was_done() -> None:
    pages = Path(web.__file__).with_name("pages")
    # Who begins to act as somebody else reads that above every page.
    silent = [file.name for file in pages.glob("*.py") if re.search(r"RedirectResponse\(.*303", file.read_text())]
    assert sorted(silent) == ["impersonating.py"]


def test_what_was_done_is_said_once_and_nobody_else_puts_words_into_a_page(smithy: RunningServer) -> None:
    ben = Browser(smithy)  # with cookies that no other test meets
    ben.enter_by_link("ben")
    form = ben.open(f"{ANVIL}/-/labels/new")
    created = ben.send(form, "/-/labels", name="<i>brittle</i>", color="#aa0000")
    assert (created.path, said(created)) == (f"{ANVIL}/-/labels", ["Label created."])
    assert said(ben.open(created.path)) == []
    saved = ben.send(ben.open("/-/profile/preferences"), "/preferences/preferences", view_diffs_file_by_file="true")
    assert saved.tree.xpath("//section[@id='preferences']/p[@role='status']/text()") == ["Saved."]
    ben.send(saved, "/preferences/preferences", view_diffs_file_by_file=[])
    signed = ben.http.post(f"{created.path}/promote", follow_redirects=False)
    assert signed.status_code in (403, 404)
    ben.http.cookies.set("_ingot_flash", "WyJBbGwgaXMgbG9zdC4iLCIiLDE3MDAwMDAwMDBd.00", domain="127.0.0.1")
    assert said(ben.open(created.path)) == []
    assert "aved." not in ben.open(f"{ANVIL}/edit?saved=1").text


@pytest.fixture(scope="module")
def pia(smithy: RunningServer) -> Browser:
    """Somebody with a password."""
    fields = {"name": "Pia Press", "username": "pia", "email": "pia@example.com", "password": PASSWORD}
    smithy.client(ROOT_TOKEN).ok("POST", "/users", json={**fields, "skip_confirmation": True})
    return Browser(smithy, **FROM_HERE)


def test_a_form_that_outlives_its_session_is_sent_after_signing_in_and_a_click(pia: Browser) -> None:
    pia.http.cookies.clear()
    pia.enter_by_link("pia")
    form = pia.open("/-/snippets/new")
    pia.http.cookies.clear()
    typed = {"title": "Kept", "content": "Two\n<b>lines</b>", "file_name": "a.txt", "visibility": "private"}
    ended = pia.send(form, "/-/snippets", **typed)
    assert (ended.status, "Your session has ended" in ended.text) == (401, True)
    assert ended.response.headers["cache-control"] == "no-store"
    assert "Two\n<b>lines</b>" in [field.text.strip() for field in ended.tree.iterfind(".//textarea")]
    sign_in = {"user[login]": "pia", "user[password]": "wrong"}
    pia.http.cookies.clear()
    late = pia.send(ended, "/users/sign_in", **sign_in)
    assert (late.status, "open for too long" in late.text, "Two" in late.text) == (403, True, True)
    assert late.tree.xpath("//input[@id='login']/@value") == ["pia"]
    ended = late
    wrong = pia.send(ended, "/users/sign_in", **sign_in)
    assert (wrong.status, "Two" in wrong.text) == (401, True)
    # A link that brings a filled form is somebody else's.
    brought = form_values(wrong.tree.xpath("//form[@action='/users/sign_in']")[0])["kept"]
    assert "Two" not in pia.open(f"/users/sign_in?{urlencode({'kept': brought})}").text
    asked = pia.send(wrong, "/users/sign_in", **{**sign_in, "user[password]": PASSWORD})
    assert (asked.status, "Submit the form again?" in asked.text, "Pia Press" in asked.text) == (200, True, True)
    assert "Kept" not in pia.open("/-/snippets").text  # nothing goes on by itself
    sent = pia.send(asked, "/-/snippets")
    assert (said(sent), "Kept" in sent.text, "<b>lines</b>" in sent.text) == (["Snippet created."], True, True)


def test_a_form_of_an_earlier_session_is_shown_before_it_is_sent(pia: Browser) -> None:
    pia.http.cookies.clear()
    pia.enter_by_link("pia")
    form = pia.open("/-/snippets/new")
    password = pia.open("/-/user_settings/password/edit")
    pia.http.cookies.clear()
    pia.enter_by_link("pia")
    typed = {"title": "Later", "content": "A text", "file_name": "a.txt", "visibility": "private"}
    asked = pia.send(form, "/-/snippets", **typed)
    assert (asked.status, "Submit the form again?" in asked.text) == (403, True)
    secret = pia.send(password, "/-/user_settings/password", current_password="my old secret")
    assert (secret.status, "my old secret" in secret.response.text) == (403, False)
    # Where the browser does not say that a page of ours sent it, the text comes back, and no form.
    fields = {**form_values(form.tree.xpath("//form[@class='card']")[0]), **typed}
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "none"}):
        refused = Visit(pia.http.post("/-/snippets", data=fields, headers=headers))
        assert (refused.status, "A text" in refused.text) == (403, True)
        assert not refused.tree.xpath("//form[@action='/-/snippets']")
    picture = Visit(pia.http.post("/-/user_settings/profile/avatar", files={"avatar": ("a.png", b"x", "image/png")}))
    chosen = picture.tree.xpath("//form[@action='/-/user_settings/profile/avatar']//input[@type='file']/@name")
    assert (picture.status, chosen, "Avatar: a.png, select the file again" in picture.text) == (403, ["avatar"], True)
    assert said(pia.send(asked, "/-/snippets")) == ["Snippet created."]


def test_the_form_of_a_token_is_kept_and_filled_by_its_address(pia: Browser) -> None:
    def shown(visit: Visit) -> tuple[str, list[str]]:
        form = visit.tree.xpath("//form[@class='card']")[0]
        return form_values(form)["name"], form.xpath(".//input[@checked]/@name")

    pia.http.cookies.clear()
    pia.enter_by_link("pia")
    form = pia.open("/-/user_settings/personal_access_tokens?name=%22laptop%22&scopes=read_api,nothing")
    assert shown(form) == ('"laptop"', ["scope_read_api"])
    refused = pia.send(form, "/personal_access_tokens", name="my laptop", scope_read_api=[], expires_at="2000-01-01")
    assert (refused.status, shown(refused)) == (400, ("my laptop", []))
    pia.http.cookies.clear()
    ended = pia.send(form, "/personal_access_tokens", name="my laptop & tea")
    assert (ended.status, "Your session has ended" in ended.text) == (401, True)
    target = "/-/user_settings/personal_access_tokens?name=tea&scopes=read_api"
    assert pia.open(target).tree.xpath("//form[@action='/users/sign_in']/input[@name='return_to']/@value") == [target]
    pia.enter_by_link("pia")
    asked = pia.send(form, "/personal_access_tokens", name="other")
    assert (asked.status, "Submit the form again?" in asked.text) == (403, True)
    assert "Your new token “other”." in pia.send(asked, "/personal_access_tokens").text


def test_a_former_path_leads_to_the_page_and_tells_where_it_was(world: World) -> None:
    owner = world.user()
    group = world.group(owner)
    project = world.project(owner, namespace_id=group["id"], initialize_with_readme=True)
    browser = Browser(world.server)
    browser.enter_by_link(owner.username)
    former = project["path_with_namespace"]
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"path": "newer"})
    present = f"{group['full_path']}/newer"
    opened = browser.open(f"/{former}/-/issues?state=closed")
    assert (opened.path, opened.response.url.query) == (f"/{present}/-/issues", b"state=closed")
    remote = f"git remote set-url origin {world.server.url}/{present}.git"
    assert said(opened) == [f"This project was moved from {former}. Update your remotes: {remote}"]
    assert said(browser.open(f"/{present}")) == []
    crumbs = [" ".join("".join(one.itertext()).split()) for one in opened.tree.xpath("//nav[@class='crumbs']/a")]
    assert crumbs == [group["full_path"], project["name"]]
    assert opened.tree.xpath("//nav[@class='crumbs']/span[@aria-current]/text()") == ["Issues"]
    owner.client.ok("PUT", f"/groups/{group['id']}", json={"path": f"{group['path']}-newer"})
    for path in (f"/groups/{group['full_path']}", f"/{group['full_path']}"):
        moved = browser.open(path)
        assert moved.path == f"/groups/{group['full_path']}-newer"
        assert said(moved) == [f"This group was moved from {group['full_path']}."]
    assert Browser(world.server).open(f"/groups/{group['full_path']}").status == 404


def test_who_may_not_reads_who_gives_the_right(smithy: RunningServer) -> None:
    chloe = Browser(smithy)
    chloe.enter_by_link("chloe")
    refused = chloe.open(f"{ANVIL}/-/hooks")
    assert (refused.status, f"{ANVIL}/-/project_members" in refused.links()) == (403, True)
    assert "/ben" in refused.links()


def test_facts_are_changed_beside_what_they_are_about(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    issue = client.ok("POST", f"{PROJECT}/issues", json={"title": "Facts"})["iid"]
    page = ben.open(f"{ANVIL}/-/issues/{issue}")
    saved = send_fact(ben, page, "labels", "facts, quick")
    assert (saved.path, said(saved)) == (page.path, ["Labels saved."])
    send_fact(ben, saved, "assignees", "ben")
    send_fact(ben, saved, "due_date", "2030-01-02")
    send_fact(ben, saved, "weight", "3")
    known = client.ok("GET", f"{PROJECT}/issues/{issue}")
    assert (sorted(known["labels"]), known["assignees"][0]["username"]) == (["facts", "quick"], "ben")
    assert (known["due_date"], known["weight"], known["title"]) == ("2030-01-02", 3, "Facts")
    refused = send_fact(ben, page, "assignees", "ben, no-such")
    assert (refused.status, "There is no user named no-such." in refused.text) == (422, True)
    kept = refused.tree.xpath("//details[@id='edit_assignees'][@open]//input[@name='assignees']/@value")
    assert kept == ["ben, no-such"]
    assert ben.open(f"{page.path}/facts").path == page.path  # who loads the refused form again
    outsider = client.ok("POST", "/users", json={
        "name": "Out Sider", "username": "outsider", "email": "out@example.com", "force_random_password": True,
        "external": True,
    })["username"]  # fmt: skip
    private = client.ok("POST", "/projects", json={"name": "Closed", "visibility": "private"})
    client.ok("POST", f"/projects/{private['id']}/issues", json={"title": "Hidden"})
    root = Browser(smithy)
    root.enter_by_link("root")
    hidden = root.open(f"/{private['path_with_namespace']}/-/issues/1")
    partly = send_fact(root, hidden, "assignees", f"root, {outsider}")
    assert (partly.status, f"without {outsider}" in partly.text) == (422, True)
    emptied = send_fact(ben, ben.open(page.path), "labels", "")
    assert "None" in emptied.text
    reader = Browser(smithy)
    reader.enter_by_link("pia" if client.ok("GET", "/users?username=pia") else "outsider")
    assert not reader.open(page.path).tree.xpath("//details[@class='edit']")


@pytest.mark.parametrize("kind", ["issues", "merge_requests"])
def test_times_are_saved_together_or_not_at_all(smithy: RunningServer, ben: Browser, kind: str) -> None:
    client = smithy.client(ROOT_TOKEN)
    known = client.ok("GET", f"{PROJECT}/{kind}?state=opened")[0]["iid"]
    client.ok("POST", f"{PROJECT}/{kind}/{known}/reset_time_estimate")
    client.ok("POST", f"{PROJECT}/{kind}/{known}/reset_spent_time")

    def times() -> tuple[int, int]:
        stats = client.ok("GET", f"{PROJECT}/{kind}/{known}/time_stats")
        return stats["time_estimate"], stats["total_time_spent"]

    page = ben.open(f"{ANVIL}/-/{kind}/{known}")
    refused = ben.send(page, "/time", estimate="3d", spent="abc", summary="Filing")
    assert (refused.status, times()) == (400, (0, 0))
    form = refused.tree.xpath("//details[@open]/form[contains(@action, '/time')]")[0]
    assert {name: form_values(form)[name] for name in ("estimate", "spent", "summary")} == {
        "estimate": "3d", "spent": "abc", "summary": "Filing",
    }  # fmt: skip
    said_at = "string(.//input[@id='{}'][@aria-invalid]/following-sibling::*[1])"
    assert form.xpath(said_at.format("spent")) == "Time spent must be a duration, such as 1h 30m."
    assert ben.open(f"{page.path}/time").path == page.path  # who loads the refused form again
    both = ben.send(refused, "/time", estimate="soon")
    assert both.tree.xpath(said_at.format("estimate")) == "Estimate must be a duration, such as 1d 4h."
    assert both.tree.xpath(said_at.format("spent"))
    more = ben.send(page, "/time", estimate="3d", spent="-1h")
    assert (more.status, "exceeds the total time spent" in more.text, times()) == (400, True, (0, 0))
    assert ben.send(page, "/time").status == 400  # nothing was filled in
    saved = ben.send(refused, "/time", spent="1h")
    assert (saved.path, said(saved), times()) == (page.path, ["Time saved."], (3 * 8 * 3600, 3600))


def said_of(visit: Visit, field: str) -> tuple[int, str, str]:
    """The status of a page, what was typed into a field of an open form on it, and what is wrong with that."""
    control = visit.tree.xpath(f"//details[@open]//input[@id='{field}'][@aria-invalid]")[0]
    return visit.status, control.get("value"), control.xpath("string(following-sibling::*[1])")


def test_a_slip_in_the_name_of_another_issue_is_told_at_its_field(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    one, other = (client.ok("POST", f"{PROJECT}/issues", json={"title": name})["iid"] for name in ("One", "Other"))
    page = ben.open(f"{ANVIL}/-/issues/{one}")
    for typed, status, problem in (
        ("#99999", 404, "This issue does not exist."), ("no/such#1", 404, "This issue does not exist."),
        (f"#{one}", 422, "An issue cannot be linked to itself."), ("the other", 422, "Enter an issue number"),
    ):  # fmt: skip
        refused = ben.send(page, "/links", other=typed, link_type="blocks")
        assert said_of(refused, "other")[:2] == (status, typed)
        assert said_of(refused, "other")[2].startswith(problem)
    linked = ben.send(refused, "/links", other=f"#{other}")
    assert (said(linked), "Other" in linked.text) == (["Issues linked."], True)
    assert client.ok("GET", f"{PROJECT}/issues/{one}/links")[0]["link_type"] == "blocks"  # as it was chosen
    again = ben.send(linked, "/links", other=f"#{other}")
    assert said_of(again, "other") == (409, f"#{other}", "These issues are already linked.")
    assert ben.open(f"{page.path}/links").path == page.path  # who loads the refused form again


def test_a_slip_in_the_name_of_what_a_request_depends_on_is_told_at_its_field(
    smithy: RunningServer, ben: Browser
) -> None:
    client = smithy.client(ROOT_TOKEN)
    base, place = kiln(client, "Two requests")
    one, other = (
        client.ok("POST", f"{base}/merge_requests", json={
            "title": name, "source_branch": name, "target_branch": "main"
        })["iid"]
        for name in ("hot", "hotter-fire")
    )  # fmt: skip
    page = ben.open(f"{place}/-/merge_requests/{one}")
    for typed, status, problem in (
        ("!99999", 404, "This merge request does not exist."), ("soon", 422, "Enter a merge request number"),
        (f"!{one}", 422, "A merge request cannot depend on itself."),
    ):  # fmt: skip
        refused = ben.send(page, "/block", blocking=typed)
        assert said_of(refused, "blocking")[:2] == (status, typed)
        assert said_of(refused, "blocking")[2].startswith(problem)
    added = ben.send(refused, "/block", blocking=f"!{other}")
    assert said(added) == ["Dependency added."]
    again = ben.send(added, "/block", blocking=f"!{other}")
    assert said_of(again, "blocking") == (409, f"!{other}", "This dependency already exists.")
    assert ben.open(f"{page.path}/block").path == page.path  # who loads the refused form again


def text_of(visit: Visit, name: str) -> tuple[int, str, str]:
    """The status of a page, a text that was refused on it, and what is wrong with that."""
    field = visit.tree.xpath(f"//textarea[@id='{name}'][@aria-invalid]")[0]
    return visit.status, (field.text or "").removeprefix("\n"), field.xpath("string(following-sibling::*[1])")


@pytest.mark.parametrize("kind", ["issues", "merge_requests"])
def test_a_comment_of_quick_actions_says_what_they_did(smithy: RunningServer, ben: Browser, kind: str) -> None:
    client = smithy.client(ROOT_TOKEN)
    number = client.ok("GET", f"{PROJECT}/{kind}?state=opened")[0]["iid"]
    thread = client.ok("POST", f"{PROJECT}/{kind}/{number}/discussions", json={"body": "How long?"})["id"]
    page = ben.open(f"{ANVIL}/-/{kind}/{number}")
    done = ben.send(page, "/comment", body="/estimate 2h\n/milestone %nonsense")
    assert said(done) == [f"Set time estimate to 2h. {NO_MILESTONE}"]
    assert said(ben.send(page, "/comment", body="/cc @ben")) == ["Quick actions applied."]
    for action, field in (("/comment", "body"), (f"/reply/{thread}", f"reply_{thread}")):
        refused = ben.send(page, action, body="/estimate nonsense", thread="on")
        assert text_of(refused, field) == (422, "/estimate nonsense", NO_ESTIMATE)
        assert ben.open(f"{page.path}{action}").path == page.path  # who loads the refused form again
    assert not ben.send(page, "/comment", body="/estimate nonsense").tree.xpath("//input[@name='thread'][@checked]")
    kept = ben.send(page, "/comment", body="/estimate nonsense", thread="on", state_event="close")
    assert kept.tree.xpath("//input[@name='thread'][@checked]")
    assert client.ok("GET", f"{PROJECT}/{kind}/{number}")["state"] == "opened"
    replied = ben.send(refused, f"/reply/{thread}", body="/estimate 3h")
    assert (replied.path, said(replied)) == (page.path, ["Set time estimate to 3h."])
    wordy = ben.send(page, "/comment", body="Two hours.\n/estimate 2h\n/milestone %nonsense")
    assert said(wordy) == [f"Comment added. Set time estimate to 2h. {NO_MILESTONE}"]
    replied = ben.send(page, f"/reply/{thread}", body="No idea.\n/estimate nonsense")
    assert said(replied) == [f"Reply added. {NO_ESTIMATE}"]
    closed = ben.send(page, "/comment", body="Done.\n/estimate nonsense", state_event="close")
    assert said(closed)[0].endswith(f" closed. {NO_ESTIMATE}")


def test_a_comment_says_which_of_its_quick_actions_the_writer_may_not_use(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    project = client.ok("POST", "/projects", json={"name": "Open kiln", "visibility": "public"})
    issue = client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "Not theirs"})
    page = f"/{project['path_with_namespace']}/-/issues/{issue['iid']}"
    chloe = Browser(smithy)
    chloe.enter_by_link("chloe")

    answered = chloe.send(chloe.open(page), "/comment", body="Please.\n/close\n/label ~bug")

    no_right = "you are not allowed to do that here."
    assert said(answered) == [
        f"Comment added. Could not apply close command: {no_right} Could not apply label command: {no_right}"
    ]


def test_a_comment_of_quick_actions_at_a_line_says_what_they_did(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    base, place = kiln(client, "Kiln with lines")
    number = client.ok("POST", f"{base}/merge_requests", json={
        "title": "Hot", "source_branch": "hot", "target_branch": "main"
    })["iid"]  # fmt: skip
    changes = ben.open(f"{place}/-/merge_requests/{number}/diffs")
    line = ben.open(next(link for link in changes.links() if "comment=" in link))
    refused = ben.send(line, "/line", body="/estimate nonsense")
    assert text_of(refused, "line_body") == (422, "/estimate nonsense", NO_ESTIMATE)
    assert said(ben.send(refused, "/line", body="/estimate 1h")) == ["Set time estimate to 1h."]
    wordy = ben.send(refused, "/line", body="Why?\n/estimate nonsense")
    assert said(wordy) == [f"Comment added. {NO_ESTIMATE}"]


def kiln(client: Any, name: str = "Small kiln") -> tuple[str, str]:
    """The API's address and the path of a project with two branches, one of them offered, with Ben as maintainer."""
    project = client.ok("POST", "/projects", json={"name": name, "initialize_with_readme": True})
    base = f"/projects/{project['id']}"
    ben_id = client.ok("GET", "/users?username=ben")[0]["id"]
    client.ok("POST", f"{base}/members", json={"user_id": ben_id, "access_level": 40})
    for branch in ("hot", "hotter-fire"):
        action = {"action": "create", "file_path": f"{branch}.txt", "content": "x\n"}
        body = {"branch": branch, "start_branch": "main", "commit_message": f"Make it {branch}", "actions": [action]}
        client.ok("POST", f"{base}/repository/commits", json=body)
    return base, f"/{project['path_with_namespace']}"


def test_other_branches_are_compared_and_a_reviewer_is_asked_again(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    base, home = kiln(client)
    form = ben.open(f"{home}/-/merge_requests/new?merge_request[source_branch]=hot")
    entry = form.tree.xpath("//form[@aria-label='Merge request']")[0]
    entry.set("action", f"{home}/-/merge_requests/new")
    other = ben.send_form(form, entry, compare="1", source_branch="hotter-fire", description="My own words", draft="on")
    kept = form_values(other.tree.xpath("//form[@aria-label='Merge request']")[0])
    assert (kept["title"], kept["description"].strip(), "draft" in kept) == (
        "Make it hotter-fire", "My own words", True
    )  # fmt: skip
    # Whatever was pressed: branches that nobody has seen compared are not merged.
    unseen = ben.send(other, "/-/merge_requests", source_branch="hot", title="My title")
    assert (unseen.status, "has not been created yet." in unseen.text) == (200, True)
    reviewed = ben.send(unseen, "/-/merge_requests", reviewers="root", draft=[])
    assert said(reviewed) == ["Merge request created."]
    assert ("My title" in reviewed.text, "My own words" in reviewed.text) == (True, True)
    where = f"{base}/merge_requests/1"
    client.ok("POST", f"{where}/draft_notes/bulk_publish", json={"reviewer_state": "requested_changes"})
    waiting = ben.open(reviewed.path)
    assert "Re-request review from Administrator" in waiting.text
    asked = ben.send(waiting, "/ask_again")
    assert said(asked) == ["Requested a review from @root."]
    assert [row["state"] for row in client.ok("GET", f"{where}/reviewers")] == ["unreviewed"]
    assert "requested review from @root" in [row["body"] for row in client.ok("GET", f"{where}/notes?per_page=100")]
    assert "review_requested" in [row["action_name"] for row in client.ok("GET", "/todos?type=MergeRequest")]


def test_the_merge_box_tells_what_jobs_said_last_and_how_long_a_pipeline_takes(
    smithy: RunningServer, ben: Browser
) -> None:
    client = smithy.client(ROOT_TOKEN)
    project = client.ok("POST", "/projects", json={"name": "Timed kiln", "initialize_with_readme": True})
    base, home = f"/projects/{project['id']}", f"/{project['path_with_namespace']}"
    ben_id = client.ok("GET", "/users?username=ben")[0]["id"]
    client.ok("POST", f"{base}/members", json={"user_id": ben_id, "access_level": 40})
    runner = project_runner(World(smithy), project, run_untagged=True)

    def push(branch: str, path: str, content: str, **more: str) -> None:
        action = {"action": "create", "file_path": path, "content": content}
        body = {"branch": branch, "commit_message": path, "actions": [action], **more}
        client.ok("POST", f"{base}/repository/commits", json=body)

    push("main", ".gitlab-ci.yml", "bake:\n  script: [make]\n")
    first = runner.take()
    first.succeed()
    until(lambda: client.ok("GET", f"{base}/pipelines")[0]["status"] == "success")
    push("slow", "a.txt", "x\n", start_branch="main")
    wanted = {"source_branch": "slow", "target_branch": "main", "title": "Slow"}
    page = f"{home}/-/merge_requests/{client.ok('POST', f'{base}/merge_requests', json=wanted)['iid']}"
    job = runner.take()
    earlier = (pipelines.c.project_id == project["id"]) & (pipelines.c.status == "success")
    for seconds in (None, 1830):
        with smithy.services.db.write() as tx:
            tx.execute(update(pipelines).where(earlier).values(duration=seconds))
        assert ("left, based" in ben.open(page).text) == (seconds is not None)
    assert "minutes left, based on the last run." in ben.open(page).text
    with smithy.services.db.write() as tx:
        tx.execute(update(pipelines).where(earlier).values(duration=1))
    until(lambda: "Taking longer than the last run (less than a minute)." in ben.open(page).text)
    shown = ben.open(f"{home}/-/jobs/{job.id}")
    assert shown.tree.xpath("//dt[.='Timeout']/following-sibling::dd[1]/text()") == ["1 h"]
    job.patch(0, b"$ make\n\x1b[31mE  the <die> cracked\x1b[0m\nCleaning up\nERROR: Job failed: exit code 1\n")
    job.fail()
    until(lambda: ben.open(page).tree.xpath("//code[@class='last-line']"))
    assert ben.open(page).tree.xpath("string(//code[@class='last-line'])") == "E the <die> cracked"


def test_a_record_of_settings_that_is_refused_stays_as_it_was_typed(smithy: RunningServer, ben: Browser) -> None:
    variable = {"key": "HEAT", "value": "high enough"}
    smithy.client(ROOT_TOKEN).ok("POST", f"{PROJECT}/variables", json=variable)
    form = ben.open(f"{ANVIL}/-/settings/ci_cd?section=variables&edit=HEAT")
    refused = ben.send(form, "/variables/edit", value="low", masked="true", description="My own words")
    assert (refused.status, "My own words" in refused.response.text) == (400, True)
    saved = ben.send(refused, "/variables/edit", value="low enough", masked=[])
    assert said(saved) == ["Saved."]


def test_a_browser_remembers_how_wide_tabs_are(ben: Browser) -> None:
    chosen = ben.send(ben.open("/-/profile/preferences"), "/preferences/tab_width", tab_width="8")
    assert [visit.tree.get("data-tab-width") for visit in (chosen, ben.open(ANVIL))] == ["8", "8"]
    assert ben.send(chosen, "/preferences/tab_width", tab_width="99").tree.get("data-tab-width") is None


def test_what_would_be_sent_in_silent_mode_is_not_promised(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    client.ok("PUT", "/application/settings", json={"silent_mode_enabled": True})
    try:
        paths = ("hooks", "settings/repository", "settings/integrations", "settings/ci_cd")
        shown = {path: ben.open(f"{ANVIL}/-/{path}") for path in paths}
    finally:
        client.ok("PUT", "/application/settings", json={"silent_mode_enabled": False})
    assert [("Silent mode is on" in visit.text) for visit in shown.values()] == [True, True, True, False]
    assert "/admin/application_settings/network" not in shown["hooks"].links()
