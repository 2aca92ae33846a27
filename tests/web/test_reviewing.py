"""Reviewing a request on its pages: comments on lines, suggestions, drafts that are sent at once, versions."""

import re
from typing import Any

import pytest

from ingot.features.planning.notes import notes
from ingot.web.diffs import anchor_of
from ingot.web.threads import A_PAGE, MOST_RESOLVED
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.web.browsing import Browser, Visit, form_values

pytestmark = pytest.mark.costly

ANVIL = "/projects/smithy%2Fanvil"
# A picture of one point.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="


@pytest.fixture(scope="module")
def request_path(smithy: RunningServer) -> str:
    """A request of Ada's that adds a file of three lines."""
    client = smithy.client(ROOT_TOKEN)
    action = {"action": "create", "file_path": "die.py", "content": "one = 1\ntwo = 2\nthree = 3\n"}
    body = {"branch": "die", "start_branch": "main", "commit_message": "Add a die", "actions": [action]}
    client.ok("POST", f"{ANVIL}/repository/commits", json=body)
    fields = {"source_branch": "die", "target_branch": "main", "title": "Add a die"}
    return f"/smithy/anvil/-/merge_requests/{client.ok('POST', f'{ANVIL}/merge_requests', json=fields)['iid']}"


def ask_for_line(browser: Browser, path: str, text: str) -> Visit:
    """Follow the number of the line with this text."""
    row = browser.open(f"{path}/diffs").tree.xpath(f"//tr[td[@data-sign='+'][.='{text}']]")[0]
    link = row.xpath(".//a/@href")[0]
    return browser.open(f"{path}/diffs{link.partition('#')[0]}")


def below(visit: Visit) -> Any:
    """The row below the second line."""
    line = "//tr[td[@data-sign='+'][.='two = 2']]"
    return visit.tree.xpath(f"{line}/following-sibling::tr[1][@class='talk']")[0]


def mark_first(browser: Browser, visit: Visit) -> Visit:
    """Press the button that marks the first file as viewed, or takes the mark away."""
    return browser.send(visit, "/viewed", mark=visit.tree.xpath("//button[@name='mark']/@value")[0])


def marks(visit: Visit) -> list[str]:
    """Whether each file is marked as viewed."""
    return list(visit.tree.xpath("//button[@name='mark']/@aria-pressed"))


def test_a_line_is_discussed_and_resolved_where_it_stands(ben: Browser, request_path: str) -> None:
    form = ask_for_line(ben, request_path, "two = 2")
    said = ben.send(form, "/line", body="Why two?")
    quote = next(link for link in ben.open(request_path).links() if "quote=" in link)
    assert "> " in ben.open(quote).tree.xpath("string(//*[@id='quote']//textarea)")
    # The text of an internal comment of its own does not come into the form of public ones.
    secret = ben.server.client(ROOT_TOKEN).ok(
        "POST", f"{ANVIL}/{request_path.partition('/-/')[2]}/notes", json={"body": "Aside.", "internal": True}
    )["id"]
    asked = ben.open(f"{request_path}?quote={secret}")
    assert ("Aside." in asked.text, asked.tree.xpath("//*[@id='quote']")) == (True, [])
    assert not asked.tree.xpath(f"//a[starts-with(@href, '?') and contains(@href, 'quote={secret}#')]")
    history = ben.open(f"{request_path}?notes=history")
    assert ("Why two?" in history.text, "Why two?" in ben.open(f"{request_path}?notes=comments").text) == (False, True)
    assert "Why two?" in "".join(below(said).itertext())
    reply = below(said).xpath(".//form[contains(@action, '/reply/')]/@action")[0]
    answered = ben.send(said, reply, body="Because.")
    assert (answered.path, "Because." in answered.text) == (f"{request_path}/diffs", True)
    resolve = below(answered).xpath(".//form[contains(@action, '/resolve/')]/@action")[0]
    resolved = ben.send(answered, resolve)
    # A resolved thread of an older version is no longer shown among the lines.
    assert "Resolved by" in ben.open(request_path).text
    assert resolved.status == 200


