"""Changed files on pages: what is said of those without lines, long ones in parts, more lines, and the list of all."""

import base64
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium

from ingot.web.diff_context import MOST_WIDENED
from ingot.web.diff_parts import part_of
from ingot.web.diffs import anchor_of
from ingot.web.file_tree import MOST_DEPTH
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly

ANVIL = "/projects/smithy%2Fanvil"
LINES = [f"line {number}" for number in range(1, 101)]
LONG = 6_000  # lines, of which every second changes: more bytes than come with other files
DEEP = "/".join(f"f{number}" for number in range(60)) + "/deep.txt"


def text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def encoded(content: bytes) -> dict[str, str]:
    return {"content": base64.b64encode(content).decode(), "encoding": "base64"}


class Request:
    """A branch that changes files of all kinds, and its merge request."""

    def __init__(self, smithy: RunningServer) -> None:
        self.client = smithy.client(ROOT_TOKEN)
        long = [f"{number} of many lines that are long enough" for number in range(LONG)]
        self.commit("main", "create", {
            "data.bin": encoded(b"\0a" * 600), "run.sh": {"content": "echo\n"},
            "old/name.txt": {"content": text(LINES)}, "many.txt": {"content": text(LINES)},
            "tall.txt": {"content": text(long)},
        })  # fmt: skip
        self.commit("files", "update", {
            "data.bin": encoded(b"\0b" * 1200),
            "run.sh": {"action": "chmod", "execute_filemode": True},
            "new/name.txt": {"action": "move", "previous_path": "old/name.txt"},
            "many.txt": {"content": text([*LINES[:49], "fifty", *LINES[50:]])},
            "tall.txt": {"content": text([f"{line}!" if place % 2 else line for place, line in enumerate(long)])},
            "bare.txt": {"action": "create", "content": ""},
            "yarn.lock": {"action": "create", "content": "1\n"},
            DEEP: {"action": "create", "content": "deep\n"},
        })  # fmt: skip
        fields = {"source_branch": "files", "target_branch": "main", "title": "Files"}
        self.iid = self.client.ok("POST", f"{ANVIL}/merge_requests", json=fields)["iid"]
        self.path = f"/smithy/anvil/-/merge_requests/{self.iid}/diffs"

    def commit(self, branch: str, action: str, files: dict[str, dict[str, Any]]) -> None:
        actions = [{"action": action, "file_path": path, **fields} for path, fields in files.items()]
        start = {} if branch == "main" else {"start_branch": "main"}
        body = {"branch": branch, "commit_message": branch, "actions": actions, **start}
        self.client.ok("POST", f"{ANVIL}/repository/commits", json=body)

    def say(self, words: str, path: str, line: int) -> None:
        refs = self.client.ok("GET", f"{ANVIL}/merge_requests/{self.iid}")["diff_refs"]
        place = {"position_type": "text", "old_path": path, "new_path": path, "old_line": line, "new_line": line}
        body = {"body": words, "position": {**refs, **place}}
        self.client.ok("POST", f"{ANVIL}/merge_requests/{self.iid}/discussions", json=body)

    def threads(self, path: str) -> str:
        said = self.client.ok("GET", f"{ANVIL}/merge_requests/{self.iid}/discussions?per_page=100")
        firsts = [discussion["notes"][0] for discussion in said]
        number = sum("position" in note and note["position"]["new_path"] == path for note in firsts)
        return "1 open thread" if number == 1 else f"{number} open threads"


@pytest.fixture(scope="module")
def request_of_files(smithy: RunningServer) -> Request:
    return Request(smithy)


def section(visit: Visit, path: str) -> str:
    """What can be read of a file."""
    return " ".join(visit.tree.xpath(f"string(//section[@id='{anchor_of(path)}'])").split())


def test_files_without_lines_say_what_changed(ben: Browser, request_of_files: Request) -> None:
    page = ben.open(request_of_files.path)

    assert "A binary file: 1.2 KiB before, 2.3 KiB now." in section(page, "data.bin")
    assert "now executable" in section(page, "run.sh")
    assert "Only the mode changed." in section(page, "run.sh")
    assert "The file is empty." in section(page, "bare.txt")
    assert "renamed from old/name.txt" in section(page, "new/name.txt")
    assert "Only the name changed." in section(page, "new/name.txt")
    assert "new, generated collapsed" in section(page, "yarn.lock")


