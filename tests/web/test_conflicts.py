"""Conflicts on their page: a side of each conflict or file, or a text, without a script; refused choices stay."""

import base64
from collections.abc import Mapping
from importlib.resources import files
from itertools import count

import pytest
from playwright.sync_api import Browser as Chromium

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser, Visit
from tests.web.conftest import PATIENCE
from tests.web.test_browser import RULES, enter, press, violations

pytestmark = pytest.mark.costly

ANVIL = "/projects/smithy%2Fanvil"
_numbers = count(1)


def body(word: str, at: tuple[int, ...], end: str = "\n", last: str = "\n") -> bytes:
    """Twenty lines of which some have another word."""
    return (end.join(f"{word if line in at else 'line'} {line}" for line in range(1, 21)) + last).encode()


class Quarrel:
    """Two branches of a project that change the same files, and the request between them."""

    def __init__(self, server: RunningServer, base: Mapping[str, bytes]) -> None:
        number = next(_numbers)
        self.client = server.client(ROOT_TOKEN)
        self.source, self.target = f"fix-{number}", f"trunk-{number}"
        self.commit(self.target, base, start="main", action="create")
        self.client.ok("POST", f"{ANVIL}/repository/branches", json={"branch": self.source, "ref": self.target})

    def commit(
        self, branch: str, contents: Mapping[str, bytes | None], action: str = "update", start: str = ""
    ) -> None:
        actions = [
            {"action": "delete", "file_path": path}
            if content is None
            else {
                "action": action, "file_path": path, "encoding": "base64",
                "content": base64.b64encode(content).decode(),
            }
            for path, content in contents.items()
        ]  # fmt: skip
        more = {"start_branch": start} if start else {}
        body = {"branch": branch, "commit_message": "Change", "actions": actions, **more}
        self.client.ok("POST", f"{ANVIL}/repository/commits", json=body)

    def open_request(self) -> str:
        """The path of its page of conflicts."""
        fields = {"source_branch": self.source, "target_branch": self.target, "title": "Fix"}
        iid = self.client.ok("POST", f"{ANVIL}/merge_requests", json=fields)["iid"]
        return f"/smithy/anvil/-/merge_requests/{iid}/conflicts"

    def read(self, browser: Browser, name: str) -> bytes:
        return browser.http.get(f"/smithy/anvil/-/raw/{self.source}/{name}").content


def hunks(page: Visit, number: int) -> list[str]:
    """The names of the choices of a file."""
    names = page.tree.xpath(f"//input[starts-with(@name, 'hunk_{number}_')]/@name")
    return list(dict.fromkeys(names))


def chosen(page: Visit) -> dict[str, str]:
    return {field.get("name"): field.get("value") for field in page.tree.xpath("//main//input[@checked]")}


