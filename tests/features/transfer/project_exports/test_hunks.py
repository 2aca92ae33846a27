"""Notes on lines carry the lines above them."""

from typing import Any

import pytest

from ingot.features.transfer.project_exports.relations.hunks import hunk_at
from tests.features.transfer.project_imports.making import exported, imported, relation
from tests.support.world import World

DIFF = "@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2b\n three\n"
DIFF += "@@ -10,2 +11,2 @@ tail\n ten\n-eleven\n+11\n\\ No newline at end of file\n"


@pytest.mark.parametrize(
    ("old", "new", "end"),
    [
        (1, 1, " one\n"), (2, None, "-two\n"), (None, 2, "+2\n"), (None, 3, "+2b\n"), (3, 4, " three\n"),
        (None, 4, " three\n"), (11, None, "-eleven\n"), (None, 12, "+11\n"),
    ],
)  # fmt: skip
def test_a_hunk_ends_with_its_line(old: int | None, new: int | None, end: str) -> None:
    result = hunk_at(DIFF, old, new)
    assert result is not None
    assert result.startswith("@@ -1,3" if (old or new or 0) < 9 else "@@ -10,2")
    assert result.endswith(end)


def test_lines_that_the_diff_does_not_show_have_no_hunk() -> None:
    assert hunk_at(DIFF, 7, 8) is None
    assert hunk_at("", 1, 1) is None
    assert hunk_at("Binary files a/x and b/x differ\n", None, 1) is None


def test_only_line_feeds_begin_lines() -> None:
    result = hunk_at("@@ -0,0 +1,2 @@\n+a\x0c b\u2028 c\r\n+d\n", None, 2)

    assert result is not None
    assert result.endswith("\r\n+d\n")


def test_a_note_on_a_line_brings_its_lines_along(world: World) -> None:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "feature", {"a.txt": "one\ntwo\nthree\n"})
    base = f"/projects/{project['id']}/merge_requests"
    body = {"title": "Add a", "source_branch": "feature", "target_branch": "main"}
    created = owner.client.ok("POST", base, json=body)
    refs = owner.client.ok("GET", f"{base}/{created['iid']}")["diff_refs"]
    place = {**refs, "position_type": "text", "new_path": "a.txt", "old_path": "a.txt", "new_line": 2}
    owner.client.ok("POST", f"{base}/{created['iid']}/discussions", json={"body": "Hm", "position": place})

    content = exported(world, owner, project["id"])
    hunk = diff_file(content)
    assert (hunk["new_file"], hunk["new_path"]) == (True, "a.txt")
    assert hunk["diff_export"] == "@@ -0,0 +1,3 @@\n+one\n+two\n"

    again = exported(world, owner, imported(world, owner, content)["id"])
    assert diff_file(again) == hunk


def diff_file(content: bytes) -> dict[str, Any]:
    [request] = relation(content, "merge_requests")
    [result] = [note["note_diff_file"] for note in request["notes"] if note["type"] == "DiffNote"]
    return dict(result)
