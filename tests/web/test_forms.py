"""What forms can do; without a script, as forms always work."""

import shutil

import pytest
from sqlalchemy import select

from ingot.identity.tables import sessions
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World
from tests.web.browsing import Browser, form_values

pytestmark = pytest.mark.costly

PASSWORD = "a long enough secret 1"


@pytest.fixture(scope="module")
def olga(world: World) -> Person:
    return world.user("olga", password=PASSWORD, force_random_password=False)


@pytest.fixture(scope="module")
def place(world: World, olga: Person) -> str:
    """The path of a project of Olga's with a branch to merge."""
    project = world.project(olga, path="press", initialize_with_readme=True)
    action = {"action": "create", "file_path": "die.py", "content": "x = 1\n"}
    body = {"branch": "fast", "start_branch": "main", "commit_message": "Be fast", "actions": [action]}
    olga.client.ok("POST", f"/projects/{project['id']}/repository/commits", json=body)
    return "/olga/press"


@pytest.fixture(scope="module")
def browser(server: RunningServer, olga: Person) -> Browser:
    created = Browser(server)
    assert created.sign_in("OLGA", PASSWORD).status == 200
    return created


def test_forms_from_elsewhere_or_without_the_token_are_refused(browser: Browser, olga: Person, place: str) -> None:
    page = browser.open(f"{place}/-/issues/new")
    token = page.tree.find(".//form[@class='card']/input[@name='authenticity_token']").get("value")
    fields = {"title": "Forged", "authenticity_token": token}
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert browser.http.post(f"{place}/-/issues", data=fields, headers=headers).status_code == 403
    assert browser.http.post(f"{place}/-/issues", data={"title": "Forged"}).status_code == 403
    # A token of the API is no session: its holder sends requests to the API, not forms.
    with_token = Browser(browser.server, **{"PRIVATE-TOKEN": olga.token})
    assert with_token.http.post(f"{place}/-/issues", data=fields).status_code == 403
    assert not olga.client.ok("GET", "/projects/olga%2Fpress/issues", params={"search": "Forged"})


def test_an_issue_is_written_discussed_and_closed(browser: Browser, place: str) -> None:
    empty = browser.send(browser.open(f"{place}/-/issues/new"), "/-/issues", title="", description="kept text")
    assert empty.status == 400
    assert "kept text" in empty.response.text
    issue = browser.send(empty, "/-/issues", title="The die cracks", description="Every **time**.")
    assert issue.path.startswith(f"{place}/-/issues/")
    assert issue.tree.find(".//div[@class='box pad text']//strong").text == "time"
    said = browser.send(issue, "/comment", body="I saw it too.")
    assert "I saw it too." in said.text
    closed = browser.send(said, "/comment", body="", state_event="close")
    assert "Closed" in closed.text
    assert "Reopen issue" in closed.text