def test_a_suggestion_is_applied(smithy: RunningServer, ben: Browser, request_path: str) -> None:
    marked = mark_first(ben, ben.open(f"{request_path}/diffs"))
    assert (marks(marked), marked.tree.xpath("//section[@class='diff']/details/@open")) == (["true"], [])
    assert marked.tree.xpath("string(//*[@id='viewed-count'])") == "1"
    ada = Browser(smithy)
    ada.enter_by_link("ada")
    assert marks(ada.open(f"{request_path}/diffs")) == ["false"]
    unmarked = mark_first(ben, marked)
    assert (marks(unmarked), marks(mark_first(ben, unmarked))) == (["false"], ["true"])
    assert ben.send(marked, "/viewed", mark="x.y").status == 400
    form = ask_for_line(ben, request_path, "three = 3")
    said = ben.send(form, "/line", body="Better:\n```suggestion:-0+0\nthree = 3.0\n```")
    action = said.tree.xpath("//form[contains(@action, '/suggestions/')]/@action")[0]
    assert ben.send(said, action).status == 200
    raw = smithy.client(ROOT_TOKEN).get(f"{ANVIL}/repository/files/die.py/raw?ref=die")
    assert raw.text == "one = 1\ntwo = 2\nthree = 3.0\n"
    versions = ben.open(f"{request_path}/diffs")
    assert "Version 2 of 2" in versions.text
    assert marks(versions) == ["false"]  # the file has another content
    older = next(link for link in versions.links() if "diff_id=" in link)
    shown = ben.open(older)
    assert shown.tree.xpath("//tr[@class='add']/td[.='three = 3']")
    assert marks(shown) == ["true"]
    # On the overview the thread keeps its lines, and leads to both versions.
    thread = ben.open(request_path).tree.xpath("//section[@class='thread'][.//td[.='three = 3']]")[0]
    assert "Outdated" in "".join(thread.itertext())
    links = [link.partition("#")[0] for link in thread.xpath("./p[contains(@class, 'where')]/a/@href")]
    assert links[-2:] == [older, f"{request_path}/diffs"]
    assert ben.open(f"{request_path}/diffs?diff_id=999999").status == 404
    alone = ben.open(f"{request_path}/diffs?file={anchor_of('die.py')}")
    assert ("All files" in alone.text, "three = 3.0" in alone.text) == (True, True)
    assert ben.open(f"{request_path}/diffs?file={anchor_of('no.py')}").status == 404