def test_what_is_left_out_is_counted_named_on_top_and_opened_alone(ben: Browser, request_of_files: Request) -> None:
    page = ben.open(request_of_files.path)
    top = " ".join(page.tree.xpath("string(//p[@class='diff-sum'])").split())
    assert top.startswith("8 files +3003 \u22123001 ")
    assert "too large to show here: tall.txt" in top
    assert "+3000 \u22123000" in section(page, "tall.txt")

    link = page.tree.xpath(f"//section[@id='{anchor_of('tall.txt')}']//a[.='Show only this file']/@href")[0]
    alone = ben.open(f"{request_of_files.path}{link}")

    assert len(alone.tree.xpath("//tr[@class='add']")) == 3000
    assert [link.text for link in alone.tree.xpath("//p[@class='diff-sum']//a")] == [
        "All files", "Previous file", "Next file",
    ]  # fmt: skip
    number = alone.tree.xpath("//tr[@class='add'][last()]//a/@href")[0].partition("#")[0]
    form = ben.open(f"{request_of_files.path}{number}")
    said = ben.send(form, "/line", body="On the last line.", from_line="5998")
    assert "On the last line." in said.tree.xpath("string(//tr[@class='talk'])")
    assert "Lines 5998 to 6000" in said.tree.xpath("string(//tr[@class='talk'])")


def test_long_files_come_in_parts_with_the_numbers_of_their_lines() -> None:
    lines = [f" same {number}" if number % 3 else f"-gone {number}" for number in range(10)]
    diff = "\n".join(["@@ -5,10 +5,6 @@ def x():", *lines, "@@ -100 +96 @@", "-a", "+b", ""])

    assert part_of(diff, 1, 100) == (diff, 1)
    first, count = part_of(diff, 1, 5)
    assert (first.split("\n")[0], count) == ("@@ -5,10 +5,6 @@ def x():", 3)
    second = part_of(diff, 2, 5)[0]
    assert second == "\n".join(["@@ -9,5 +7,4 @@", *lines[4:9], ""])
    third = part_of(diff, 3, 5)[0]
    assert third == "\n".join(["@@ -14,1 +11,0 @@", lines[9], "@@ -100 +96 @@", "-a", "+b", ""])
    assert part_of(diff, 99, 5)[0] == third