def test_a_branch_is_offered_discussed_approved_and_merged(browser: Browser, olga: Person, place: str) -> None:
    address = f"{place}/-/merge_requests/new?merge_request%5Bsource_branch%5D=fast"
    form = browser.open(address)
    assert form.tree.find(".//input[@id='title']").get("value") == "Be fast"
    assert "1 commit" in form.text
    refused = browser.send(form, "/-/merge_requests", assignees="no-such-person", labels="keen")
    kept = form_values(refused.tree.xpath("//form[@method='post'][.//*[@id='title']]")[0])
    assert (refused.status, kept["labels"]) == (422, "keen")
    template = {"branch": "main", "content": "What and why?\n", "commit_message": "Ask"}
    folder = ".gitlab%2Fmerge_request_templates%2F"
    for name in ("Default.md", "Fix.md"):
        olga.client.ok("POST", f"/projects/olga%2Fpress/repository/files/{folder}{name}", json=template)
    templated = browser.open(address)
    assert templated.tree.xpath("//select[@id='template']/option/text()") == ["None", "Default", "Fix"]
    assert templated.tree.find(".//textarea[@id='description']").text.strip() == "What and why?"
    choosing = templated.tree.xpath("//form[.//*[@id='use-template']]")[0]
    choosing.set("action", f"{place}/-/merge_requests/new")
    emptied = browser.send_form(templated, choosing, template="", title="My own", labels="keen", squash="on")
    assert not emptied.tree.find(".//textarea[@id='description']").text.strip()
    choosing = emptied.tree.xpath("//form[.//*[@id='use-template']]")[0]
    kept = form_values(choosing)
    assert (kept["title"], kept["labels"], "squash" in kept) == ("My own", "keen", True)
    choosing.set("action", f"{place}/-/merge_requests/new")
    again = browser.send_form(emptied, choosing, template="Fix", description="My words")
    assert again.tree.find(".//textarea[@id='description']").text.strip() == "What and why?\n\nMy words"
    request = browser.send(form, "/-/merge_requests", title="Draft: Draft: Be fast", labels="keen")
    assert "keen" in request.text
    assert browser.open(address).path == request.path  # the one that is open is shown instead
    assert "This is a draft." in request.text
    ready = browser.send(request, "/ready")
    assert "Ready to merge" in ready.text
    estimated = browser.send(ready, "/comment", body="/estimate 2h", thread="on")
    assert (estimated.status, estimated.path) == (200, request.path)
    thread = browser.send(ready, "/comment", body="Why?", thread="on")
    discussion = thread.tree.xpath("//form[contains(@action, '/reply/')]/@action")[0]
    answered = browser.send(thread, discussion, body="Because.")
    assert "Because." in answered.text
    changes = browser.open(f"{request.path}/diffs")
    assert changes.tree.xpath("//tr[@class='add']/td[@data-sign='+'][.='x = 1']")
    stale = browser.send(answered, "/merge", sha="0" * 40, squash="on", merge_commit_message="Wait for me")
    assert form_values(stale.tree.xpath("//form[@class='merge-form']")[0])["merge_commit_message"].strip() == (
        "Wait for me"
    )
    assert stale.tree.xpath("//form[@class='merge-form']//input[@name='squash']/@checked")
    assert all(link.startswith(f"{request.path}?") for link in stale.links() if "quote=" in link)
    assert (stale.status, "SHA does not match" in stale.text) == (409, True)
    assert ("1 open thread" in stale.text, "Adds a merge commit to main." in stale.text) == (True, True)
    merged = browser.send(answered, "/merge", merge_commit_message="In my words")
    assert merged.tree.find(".//section[@class='merge-box merged']") is not None
    assert any(link.endswith("/revert") for link in merged.links())
    assert olga.client.ok("GET", "/projects/olga%2Fpress/repository/commits/main")["message"] == "In my words"
    assert browser.open(f"{place}/-/blob/main/die.py").status == 200


def test_settings_stars_keys_and_projects(browser: Browser, place: str) -> None:
    saved = browser.send(browser.open(f"{place}/edit"), "/-/edit", description="A small press.")
    assert "Settings saved." in saved.text
    assert "A small press." in browser.open(place).text
    assert "Starred" in browser.send(browser.open(place), "/-/star").text
    created = browser.send(browser.open("/projects/new"), "/projects", name="Second", readme="on")
    assert created.path.lower() == "/olga/second"
    above = browser.send(browser.open("/groups/new"), "/groups", name="Mint", path="mint")
    link = next(path for path in above.links() if path.startswith("/groups/new?"))
    assert browser.send(browser.open(link), "/groups", name="Dies", path="dies").path == "/groups/mint/dies"
    below = browser.open("/groups/mint/dies/-/edit")
    assert browser.send(below, "/-/transfer").status == 400  # whereto has to be said
    assert browser.send(below, "/-/transfer", to_top="on").path == "/groups/dies"
    refused = browser.send(browser.open("/-/user_settings/ssh_keys"), "/ssh_keys", title="x", key="no key")
    assert refused.status == 400
    assert "no key" in refused.response.text