def test_sides_of_conflicts_in_several_files_are_mixed(smithy: RunningServer, ben: Browser) -> None:
    names = ("crlf.txt", "open.txt", "plain.txt", "whole.txt")
    quarrel = Quarrel(smithy, {
        "crlf.txt": body("", (), "\r\n", "\r\n"), "open.txt": body("", ()), "plain.txt": body("", ()),
        "whole.txt": body("", ()),
    })  # fmt: skip
    quarrel.commit(quarrel.source, {
        "crlf.txt": body("fix", (1, 20), "\r\n", "\r\n"), "open.txt": body("fix", (10, 20), last=""),
        "plain.txt": body("fix", (1, 10, 20)), "whole.txt": body("fix", (3, 9)),
    })  # fmt: skip
    quarrel.commit(quarrel.target, {
        "crlf.txt": body("main", (1, 20), "\r\n", "\r\n"), "open.txt": body("main", (10, 20)),
        "plain.txt": body("main", (1, 10, 20)), "whole.txt": body("main", (3,)),
    })  # fmt: skip
    page = ben.open(quarrel.open_request())
    assert page.tree.xpath("//section/@aria-label") == list(names)
    assert f"git merge origin/{quarrel.target}" in page.text
    assert f"Use {quarrel.source}" in page.text
    assert f"Use {quarrel.target}" in page.text
    crlf, unended, plain = (hunks(page, number) for number in range(3))
    assert (len(crlf), len(unended), len(plain)) == (2, 2, 3)
    sides = {
        crlf[0]: "ours", crlf[1]: "theirs", unended[0]: "theirs", unended[1]: "ours",
        plain[0]: "theirs", plain[1]: "ours", plain[2]: "theirs",
    }  # fmt: skip

    result = ben.send(page, "/conflicts", **sides, choice_3="ours")

    assert "Conflicts resolved." in result.text
    last = [f"line {line}" for line in range(2, 20)]
    assert quarrel.read(ben, "crlf.txt") == "\r\n".join(["fix 1", *last, "main 20", ""]).encode()
    assert quarrel.read(ben, "open.txt") == "\n".join(["line 1", *last[:8], "main 10", *last[9:], "fix 20"]).encode()
    assert (
        quarrel.read(ben, "plain.txt") == "\n".join(["main 1", *last[:8], "fix 10", *last[9:], "main 20", ""]).encode()
    )
    assert quarrel.read(ben, "whole.txt") == body("fix", (3, 9))
    head = quarrel.client.ok("GET", f"{ANVIL}/repository/commits/{quarrel.source}")
    assert (len(head["parent_ids"]), head["author_name"]) == (2, "Ben Okoro")
    assert "No conflicts." in ben.open(page.path).text


def test_a_text_is_written_by_hand_once_its_marks_are_gone(smithy: RunningServer, ben: Browser) -> None:
    quarrel = Quarrel(smithy, {"alloy.txt": b"tin\r\n", "ore.txt": b"first\n"})
    quarrel.commit(quarrel.source, {"alloy.txt": b"ours\r\n", "ore.txt": b"ours\n"})
    quarrel.commit(quarrel.target, {"alloy.txt": b"theirs\r\n", "ore.txt": b"theirs\n"})
    page = ben.open(quarrel.open_request())
    marked = page.tree.findtext(".//textarea").replace("\r", "")
    assert marked == f"\n<<<<<<< {quarrel.source}\nours\n=======\ntheirs\n>>>>>>> {quarrel.target}\n"

    refused = ben.send(page, "/conflicts", choice_0="edit", content_0=marked.strip(), choice_1="theirs")
    assert (refused.status, "Resolve alloy.txt: line 1 still has a conflict marker." in refused.text) == (422, True)
    assert chosen(refused) == {"choice_0": "edit", "choice_1": "theirs"}
    ben.send(refused, "/conflicts", content_0="both\r\nzinc\r\n")

    assert quarrel.read(ben, "alloy.txt") == b"both\r\nzinc\r\n"
    assert quarrel.read(ben, "ore.txt") == b"theirs\n"


def test_a_conflict_without_a_side_is_named_and_the_others_stay(smithy: RunningServer, ben: Browser) -> None:
    quarrel = Quarrel(smithy, {"a.txt": body("", ()), "b.txt": b"1\n"})
    quarrel.commit(quarrel.source, {"a.txt": body("fix", (1, 20)), "b.txt": b"2\n"})
    quarrel.commit(quarrel.target, {"a.txt": body("main", (1, 20)), "b.txt": b"3\n"})
    page = ben.open(quarrel.open_request())
    first, _ = hunks(page, 0)
    assert "no side chosen yet" not in page.text

    refused = ben.send(page, "/conflicts", **{first: "theirs"}, choice_1="ours")

    assert (refused.status, "Choose a resolution for a.txt" in refused.text) == (422, True)
    assert chosen(refused) == {"choice_0": "hunks", first: "theirs", "choice_1": "ours"}
    assert "Conflict 2 of 2: no side chosen yet" in refused.text
    assert "Conflict 1 of 2: no" not in refused.text