def test_parts_of_a_long_file_lead_to_each_other(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    action = {"action": "create", "file_path": "endless.txt", "content": "word\n" * 25_000}
    body = {"branch": "endless", "start_branch": "main", "commit_message": "Endless", "actions": [action]}
    client.ok("POST", f"{ANVIL}/repository/commits", json=body)
    fields = {"source_branch": "endless", "target_branch": "main", "title": "Endless"}
    path = f"/smithy/anvil/-/merge_requests/{client.ok('POST', f'{ANVIL}/merge_requests', json=fields)['iid']}/diffs"

    first = ben.open(f"{path}?file={anchor_of('endless.txt')}")
    assert "Part 1 of 3" in first.text
    last = ben.open(f"{path}{first.tree.xpath('//a[.=$words]/@href', words='Next lines')[0]}".replace("=2", "=3"))
    assert last.tree.xpath("string((//tr[@class='add'])[1]/td[2])") == "20000"
    assert not last.tree.xpath("//a[.='Next lines']")


def test_the_list_of_files_has_folders_marks_and_those_that_match(ben: Browser, request_of_files: Request) -> None:
    request_of_files.say("Why?", "many.txt", 48)
    page = ben.open(request_of_files.path)

    row = page.tree.xpath("//*[@id='changed-files']//li[@data-path='many.txt']")[0]
    threads = request_of_files.threads("many.txt")
    assert " ".join("".join(row.itertext()).split()) == f"many.txt {threads} viewed +1 \u22121"
    folders = page.tree.xpath("//*[@id='changed-files']//summary//text()")
    assert "/".join(DEEP.split("/")[:MOST_DEPTH]) in [name.strip() for name in folders]
    assert "new" in [name.strip() for name in folders]
    found = ben.open(f"{request_of_files.path}?list=NAME").tree.xpath("//*[@id='changed-files']//a/text()")
    assert found == ["name.txt"]


def test_lines_that_did_not_change_are_shown_where_somebody_commented_on_them(
    ben: Browser, request_of_files: Request
) -> None:
    request_of_files.say("Far away.", "many.txt", 90)

    page = ben.open(request_of_files.path)

    talk = page.tree.xpath("//tr[@class='talk'][contains(., 'Far away.')]")[0]
    assert talk.xpath("string(preceding-sibling::tr[1]/td[3])") == "line 90"
    shown = page.tree.xpath(f"//section[@id='{anchor_of('many.txt')}']//tr[@class='same']/td[2]//text()")
    assert shown == [str(number) for number in (47, 48, 49, 51, 52, 53, *range(87, 94))]


def test_more_lines_are_shown_step_by_step_without_scripts(ben: Browser, request_of_files: Request) -> None:
    section_path = f"//section[@id='{anchor_of('many.txt')}']"
    page = ben.open(request_of_files.path)
    counts = []
    for _ in range(3):
        link = page.tree.xpath(f"{section_path}//a[@class='widen']/@href")[0]
        page = ben.open(f"{request_of_files.path}{link.partition('#')[0]}")
        counts.append(len(page.tree.xpath(f"{section_path}//tr[@class='same']")))
    assert counts == sorted(set(counts))
    assert counts[-1] == 99
    whole = ben.open(f"{request_of_files.path}?file={anchor_of('many.txt')}&context=all")
    assert not whole.tree.xpath(f"{section_path}//a[@class='widen']")


def test_files_that_are_too_long_are_shown_without_more_of_their_lines(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    project = client.ok("POST", "/projects", json={"name": "vast", "visibility": "public"})
    wide = [f"{number} {'long ' * 50}" for number in range(50_000)]  # more bytes than the API has in an answer
    for branch, action, wide_lines, blank_lines in (
        ("main", "create", wide, [""] * (MOST_WIDENED + 10)), ("less", "update", [*wide[:-9], "end"], [""]),
    ):  # fmt: skip
        files = {"wide.txt": text(wide_lines), "blank.txt": text(blank_lines)}
        actions = [{"action": action, "file_path": path, "content": content} for path, content in files.items()]
        start = {} if branch == "main" else {"start_branch": "main"}
        body = {"branch": branch, "commit_message": branch, "actions": actions, **start}
        commit = client.ok("POST", f"/projects/{project['id']}/repository/commits", json=body)
    address = f"/root/vast/-/commit/{commit['id']}"
    page = ben.open(address)
    assert page.tree.xpath(f"//section[@id='{anchor_of('wide.txt')}']//tr[@class='add'][contains(., 'end')]")
    assert not page.tree.xpath("//a[@class='widen']")
    for context in ("20", "all"):
        alone = ben.open(f"{address}?file={anchor_of('wide.txt')}&context={context}")
        assert (alone.status, len(alone.tree.xpath("//tr[@class='same']"))) == (200, 3)
    blank = ben.open(f"{address}?file={anchor_of('blank.txt')}&context=999")
    assert "This change is too large to show." in section(blank, "blank.txt")


def test_files_are_opened_whole_and_edited_on_their_branch(
    smithy: RunningServer, ben: Browser, request_of_files: Request
) -> None:
    page = ben.open(request_of_files.path)
    menu = f"//section[@id='{anchor_of('many.txt')}']//details[contains(@class, 'menu')]//a"
    links = {link.text: link.get("href") for link in page.tree.xpath(menu)}
    assert links["Edit file"] == "/smithy/anvil/-/edit/files/many.txt"
    assert "fifty" in ben.open(links["View file"]).text
    assert "fifty" not in ben.open(links["View previous version"]).text
    assert ben.open(links["Edit file"]).status == 200
    stranger = Browser(smithy).open(request_of_files.path)
    assert not stranger.tree.xpath("//a[.='Edit file']")
    commit = request_of_files.client.ok("GET", f"{ANVIL}/repository/commits/files")["id"]
    assert "Only the mode changed." in section(ben.open(f"/smithy/anvil/-/commit/{commit}"), "run.sh")
    assert "+3000 \u22123000" in section(ben.open("/smithy/anvil/-/compare/main...files"), "tall.txt")


def test_a_script_shows_more_lines_in_their_place(
    smithy: RunningServer, chromium: Chromium, request_of_files: Request
) -> None:
    page = chromium.new_page(base_url=smithy.url)
    page.goto(request_of_files.path)
    file = page.locator(f"[id='{anchor_of('many.txt')}']")
    before = file.locator("tr.same").count()
    link = file.locator("a.widen").first
    link.scroll_into_view_if_needed()
    line = file.locator("tr.add").first
    place = line.bounding_box()
    link.click()
    page.wait_for_function(
        "([id, before]) => document.getElementById(id).querySelectorAll('tr.same').length > before",
        arg=[anchor_of("many.txt"), before],
    )
    after = line.bounding_box()
    assert page.url.endswith("/diffs")
    assert place
    assert after
    assert abs(after["y"] - place["y"]) < 30
    page.fill("#list", "many")
    assert page.locator("#changed-files li[data-path]:visible").count() == 1
    page.close()