def test_changing_the_password_ends_other_sessions(server: RunningServer, world: World) -> None:
    person = world.user(password=PASSWORD, force_random_password=False)
    first, second = Browser(server), Browser(server)
    first.enter_by_link(person.username)
    form = second.enter_by_link(person.username)
    assert "End all other sessions" in second.open("/-/user_settings/active_sessions").text
    second.send(form, "/password", password=PASSWORD + "2", password_confirmation=PASSWORD + "2")
    assert first.open("/dashboard/todos").path == "/users/sign_in"
    with server.services.db.read() as conn:
        rows = conn.execute(select(sessions.c.digest).where(sessions.c.user_id == person.id)).all()
    assert len(rows) == 1


class TestFiles:
    def test_a_file_is_written_changed_moved_and_deleted(self, browser: Browser, place: str) -> None:
        empty = browser.send(browser.open(f"{place}/-/new/main/src"), "/-/new/main/src", file_path="", content="kept")
        assert (empty.status, "kept" in empty.response.text) == (422, True)
        written = browser.send(empty, "/-/new/main/src", file_path="src/a.txt", content="one\r\ntwo\r\n")
        assert written.path == f"{place}/-/blob/main/src/a.txt"
        assert browser.http.get(f"{place}/-/raw/main/src/a.txt").content == b"one\ntwo\n"
        first, second = (browser.open(f"{place}/-/edit/main/src/a.txt") for _ in range(2))
        moved = browser.send(first, "/src/a.txt", file_path="b.txt", content="three\n", commit_message="Move it")
        assert moved.path == f"{place}/-/blob/main/b.txt"
        assert "Move it" in moved.text
        lost = browser.send(second, "/src/a.txt", content="mine")
        assert (lost.status, "mine" in lost.response.text) == (422, True)  # the file is elsewhere now
        gone = browser.send(browser.open(f"{place}/-/delete/main/b.txt"), "/-/delete/main/b.txt")
        assert gone.path == f"{place}/-/tree/main"
        assert browser.open(f"{place}/-/blob/main/b.txt").status == 404

    def test_a_change_of_somebody_else_is_told(self, browser: Browser, olga: Person, place: str) -> None:
        form = browser.open(f"{place}/-/edit/main/README.md")
        change = {"branch": "main", "content": "theirs\n", "commit_message": "Change"}
        olga.client.ok("PUT", "/projects/olga%2Fpress/repository/files/README.md", json=change)
        reply = browser.send(form, "/README.md", content="mine")
        assert (reply.status, "Someone changed this file" in reply.text) == (400, True)
        assert reply.tree.find(".//textarea[@id='content']").text.strip() == "mine"
        saved = browser.send(reply, "/README.md")
        assert "mine" in saved.text

    def test_a_new_branch_leads_to_a_merge_request(self, browser: Browser, place: str) -> None:
        form = browser.open(f"{place}/-/create_dir/main")
        request = browser.send(form, "/create_dir/main", file_path="docs/", branch="olga-docs")
        assert request.path == f"{place}/-/merge_requests/new"
        assert request.tree.find(".//input[@id='source']").get("value") == "olga-docs"
        assert browser.open(f"{place}/-/tree/olga-docs/docs").status == 200

    def test_files_are_uploaded(self, browser: Browser, place: str) -> None:
        form = browser.open(f"{place}/-/upload/main/bin")
        values = {
            field.get("name"): field.get("value") for field in form.tree.iterfind(".//form[@class]/input[@value]")
        }
        sent = {"file": ("x\\die.bin", b"\x00\xff\r\n")}
        answer = browser.http.post(form.path, data={**values, "branch": "main", "commit_message": "Up"}, files=sent)
        assert answer.url.path == f"{place}/-/blob/main/bin/die.bin"
        assert browser.http.get(f"{place}/-/raw/main/bin/die.bin").content == b"\x00\xff\r\n"

    def test_who_may_not_commit_is_sent_to_a_fork(self, server: RunningServer, world: World, place: str) -> None:
        world.admin.ok("PUT", "/projects/olga%2Fpress", json={"visibility": "public"})
        stranger = Browser(server)
        person = world.user()
        stranger.enter_by_link(person.username)
        assert stranger.open(f"{place}/-/edit/main/README.md").status == 403
        forked = stranger.send(stranger.open(f"{place}/-/forks/new"), "/-/forks", name="Their press", path="theirs")
        assert forked.path == f"/{person.username}/theirs"
        # Labels and people are those of the project that is merged into, for its developers.
        form = f"{forked.path}/-/merge_requests/new?merge_request[source_branch]=main"
        own = world.admin.ok("GET", f"/projects/{person.username}%2Ftheirs")["id"]
        offers = [
            bool(stranger.open(address).tree.xpath("//input[@name='labels']"))
            for address in (form, f"{form}&merge_request[target_project_id]={own}")
        ]
        assert offers == [False, True]

    def test_an_empty_repository_begins_here(self, browser: Browser, world: World, olga: Person) -> None:
        world.project(olga, path="blank")
        home = browser.open("/olga/blank")
        form = browser.open(next(link for link in home.links() if "/-/new/" in link))
        assert browser.send(form, "/-/new/main", content="# Blank").path == "/olga/blank/-/blob/main/README.md"


