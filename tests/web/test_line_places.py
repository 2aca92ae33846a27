"""Comments on lines stay with them when later versions move the lines, and leave the changes when the lines change."""

from typing import Any

import pytest

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly

ANVIL = "/projects/smithy%2Fanvil"
OLD = "".join(f"line {number}\n" for number in range(1, 9))
FIRST = OLD.replace("line 3\n", "third\n").replace("line 6\n", "")


class Request:
    """A merge request that changes one file, and what is done to it."""

    def __init__(self, smithy: RunningServer, name: str, content: str) -> None:
        self.client = smithy.client(ROOT_TOKEN)
        self.name = name
        self.commit("main", "create", OLD)
        self.client.ok("POST", f"{ANVIL}/repository/branches", json={"branch": name, "ref": "main"})
        self.commit(name, "update", content)
        fields = {"source_branch": name, "target_branch": "main", "title": name}
        self.iid = self.client.ok("POST", f"{ANVIL}/merge_requests", json=fields)["iid"]
        self.path = f"/smithy/anvil/-/merge_requests/{self.iid}"

    def commit(self, branch: str, action: str, content: str, **more: str) -> None:
        actions = [{"action": action, "file_path": f"{self.name}.txt", "content": content, **more}]
        body = {"branch": branch, "commit_message": f"Change {self.name}", "actions": actions}
        self.client.ok("POST", f"{ANVIL}/repository/commits", json=body)

    def push(self, content: str, versions: int, action: str = "update", **more: str) -> None:
        """A new version, which is the one with this number."""
        self.commit(self.name, action, content, **more)
        address = f"{ANVIL}/merge_requests/{self.iid}/versions"
        until(lambda: len(self.client.ok("GET", address)) == versions)

    def say(self, words: str, old: int | None, new: int | None, path: str = "discussions", **more: Any) -> None:
        refs = self.client.ok("GET", f"{ANVIL}/merge_requests/{self.iid}")["diff_refs"]
        names = dict.fromkeys(("old_path", "new_path"), f"{self.name}.txt")
        place = {**refs, **names, "position_type": "text", **more}
        lines = {name: line for name, line in (("old_line", old), ("new_line", new)) if line is not None}
        words_name = "note" if path == "draft_notes" else "body"
        body = {words_name: words, "position": {**place, **lines}}
        self.client.ok("POST", f"{ANVIL}/merge_requests/{self.iid}/{path}", json=body)


def line_above(visit: Visit, words: str) -> str:
    """The text of the line below which something is said; empty where it is not said among lines."""
    row = f"//tr[@class='talk'][contains(., '{words}')]/preceding-sibling::tr[not(@class='talk')][1]/td[last()]"
    return str(visit.tree.xpath(f"string({row})"))


def test_comments_follow_their_lines_to_newer_versions_and_back(smithy: RunningServer, ben: Browser) -> None:
    request = Request(smithy, "following", FIRST)
    request.say("About a new line.", None, 3)
    request.say("About a removed line.", 6, None)
    request.say("About an unchanged line.", 5, 5)
    start = {"start": {"type": None, "old_line": 7, "new_line": 6}, "end": {"type": None, "old_line": 8, "new_line": 7}}
    request.say("About two lines.", 8, 7, line_range=start)
    request.push(f"zero\nhalf\n{FIRST}", 2)

    now = ben.open(f"{request.path}/diffs")

    expected = {
        "About a new line.": "third", "About a removed line.": "line 6", "About an unchanged line.": "line 5",
        "About two lines.": "line 8",
    }  # fmt: skip
    assert {words: line_above(now, words) for words in expected} == expected
    assert ("Lines 8 to 9" in now.text, "not shown here" in now.text) == (True, False)
    split = ben.open(f"{request.path}/diffs?view=parallel")
    assert all(words in split.text for words in expected)
    ben.open(f"{request.path}/diffs?view=inline")
    request.say("Written about the second version.", None, 5)
    older = ben.open(next(link for link in now.links() if "diff_id=" in link))
    assert line_above(older, "Written about the second version.") == "third"
    assert "Lines 6 to 7" in older.text
    alone = {"action": "move", "previous_path": f"{request.name}.txt", "file_path": "followed.txt"}
    request.push(f"zero\nhalf\n{FIRST}", 3, **alone)
    renamed = ben.open(f"{request.path}/diffs")
    assert line_above(renamed, "About a new line.") == "third"


def test_comments_on_lines_that_changed_are_left_to_the_overview(smithy: RunningServer, ben: Browser) -> None:
    request = Request(smithy, "leaving", FIRST)
    request.say("Why third?", None, 3)
    # Another line has the number of the one that the comment is about.
    request.push(FIRST.replace("third\n", "other\nthe third\n"), 2)

    now = ben.open(f"{request.path}/diffs")

    assert (line_above(now, "Why third?"), "Why third?" in now.text) == ("", False)
    assert "1 thread on lines that are not shown here" in now.text
    overview = ben.open(request.path)
    thread = overview.tree.xpath("//section[@class='thread'][contains(., 'Why third?')]")[0]
    link = thread.xpath("./p[contains(@class, 'where')]/a/@href")[0]
    assert line_above(ben.open(link.partition("#")[0]), "Why third?") == "third"


def test_drafts_whose_lines_changed_stand_at_the_end(smithy: RunningServer) -> None:
    root = Browser(smithy)
    root.enter_by_link("root")
    request = Request(smithy, "drafting", FIRST)
    request.say("My draft.", None, 3, "draft_notes")
    assert line_above(root.open(f"{request.path}/diffs"), "My draft.") == "third"
    request.push(FIRST.replace("third", "3rd"), 2)

    now = root.open(f"{request.path}/diffs")

    left = now.tree.xpath("//section[@aria-label='Other drafts']")[0]
    assert ("My draft." in "".join(left.itertext()), line_above(now, "My draft.")) == (True, "")
    dropped = root.send(now, "/remove")
    assert "My draft." not in dropped.text