def test_several_lines_are_discussed_and_suggestions_applied_together(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    action = {"action": "create", "file_path": "coin.py", "content": "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n"}
    body = {"branch": "coin", "start_branch": "main", "commit_message": "Add a coin", "actions": [action]}
    client.ok("POST", f"{ANVIL}/repository/commits", json=body)
    fields = {"source_branch": "coin", "target_branch": "main", "title": "Add a coin"}
    path = f"/smithy/anvil/-/merge_requests/{client.ok('POST', f'{ANVIL}/merge_requests', json=fields)['iid']}"
    form = ask_for_line(ben, path, "c = 3")
    refused = ben.send(form, "/line", body="Too far.", from_line="4")
    assert (refused.status, "Too far." in refused.text, "must come before" in refused.text) == (422, True, True)
    asked = ben.send(form, "/line", body="Better:", from_line="2", suggest="1")
    text = asked.tree.xpath("string(//textarea[@id='line_body'])").strip()
    assert text == "Better:\n\n```suggestion:-1+0\nb = 2\nc = 3\n```"
    said = ben.send(asked, "/line", body=text.replace("b = 2", "b = 2.0"))
    assert "Lines 2 to 3" in said.text
    threads = client.ok("GET", f"{ANVIL}/merge_requests/{path.rpartition('/')[2]}/discussions")
    ends = threads[-1]["notes"][0]["position"]["line_range"]
    assert [(end["type"], end["old_line"], end["new_line"]) for end in (ends["start"], ends["end"])] == [
        ("new", None, 2), ("new", None, 3)
    ]  # fmt: skip
    assert ends["start"]["line_code"] == f"{anchor_of('coin.py')}_0_2"
    assert "coin.py:2 to 3" in ben.open(path).text
    form = ask_for_line(ben, path, "e = 5")
    ben.send(form, "/line", body="```suggestion\ne = 6\n```")
    both = ben.open(path)
    ids = both.tree.xpath("//input[@name='ids[]']/@value")
    assert not Browser(smithy).open(path).tree.xpath("//form[contains(@action, '/suggestions')]")
    ben.send(both, "/suggestions", **{"ids[]": ids, "commit_message": "Both"})
    raw = client.get(f"{ANVIL}/repository/files/coin.py/raw?ref=coin")
    assert raw.text == "a = 1\nb = 2.0\nc = 3\nd = 4\ne = 6\n"
    changes = ben.open(f"{path}/diffs")
    since = ben.open(next(link for link in changes.links() if "start_sha=" in link))
    assert since.tree.xpath("//tr[@class='add']/td[3]")
    assert "which you reviewed last" in since.text
    assert ben.open(f"{path}/diffs?start_sha={'0' * 40}").status == 404
    assert "Since my last review" in changes.text
    later = ben.send(ask_for_line(ben, path, "a = 1"), "/line", body="Seen.")
    assert "Since my last review" not in later.text


def test_suggestions_stand_where_their_blocks_stood(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    action = {"action": "create", "file_path": "bell.py", "content": "a = 1\nb = 2\n"}
    body = {"branch": "bell", "start_branch": "main", "commit_message": "Add a bell", "actions": [action]}
    client.ok("POST", f"{ANVIL}/repository/commits", json=body)
    fields = {"source_branch": "bell", "target_branch": "main", "title": "Add a bell"}
    path = f"/smithy/anvil/-/merge_requests/{client.ok('POST', f'{ANVIL}/merge_requests', json=fields)['iid']}"

    def say(body: str) -> Any:
        said = ben.send(ask_for_line(ben, path, "b = 2"), "/line", body=body)
        place = said.response.url.fragment
        return said.tree.xpath(f"//*[@id='{place}']/div[@class='text']")[0]

    def read(text: Any) -> str:
        shown = " ".join("".join(text.itertext()).split())
        return shown.replace("Apply suggestion", "!").replace(" Apply with other suggestions", "")

    first, second, odd = (f"```suggestion{kind}\nb = {kind or 4} < 5\n```" for kind in ("", ":-0+0", "s"))
    text = say(f"First [this][x]:\n{first}\n- [ ] or *rather* that:\n{second}\n{odd}\nyour choice\n\n[x]: /there")
    assert read(text) == "First this: b = 2b = 4 < 5! or rather that: b = 2b = :-0+0 < 5! b = s < 5 your choice"
    assert text.xpath(".//a/@href") == ["/there"]
    assert [button.text for button in text.xpath(".//div[@class='suggestion']//button")] == ["Apply suggestion"] * 2
    assert text.xpath(".//button[@class='tick']")
    # Inside of other code a block is no part of the text, so its change comes last.
    text = say(f"~~~\n{first}\n~~~\nafter")
    assert read(text) == "after b = 2b = 4 < 5!"
    text = say(f"> <details><summary>More</summary>\n\n{first}\n\n</details>\nlast")
    assert read(text).endswith("b = 2b = 4 < 5! last")


def test_threads_keep_the_lines_of_renamed_files_and_odd_positions_are_passed_over(
    smithy: RunningServer, ben: Browser
) -> None:
    client = smithy.client(ROOT_TOKEN)

    def commit(branch: str, **action: str) -> None:
        body = {"branch": branch, "start_branch": "main", "commit_message": branch, "actions": [action]}
        client.ok("POST", f"{ANVIL}/repository/commits", json=body)

    lines = "".join(f"line {number}\n" for number in range(1, 9))
    commit("main", action="create", file_path="before.txt", content=lines)
    renamed = lines.replace("line 8", "last")
    commit("renamed", action="move", file_path="after.txt", previous_path="before.txt", content=renamed)
    fields = {"source_branch": "renamed", "target_branch": "main", "title": "Rename"}
    request = client.ok("POST", f"{ANVIL}/merge_requests", json=fields)
    refs = client.ok("GET", f"{ANVIL}/merge_requests/{request['iid']}")["diff_refs"]
    place = {"position_type": "text", "old_path": "before.txt", "new_path": "after.txt", "old_line": 4, "new_line": 4}
    said = {"body": "Why?", "position": {**refs, **place}}
    note = client.ok("POST", f"{ANVIL}/merge_requests/{request['iid']}/discussions", json=said)["notes"][0]["id"]
    path = f"/smithy/anvil/-/merge_requests/{request['iid']}"
    shown = "//section[@class='thread']//table[@class='lines']//tr[@class='same']/td[3]"
    assert [cell.text for cell in ben.open(path).tree.xpath(shown)] == ["line 1", "line 2", "line 3", "line 4"]
    # Renamed once more, the line is still there: the thread is about an older version, but not outdated.
    again = {"action": "move", "file_path": "later.txt", "previous_path": "after.txt"}
    body = {"branch": "renamed", "commit_message": "Rename again", "actions": [again]}
    client.ok("POST", f"{ANVIL}/repository/commits", json=body)
    thread = until(lambda: ben.open(path).tree.xpath("//section[@class='thread'][contains(., 'On an older version')]"))
    assert thread[0].xpath(f".//a[contains(@href, '#{anchor_of('later.txt')}')]")

    odd: list[dict[str, Any]] = [
        {"line_range": "all"}, {"line_range": {"start": [1]}}, {"new_line": "4"}, {"new_line": [4]}, {"base_sha": 4},
        {"head_sha": {}}, {"new_path": ["after.txt"]}, {"old_path": 1}, {"position_type": 3},
    ]  # fmt: skip
    for change in odd:
        with smithy.services.db.write() as tx:
            tx.execute(notes.update().where(notes.c.id == note).values(position={**refs, **place, **change}))
        assert [ben.open(address).status for address in (path, f"{path}/diffs")] == [200, 200], change


def test_drafts_are_private_until_the_review_is_sent(smithy: RunningServer, ben: Browser, request_path: str) -> None:
    form = ask_for_line(ben, request_path, "one = 1")
    drafted = ben.send(form, "/line", body="Name it better.", draft="1")
    assert "Only you can see it" in drafted.text
    ada = Browser(smithy)
    ada.enter_by_link("ada")
    assert "Name it better." not in ada.open(f"{request_path}/diffs").text
    client, number = smithy.client(ROOT_TOKEN), request_path.rpartition("/")[2]
    assert "withdraw your request; adds you as a reviewer" in drafted.text
    judged = ben.send(drafted, "/review", body="One remark.", verdict="requested_changes")
    reviewers = client.ok("GET", f"{ANVIL}/merge_requests/{number}")["reviewers"]
    assert [person["username"] for person in reviewers] == ["ben"]
    assert "One remark." in judged.text
    assert "Name it better." in ada.open(request_path).text
    assert re.search(r"Ben Okoro asked for changes on \d{4}-\d\d-\d\d \d\d:\d\d\.", " ".join(judged.text.split()))
    assert "Withdraw my request for changes" in ben.open(f"{request_path}/diffs").text
    withdrawn = ben.send(ben.open(f"{request_path}/diffs"), "/review", body="", verdict="reviewed")
    assert "asked for changes" not in withdrawn.text


def test_all_threads_are_resolved_at_once(smithy: RunningServer, ben: Browser, request_path: str) -> None:
    for text in ("First doubt.", "Second doubt."):
        ben.send(ben.open(request_path), "/comment", body=text, thread="on")
    gus = Browser(smithy)
    assert not gus.open(request_path).tree.xpath("//form[contains(@action, '/resolve_all')]")
    resolved = ben.send(ben.open(request_path), "/resolve_all")
    assert not resolved.tree.xpath("//button[normalize-space()='Resolve']")
    assert resolved.text.count("Resolved by Ben") >= 2


def test_long_discussions_have_pages_and_threads_are_resolved_some_at_a_time(
    smithy: RunningServer, ben: Browser, request_path: str
) -> None:
    number = request_path.rpartition("/")[2]
    client = smithy.client(ROOT_TOKEN)
    for place in range(2 * A_PAGE + 3):
        client.ok("POST", f"{ANVIL}/merge_requests/{number}/discussions", json={"body": f"Doubt {place:03}."})
    newest = ben.open(request_path)
    assert ("Doubt 102." in newest.text, "Doubt 000." in newest.text) == (True, False)
    oldest = ben.open(next(link for link in newest.links() if "threads=" in link))
    assert ("Doubt 102." in oldest.text, "Doubt 000." in oldest.text) == (False, True)
    assert any("threads=2" in link for link in oldest.links())
    reply = oldest.tree.xpath("//form[contains(@action, '/reply/')]/@action")[0]
    answered = ben.send(oldest, reply, body="Still on the old page.")
    assert ("threads=1" in str(answered.response.url), "Still on the old page." in answered.text) == (True, True)
    threads = f"{ANVIL}/merge_requests/{number}/discussions?per_page=100&page="

    def count_open() -> int:
        rows = [row for page in (1, 2, 3) for row in client.ok("GET", f"{threads}{page}")]
        return sum(row["notes"][0].get("resolved") is False for row in rows)

    before = count_open()
    ben.send(newest, "/resolve_all")
    assert count_open() == before - MOST_RESOLVED


def test_changes_are_shown_as_the_visitor_prefers(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)

    def commit(action: str, branch: str, **texts: str) -> None:
        actions = [{"action": action, "file_path": f"{name}.txt", "content": text} for name, text in texts.items()]
        body = {"branch": branch, "start_branch": "main", "commit_message": action, "actions": actions}
        client.ok("POST", f"{ANVIL}/repository/commits", json=body)

    commit("create", "main", space_a="if x:\n  y\nz\n", space_b="b\n")
    commit("update", "spaces", space_a="if x:\n    y\nzz\n", space_b="bb\n")
    fields = {"source_branch": "spaces", "target_branch": "main", "title": "Spaces"}
    place = f"/smithy/anvil/-/merge_requests/{client.ok('POST', f'{ANVIL}/merge_requests', json=fields)['iid']}/diffs"

    def lines(path: str) -> list[str]:
        return [
            "".join(row.itertext()) for row in ben.open(path).tree.xpath("//tr[@class='add' or @class='del']/td[3]")
        ]

    assert lines(place) == ["  y", "z", "    y", "zz", "b", "bb"]
    assert lines(f"{place}?w=1") == ["z", "zz", "b", "bb"]
    page = ben.open("/-/profile/preferences")
    saved = ben.send(page, "/preferences", view_diffs_file_by_file="true")
    assert "Saved." in saved.text
    assert (lines(place), lines(f"{place}?w=0&page=2")) == (["  y", "z", "    y", "zz"], ["b", "bb"])
    link = ben.open(f"{place}?page=2").tree.xpath("//tr[@class='add']/td/a/@href")[0].partition("#")[0]
    said = ben.send(ben.open(f"{place}{link}"), "/line", body="Why twice?")
    assert ("page=2" in str(said.response.url), "Why twice?" in said.text) == (True, True)
    form = {"authenticity_token": form_values(saved.tree.xpath("//main//form")[0])["authenticity_token"]}
    ben.http.post("/-/profile/preferences/preferences", data=form)
    assert lines(place) == ["z", "zz", "b", "bb"]
    ben.http.post("/-/profile/preferences/preferences", data={**form, "show_whitespace_in_diffs": "true"})


def test_lines_of_strangers_are_not_links_to_forms(smithy: RunningServer, request_path: str) -> None:
    visit = Browser(smithy).open(f"{request_path}/diffs")
    assert not visit.tree.xpath("//a[contains(@href, 'comment=')]")
    assert not visit.tree.xpath("//form[contains(@action, '/line')]")


def test_the_merge_box_names_every_obstacle_with_its_step(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    fields = {"only_allow_merge_if_all_discussions_are_resolved": True, "only_allow_merge_if_pipeline_succeeds": True}
    project = client.ok("POST", "/projects", json={"name": "Kiln", "initialize_with_readme": True, **fields})
    base, home = f"/projects/{project['id']}", f"/{project['path_with_namespace']}"
    user = client.ok("GET", "/users?username=ben")[0]
    client.ok("POST", f"{base}/members", json={"user_id": user["id"], "access_level": 40})

    def request_from(branch: str, **more: object) -> int:
        action = {"action": "create", "file_path": f"{branch}.txt", "content": "x\n"}
        body = {"branch": branch, "start_branch": "main", "commit_message": branch, "actions": [action]}
        client.ok("POST", f"{base}/repository/commits", json=body)
        wanted = {"source_branch": branch, "target_branch": "main", "title": f"Draft: {branch}", **more}
        return int(client.ok("POST", f"{base}/merge_requests", json=wanted)["iid"])

    first, second = request_from("one"), request_from("two", merge_after="2999-01-01T10:00:00Z")
    where = f"{base}/merge_requests/{second}"
    ben.send(ben.open(f"{home}/-/merge_requests/{second}"), "/block", blocking=f"!{first}")
    client.ok("POST", f"{where}/discussions", json={"body": "Why?"})
    page = ben.open(f"{home}/-/merge_requests/{second}")
    sentences = [
        f"!{first} must be merged first.", "May be merged from 2999-01-01 10:00.", "This is a draft.",
        "A thread is open. Resolve all threads before merging.",
        "A pipeline must pass before merging, but none has run.",
    ]  # fmt: skip
    for sentence in ("Not ready to merge: 5 reasons", *sentences):
        assert sentence in page.text, sentence
    ben.send(page, "/unblock")
    ben.send(page, "/merge_after")
    later = ben.send(page, "/ready")
    assert [sentence in later.text for sentence in sentences] == [False, False, False, True, True]
    client.ok("DELETE", f"{base}/repository/branches/two")
    gone = ben.open(f"{home}/-/merge_requests/{second}")
    assert "The source branch two no longer exists." in gone.text
    restored = ben.send(gone, "/restore_branch")
    assert "is gone" not in restored.text
    assert "A thread is open." in ben.send(restored, "/state", state_event="reopen").text


def test_changes_by_commit_in_two_columns_with_more_lines_and_pictures(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    lines = [f"line {number}" for number in range(1, 61)]

    def commit(branch: str, action: str, path: str, content: str, **more: str) -> str:
        actions = [{"action": action, "file_path": path, "content": content, **more}]
        body = {"branch": branch, "commit_message": f"{action} {path}", "actions": actions, "start_branch": "main"}
        if action == "update":
            del body["start_branch"]
        return str(client.ok("POST", f"{ANVIL}/repository/commits", json=body)["id"])

    commit("main", "create", "long.txt", "\n".join(lines) + "\n")
    pictured = commit("long", "create", "mark.png", PIXEL, encoding="base64")
    changed = commit("long", "update", "long.txt", "\n".join([*lines[:30], "changed", *lines[31:]]) + "\n")
    fields = {"source_branch": "long", "target_branch": "main", "title": "Long"}
    place = f"/smithy/anvil/-/merge_requests/{client.ok('POST', f'{ANVIL}/merge_requests', json=fields)['iid']}"

    whole = ben.open(f"{place}/diffs")
    assert whole.tree.xpath("//figure//img[contains(@src, '/mark.png')]")
    one = ben.open(f"{place}/diffs?commit_id={changed}&view=parallel")
    assert one.tree.xpath("string(//tr[td[@class='del']])") == "31line 3131changed"
    assert not one.tree.xpath("//figure")
    assert ben.open(f"{place}/diffs?commit_id={'0' * 40}").status == 404
    apart = ben.open(f"/smithy/anvil/-/commit/{changed}")
    assert apart.tree.xpath("string(//tr[td[@class='del']])") == "31line 3131changed"
    link = apart.tree.xpath("//td[@class='add']/a/@href")[0].partition("#")[0]
    noted = ben.send(ben.open(f"{apart.path}{link}"), "/comment", note="On the line.")
    assert "On the line." in noted.tree.xpath("string(//tr[@class='talk'])")
    assert ben.open(f"/smithy/anvil/-/commit/{pictured}").tree.xpath("//figure//img[contains(@src, '/mark.png')]")
    compared = ben.open("/smithy/anvil/-/compare/main...long?list=LONG")
    assert compared.tree.xpath("//figure//img[contains(@src, '/long/mark.png')]")
    assert compared.tree.xpath("//table[contains(@class, 'split')]")
    assert compared.tree.xpath("//*[@id='changed-files']//a/text()") == ["long.txt"]
    assert ben.open(f"{place}/diffs").tree.xpath("//table[contains(@class, 'split')]")  # the browser remembers
    link = one.tree.xpath("//td[@class='add']/a/@href")[0].partition("#")[0]
    said = ben.send(ben.open(f"{place}/diffs{link}"), "/line", body="Only in this commit.")
    assert (f"commit_id={changed}" in str(said.response.url), "Only in this commit." in said.text) == (True, True)
    assert "Only in this commit." not in ben.open(f"{place}/diffs?view=inline").text
    shown = f"{place}/diffs?file={anchor_of('long.txt')}"
    counts = [
        len(ben.open(f"{shown}&context={context}").tree.xpath("//tr[@class='same']")) for context in ("", "20", "all")
    ]
    assert counts == [6, 46, 59]
    form = ben.open(f"{shown}&comment={anchor_of('long.txt')}")
    assert "About all of it." in ben.send(form, "/line", body="About all of it.").text
    assert "About all of it." in ben.open(place).text


def test_comments_are_changed_reacted_to_and_deleted(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    issue = client.ok("POST", f"{ANVIL}/issues", json={"title": "Soot", "labels": "soot"})
    path = f"/smithy/anvil/-/issues/{issue['iid']}"
    said = ben.send(ben.open(path), "/comment", body="Swep it.")
    edit = next(link for link in said.links() if "/notes/" in link)
    saved = ben.send(ben.open(edit), "/edit", body="Sweep it.")
    assert (saved.path, "Sweep it." in saved.text) == (path, True)
    note = edit.split("/")[-2]
    given = ben.send(saved, f"/notes/{note}/react", name="tada")
    assert given.tree.xpath("string(//button[@aria-pressed='true'])").split() == ["🎉", "1", "tada"]
    award = given.tree.xpath("//button[@name='award']/@value")[0]
    assert not ben.send(given, f"/notes/{note}/react", award=award).tree.xpath("//button[@aria-pressed='true']")
    ben.send(given, f"{path}/react", name="heart")
    assert client.ok("GET", f"{ANVIL}/issues/{issue['iid']}/award_emoji")[0]["name"] == "heart"
    tracked = ben.send(given, "/time", estimate="2d", spent="1h")
    assert "1h of 2d" in tracked.text
    left = ben.send(ben.send(tracked, "/follow/subscribe"), "/follow/unsubscribe")
    assert ben.send(left, "/follow/todo").tree.xpath("//form[contains(@action, '/follow/subscribe')]")
    linked = ben.send(given, "/links", other="#1", link_type="blocks")
    assert "blocks" in linked.tree.xpath("string(//*[@id='links']//li)")
    assert ben.send(linked, "/links", other="one").status == 422
    unlink = linked.tree.xpath("//*[@id='links']//li//form/@action")[0]
    assert not ben.send(linked, unlink).tree.xpath("//*[@id='links']//li")
    assert "Sweep it." not in ben.send(ben.open(edit), "/remove").text
    stranger = Browser(smithy).open(path)
    assert not stranger.tree.xpath("//form[contains(@action, '/react') or contains(@action, '/follow')]")
    here = "/smithy/anvil/-/issues?state=all&labels=soot"
    shown = ["Soot" in ben.open(address).text for address in (here, f"{here}&not[author_username]=root")]
    assert shown == [True, False]
    assert "Only drafts" in ben.open("/smithy/anvil/-/merge_requests?wip=yes&order_by=updated_at").text


def test_earlier_commits_are_shown_for_context(smithy: RunningServer, ben: Browser, request_path: str) -> None:
    sha = smithy.client(ROOT_TOKEN).ok("GET", f"{ANVIL}/repository/commits?ref_name=main")[-1]["id"]
    page = ben.open(f"{request_path}/commits")
    added = ben.send(page, "/context_commits", commits=sha[:12])
    assert added.tree.xpath("//*[@id='context']//li//a/@href")[0].endswith(sha)
    refused = ben.send(added, "/context_commits", commits="0000000")
    assert (refused.status, refused.tree.xpath("string(//input[@name='commits']/@value)")) == (400, "0000000")
    stranger = Browser(smithy).open(f"{request_path}/commits")
    assert (
        len(stranger.tree.xpath("//*[@id='context']//li")),
        len(stranger.tree.xpath("//*[@id='context']//form")),
    ) == (
        1,
        0,
    )
    assert not ben.send(added, "/context_commits/remove", sha=sha).tree.xpath("//*[@id='context']//li")