def test_a_wiki_page_that_somebody_else_saved_is_told(browser: Browser, olga: Person, place: str) -> None:
    page = {"title": "home", "content": "first"}
    olga.client.ok("POST", "/projects/olga%2Fpress/wikis", json=page)
    form = browser.open(f"{place}/-/wikis/home/edit")
    olga.client.ok("PUT", "/projects/olga%2Fpress/wikis/home", json={"content": "theirs"})
    reply = browser.send(form, "/home/edit", content="mine")
    assert (reply.status, "Someone saved this page" in reply.text, "mine" in reply.response.text) == (409, True, True)
    assert browser.open(next(link for link in reply.links() if "/diff?" in link)).status == 200
    assert "mine" in browser.send(reply, "/home/edit").text


def test_issues_and_requests_are_edited_whole(browser: Browser, world: World, olga: Person, place: str) -> None:
    olga.client.ok("POST", "/projects/olga%2Fpress/labels", json={"name": "bug", "color": "#ff0000"})
    milestone = olga.client.ok("POST", "/projects/olga%2Fpress/milestones", json={"title": "1.0"})
    fields = {"labels": "bug", "assignees": "olga", "milestone_id": str(milestone["id"]), "due_date": "2026-12-24"}
    wrong = browser.send(browser.open(f"{place}/-/issues/new"), "/-/issues", title="Coin", assignees="nobody-here")
    assert (wrong.status, "There is no user named nobody-here." in wrong.text) == (422, True)
    issue = browser.send(wrong, "/-/issues", **fields)
    for words in ("bug", "Olga", "1.0", "2026-12-24"):
        assert words.lower() in issue.text.lower(), words
    emptied = dict.fromkeys(fields, "")
    edited = browser.send(browser.open(f"{issue.path}/edit"), "/edit", **emptied)
    shown = olga.client.ok("GET", f"/projects/olga%2Fpress/issues/{edited.path.rpartition('/')[2]}")
    assert (shown["labels"], shown["assignees"], shown["milestone"], shown["due_date"]) == ([], [], None, None)