def test_choices_that_still_fit_stay_when_a_branch_moves(smithy: RunningServer, ben: Browser) -> None:
    quarrel = Quarrel(smithy, dict.fromkeys(("b.txt", "c.txt", "d.txt"), body("", ())))
    quarrel.commit(quarrel.source, {"b.txt": body("fix", (1, 10, 20)), "c.txt": b"fix\n", "d.txt": b"fix\n"})
    quarrel.commit(quarrel.target, {"b.txt": body("main", (1, 10, 20)), "c.txt": b"main\n", "d.txt": b"main\n"})
    page = ben.open(quarrel.open_request())
    first, second, third = hunks(page, 0)
    # A file before the others conflicts from now on, and of the three conflicts the second is another one.
    moved = body("main", (1, 10, 20)).replace(b"main 10", b"main 11")
    quarrel.commit(quarrel.source, {"a.txt": b"fix\n"}, "create")
    quarrel.commit(quarrel.target, {"a.txt": b"main\n"}, "create")
    quarrel.commit(quarrel.target, {"b.txt": moved})
    sides = {first: "ours", second: "ours", third: "theirs"}

    refused = ben.send(page, "/conflicts", **sides, choice_1="edit", content_1="by hand\r\n", choice_2="theirs")

    assert (refused.status, "One of the branches has changed." in refused.text) == (409, True)
    assert refused.tree.xpath("//section/@aria-label") == ["a.txt", "b.txt", "c.txt", "d.txt"]
    renamed = [name.replace("hunk_0_", "hunk_1_") for name in (first, second, third)]
    kept = {"choice_0": "hunks", "choice_1": "hunks", renamed[0]: "ours", renamed[2]: "theirs"}
    assert chosen(refused) == {**kept, "choice_2": "edit", "choice_3": "theirs"}
    assert refused.tree.xpath("//textarea[@id='content_2']")[0].text.strip() == "by hand"
    notices = refused.tree.xpath(
        "//section[.//p[contains(., 'This file changed on a branch after you made your choice.')]]/@aria-label"
    )
    assert notices == ["b.txt"]
    new = next(name for name in hunks(refused, 1) if name not in renamed)

    ben.send(refused, "/conflicts", choice_0="theirs", content_2="by hand\r\n", **{new: "theirs"})

    assert quarrel.read(ben, "b.txt") == body("main", (1, 10, 20)).replace(b"main 1\n", b"fix 1\n").replace(
        b"main 10", b"main 11"
    )
    assert [quarrel.read(ben, name) for name in ("a.txt", "c.txt", "d.txt")] == [b"main\n", b"by hand\n", b"main\n"]


def test_files_without_lines_to_choose_from_say_why(smithy: RunningServer, ben: Browser) -> None:
    old = {"gone.txt": b"1\n", "left.txt": b"1\n", "mint.bin": b"\0 1", "ore.txt": b"1\n"}
    quarrel = Quarrel(smithy, old)
    quarrel.commit(quarrel.source, {"left.txt": b"2\n", "mint.bin": b"\0 2", "gone.txt": None, "ore.txt": b"caf\xe9\n"})
    quarrel.commit(quarrel.target, {"left.txt": None, "mint.bin": b"\0 3", "gone.txt": b"3\n", "ore.txt": b"3\n"})
    page = ben.open(quarrel.open_request())

    def options(name: str) -> list[str]:
        path = f"//section[@aria-label='{name}']//fieldset[legend[starts-with(., 'Resolution for')]]/label"
        return [" ".join("".join(label.itertext()).split()) for label in page.tree.xpath(path)]

    source, target = quarrel.source, quarrel.target
    assert f"{source} deleted this file, but {target} changed it." in page.text
    assert f"{target} deleted this file, but {source} changed it." in page.text
    assert (
        "This is a binary file, so there are no lines to choose from. Choose the version from one branch." in page.text
    )
    assert options("gone.txt") == [
        f"Delete the file, as on {source}",
        f"Use the file from {target}",
        "Edit the file myself",
    ]
    assert options("left.txt") == [
        f"Use the file from {source}",
        f"Delete the file, as on {target}",
        "Edit the file myself",
    ]
    assert options("mint.bin") == [f"Use the file from {source}", f"Use the file from {target}"]
    # Its bytes are no UTF-8, so a form would change them; a side of the conflict leaves them as they are.
    assert options("ore.txt") == [
        "Choose a side for each conflict below", f"Use the file from {source}", f"Use the file from {target}",
    ]  # fmt: skip
    assert chosen(page) == {"choice_3": "hunks"}
    choices = {"choice_0": "ours", "choice_1": "ours", "choice_2": "theirs", hunks(page, 3)[0]: "ours"}

    ben.send(page, "/conflicts", **choices)

    files = [quarrel.read(ben, name) for name in ("left.txt", "mint.bin", "ore.txt")]
    assert files == [b"2\n", b"\0 3", b"caf\xe9\n"]
    assert ben.http.get(f"/smithy/anvil/-/raw/{source}/gone.txt").status_code == 404