def test_an_issue_is_weighed_previewed_and_moved(browser: Browser, world: World, olga: Person, place: str) -> None:
    form = browser.open(f"{place}/-/issues/new")
    typed = {"title": "Heavy", "description": "A **bold** coin", "weight": "3"}
    button = form.tree.find(".//button[@formaction]")
    form.tree.find(".//form[@class='card']").set("action", button.get("formaction"))
    shown = browser.send(form, button.get("formaction"), **typed)
    assert shown.tree.find(".//*[@id='preview']//strong").text == "bold"
    issue = browser.send(shown, "/-/issues")
    assert "bold" in issue.text
    where = f"/projects/olga%2Fpress/issues/{issue.path.rpartition('/')[2]}"
    assert (olga.client.ok("GET", where)["title"], olga.client.ok("GET", where)["weight"]) == ("Heavy", 3)
    world.project(olga, path="mint")
    asked = browser.open(f"{issue.path}/move")
    unknown = browser.send(asked, "/move", project="olga/nowhere")
    assert (unknown.status, "This project does not exist, or you" in unknown.text) == (
        422,
        True,
    )
    moved = browser.send(unknown, "/move", project="olga/mint")
    assert moved.path.startswith("/olga/mint/-/issues/")
    refused = browser.send(asked, "/move", project="olga/mint")
    assert (refused.status, "Cannot move issue" in refused.text) == (400, True)


def test_several_issues_are_changed_at_once(browser: Browser, olga: Person, place: str) -> None:
    project = "/projects/olga%2Fpress/issues"
    numbers = [str(olga.client.ok("POST", project, json={"title": f"Batch {name}"})["iid"]) for name in "ab"]
    listed = browser.open(f"{place}/-/issues?search=Batch")
    assert sorted(listed.tree.xpath("//input[@name='iids[]'][@form='edit-many']/@value")) == sorted(numbers)
    query = "&".join(f"iids[]={number}" for number in numbers)
    form = browser.open(f"{place}/-/issues/edit_many?{query}&back=state%3Dopened%26search%3DBatch")
    nothing = browser.send(form, "/edit_many", state_event="", milestone_id="0", assignees="no-such")
    assert (nothing.status, "There is no user named no-such." in nothing.text) == (422, True)
    assert nothing.tree.xpath("//select[@name='milestone_id']/option[@selected]/@value") == ["0"]
    assert len(nothing.tree.xpath("//input[@name='iids[]'][@checked]")) == 2
    assert f"{place}/-/issues?state=opened&search=Batch" in nothing.links()
    many = browser.send(
        form, "/edit_many", **{"iids[]": [str(number) for number in range(1, 103)]}, state_event="close"
    )
    assert (many.status, "You can change at most 100 at once." in many.text) == (422, True)
    changes = {"iids[]": numbers, "add_labels": "batch", "assignees": "olga", "state_event": "close"}
    changed = browser.send(form, "/edit_many", **changes)
    assert changed.response.url.query == b"state=opened&search=Batch"
    assert "2 issues changed." in changed.text
    for number in numbers:
        issue = olga.client.ok("GET", f"{project}/{number}")
        assert (issue["labels"], issue["assignees"][0]["username"], issue["state"]) == (["batch"], "olga", "closed")
    partly = browser.send(form, "/edit_many", **{"iids[]": [numbers[0], "99999"], "state_event": "reopen"})
    assert (partly.status, "1 of 2 could not be updated." in partly.text) == (422, True)
    assert olga.client.ok("GET", f"{project}/{numbers[0]}")["state"] == "opened"


def test_a_fault_below_gives_back_what_was_written(
    browser: Browser, world: World, server: RunningServer, olga: Person
) -> None:
    project = world.project(olga, path="lost", initialize_with_readme=True)
    form = browser.open("/olga/lost/-/new/main")
    objects = server.services.storages.repository("default", project["id"]).path / "objects"
    aside = objects.rename(objects.with_name("aside"))
    try:
        failed = browser.send(form, "/-/new/main", file_path="a.txt", content="A long text")
    finally:
        if objects.exists():
            shutil.rmtree(objects)
        aside.rename(objects)
    assert (failed.status >= 500, failed.tree.xpath("string(//textarea[@readonly])").strip()) == (True, "A long text")
    assert not failed.tree.xpath("//meta[@http-equiv='refresh']")