def test_who_may_not_push_reads_what_to_do(smithy: RunningServer, ben: Browser) -> None:
    quarrel = Quarrel(smithy, {"a.txt": b"1\n"})
    quarrel.commit(quarrel.source, {"a.txt": b"2\n"})
    quarrel.commit(quarrel.target, {"a.txt": b"3\n"})
    path = quarrel.open_request()
    reader = Browser(smithy)
    reader.enter_by_link("dai")

    page = reader.open(path)

    assert f"git merge origin/{quarrel.target}" in page.text
    assert not page.tree.xpath("//form[contains(@action, '/conflicts')]")
    assert not page.tree.xpath("//section//input")
    form = ben.open(path)
    token = {"authenticity_token": reader.open("/").tree.xpath("//input[@name='authenticity_token']/@value")[0]}
    fields = {name: form.tree.xpath(f"//input[@name='{name}']/@value")[0] for name in ("head", "target", "path_0")}
    refused = reader.http.post(path, data={**token, **fields, "choice_0": "ours"})
    assert (refused.status_code, quarrel.read(ben, "a.txt")) == (403, b"2\n")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_sides_are_chosen_by_keyboard_without_a_script(
    smithy: RunningServer, ben: Browser, chromium: Chromium, width: int, scheme: str
) -> None:
    quarrel = Quarrel(smithy, {"a.txt": body("", ())})
    quarrel.commit(quarrel.source, {"a.txt": body("a rather long line of the fix that goes on and on, far", (1, 20))})
    quarrel.commit(quarrel.target, {"a.txt": body("main", (1, 20))})
    path = quarrel.open_request()
    context = chromium.new_context(base_url=smithy.url, viewport={"width": width, "height": 800})
    page = enter(smithy, context, "ben")
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(path)
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
    assert violations(page, path, RULES) == []
    context.close()

    context = chromium.new_context(
        base_url=smithy.url, viewport={"width": width, "height": 800}, java_script_enabled=False
    )
    page = enter(smithy, context, "ben")
    page.set_default_timeout(PATIENCE)
    page.goto(path)
    radios, text = page.locator("input[name^='hunk_']"), page.locator("textarea[name='content_0']")
    # What does not count is not shown.
    assert (radios.first.is_visible(), text.is_visible()) == (True, False)
    page.check("input[value='edit']")
    assert (radios.first.is_visible(), text.is_visible()) == (False, True)
    page.check("input[name='choice_0'][value='theirs']")
    assert (radios.first.is_visible(), text.is_visible()) == (False, False)
    page.check("input[value='hunks']")
    box = radios.nth(1).bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= width - box["width"]
    radios.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    press(page, "button:text-is('Commit the resolution')")
    assert "Conflicts resolved." in (page.text_content("main") or "")
    context.close()
    word = "a rather long line of the fix that goes on and on, far"
    expected = body("", ()).replace(b"line 20", f"{word} 20".encode()).replace(b"line 1\n", b"main 1\n")
    assert quarrel.read(ben, "a.txt") == expected