def test_a_to_do_that_is_done_can_be_taken_back(browser: Browser, olga: Person, place: str) -> None:
    issue = olga.client.ok("POST", "/projects/olga%2Fpress/issues", json={"title": "Remember"})["iid"]
    todo = olga.client.ok("POST", f"/projects/olga%2Fpress/issues/{issue}/todo")["id"]
    done = browser.send(browser.open("/dashboard/todos"), f"/{todo}/done")
    assert "Marked as done." in done.text
    assert f"/todos/{todo}/done" in browser.send(done, f"/{todo}/reopen").response.text
    assert browser.send(done, "/reopen").status == 200
    kinds = {name: browser.open(f"/dashboard/todos?type={name}") for name in ("Issue", "Commit")}
    assert ["Remember" in page.text for page in kinds.values()] == [True, False]
    again = browser.send(kinds["Issue"], f"/{todo}/done")
    assert again.response.url.query == f"finished={todo}&type=Issue".encode()
    browser.send(again, f"/{todo}/reopen")
    assert browser.http.post("/dashboard/todos/99999/reopen").status_code == 403  # no token


def counted(browser: Browser, address: str, *kinds: str) -> dict[str, str]:
    """So many hits of these kinds; a busy machine may have no time for all of them at once."""

    def look() -> dict[str, str]:
        counts = browser.http.get(address).json()
        return {kind: counts[kind] for kind in kinds} if counts.keys() >= set(kinds) else {}

    return until(look)


def test_search_finds_every_kind(browser: Browser, olga: Person, place: str) -> None:
    number = olga.client.ok("GET", "/projects/olga%2Fpress")["id"]
    file = {"branch": "main", "content": "a coin of silver\n", "commit_message": "Add a coin"}
    olga.client.ok("POST", f"/projects/{number}/repository/files/coin.txt", json=file)
    for scope in ("projects", "issues", "merge_requests", "milestones", "users", "notes", "commits", "snippet_titles"):
        result = browser.open(f"/search?search=press&scope={scope}")
        assert (result.status, result.tree.find(".//nav[@aria-label='Kind']/a[@aria-current]") is None) == (200, False)
    code = browser.open(f"/search?search=silver&scope=blobs&project_id={number}")
    assert "coin.txt" in code.text
    # All kinds are counted within the visitor's rights: in a project at once, elsewhere by a script.
    olga.client.ok("POST", f"/projects/{number}/issues", json={"title": "More silver", "confidential": True})
    page = browser.open(f"/search?search=silver&scope=issues&project_id={number}")
    tabs = page.tree.xpath("//nav[@aria-label='Kind']/a")
    counts = {tab.text: tab.xpath("string(span[@class='count'])") for tab in tabs}
    assert {name: counts[name] for name in ("Issues", "Merge requests", "Code")} == {
        "Issues": "1", "Merge requests": "0", "Code": "",
    }  # fmt: skip
    address = code.tree.xpath("//nav[@aria-label='Kind']/@data-counts")[0]
    assert counted(browser, address, "blobs", "commits") == {"blobs": "1", "commits": "0"}
    assert counted(browser, "/search/counts?search=silver", "issues") == {"issues": "1"}
    assert counted(Browser(browser.server), "/search/counts?search=silver", "issues") == {"issues": "0"}
    assert browser.http.get("/search/counts").json() == {}
    assert browser.open(next(link for link in code.links() if "/-/blob/" in link)).status == 200


def test_a_search_in_code_that_stopped_early_says_so(browser: Browser, olga: Person, place: str) -> None:
    number = olga.client.ok("GET", "/projects/olga%2Fpress")["id"]
    files = [{"action": "create", "file_path": f"ore/{name}.txt", "content": "galena\n"} for name in range(120)]
    body = {"branch": "main", "commit_message": "Dig", "actions": files}
    olga.client.ok("POST", f"/projects/{number}/repository/commits", json=body)

    def look(page: int) -> tuple[str, str, bool]:
        shown = browser.open(f"/search?search=galena&scope=blobs&project_id={number}&page={page}")
        tab = shown.tree.xpath("string(//nav[@aria-label='Kind']/a[@aria-current]/span[@class='count'])")
        return tab, shown.tree.xpath("string(//nav[@class='pager']/span)"), "The search stopped after" in shown.text

    assert look(1) == ("100+", "Page 1", True)
    assert look(2) == ("120+", "Page 2", True)
    assert look(3) == ("120", "Page 3 of 6 · 120 entries", False)


def test_a_ci_file_is_checked_and_run_with_variables(browser: Browser, olga: Person, place: str) -> None:
    form = browser.open(f"{place}/-/ci/lint")
    assert "The file is valid" in browser.send(form, "/ci/lint", content="test:\n  script: make\n").text
    assert "not valid" in browser.send(form, "/ci/lint", content="test:\n  script: 1\n  stage: none\n").text
    assert browser.open(f"{place}/-/ci/editor").path == f"{place}/-/new/main"
    action = {"action": "create", "file_path": ".gitlab-ci.yml", "content": "test: {script: make}\n"}
    body = {"branch": "built", "start_branch": "main", "commit_message": "Build", "actions": [action]}
    olga.client.ok("POST", "/projects/olga%2Fpress/repository/commits", json=body)
    run = browser.send(browser.open(f"{place}/-/pipelines/new"), "/pipelines", ref="built", variables="HEAT=1538=K\n\n")
    (variable,) = olga.client.ok("GET", f"/projects/olga%2Fpress/pipelines/{run.path.rpartition('/')[2]}/variables")
    assert (variable["key"], variable["value"]) == ("HEAT", "1538=K")
    job = olga.client.ok("GET", f"/projects/olga%2Fpress/pipelines/{run.path.rpartition('/')[2]}/jobs")[0]["id"]
    shown = browser.open(f"{place}/-/jobs/{job}")
    assert "No runners are available for this project." in shown.text
    runner = {"runner_type": "project_type", "project_id": olga.client.ok("GET", "/projects/olga%2Fpress")["id"]}
    olga.client.ok("POST", "/user/runners", json={**runner, "tag_list": "iron", "run_untagged": False})
    assert "All runners of this project require tags" in browser.open(shown.path).text
    asked = browser.open(f"{place}/-/issues/new?issue[title]=It+failed&issue[description]=See+the+log")
    assert asked.tree.find(".//input[@id='title']").get("value") == "It failed"


def test_issues_move_between_the_columns_of_a_board(browser: Browser, olga: Person, place: str) -> None:
    project = "/projects/olga%2Fpress"
    issue = olga.client.ok("POST", f"{project}/issues", json={"title": "Moves", "labels": "plain"})["iid"]
    board = olga.client.ok("POST", f"{project}/boards", json={"name": "Ways"})["id"]
    columns = []
    for name in ("soon", "now"):
        label = olga.client.ok("POST", f"{project}/labels", json={"name": name, "color": "#ff0000"})["id"]
        added = olga.client.ok("POST", f"{project}/boards/{board}/lists", json={"label_id": label})
        columns.append(str(added["id"]))

    def move(target: str) -> tuple[str, list[str]]:
        page = browser.open(f"{place}/-/boards/{board}")
        forms = page.tree.xpath(f"//form[contains(@action, '/move')][input[@name='issue' and @value='{issue}']]")
        assert len(forms) == 1
        moved = browser.send_form(page, forms[0], to=target)
        assert moved.path == f"{place}/-/boards/{board}"
        shown = olga.client.ok("GET", f"{project}/issues/{issue}")
        return shown["state"], sorted(shown["labels"])

    assert move(columns[0]) == ("opened", ["plain", "soon"])
    assert move(columns[1]) == ("opened", ["now", "plain"])
    assert move("closed") == ("closed", ["plain"])
    assert move(columns[0]) == ("opened", ["plain", "soon"])
    assert move("open") == ("opened", ["plain"])
    page = browser.open(f"{place}/-/boards/{board}")
    assert browser.send(page, "/move", to="nowhere").status == 404
