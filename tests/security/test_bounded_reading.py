"""Texts and tables of contents that are read whole have a stated length."""

import struct
from typing import Any

import pytest

from ingot.features.ci.files.zip_directory import MAX_DIRECTORY, MAX_ENTRIES, ZipUnreadable, read_directory
from ingot.features.spaces.projects.markdown import MAX_RENDERED
from tests.support.world import World

SIZE = MAX_DIRECTORY + 100_000


class Claimed:
    """The end of an archive that claims a directory, and how much of it was asked for."""

    def __init__(self, entries: int, length: int) -> None:
        end64 = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, entries, entries, length, 0)
        locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, SIZE - 98, 1)
        self.content = end64 + locator + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 65535, 65535, 0, 0, 0)
        self.longest = 0

    def read(self, offset: int, length: int) -> bytes:
        self.longest = max(self.longest, length)
        start = offset - (SIZE - len(self.content))
        padding = b"\0" * min(length, max(0, -start))
        return padding + self.content[max(0, start) : max(0, start + length)]


@pytest.mark.parametrize(("entries", "length"), [(1, MAX_DIRECTORY + 1), (MAX_ENTRIES + 1, 4096)])
def test_a_directory_above_the_limit_is_refused_unread(entries: int, length: int) -> None:
    archive = Claimed(entries, length)

    with pytest.raises(ZipUnreadable, match="the archive has too many entries"):
        read_directory(archive, SIZE)

    assert archive.longest < 100_000


@pytest.mark.parametrize(("length", "opening"), [(MAX_RENDERED - 8, "<p><strong>a"), (MAX_RENDERED, "<pre>**a**&lt;b")])
def test_a_very_long_description_is_shown_as_it_is(world: World, length: int, opening: str) -> None:
    project: dict[str, Any] = world.project(initialize_with_readme=True)
    branch = world.name("long")
    world.commit(project, branch, {"a.txt": "a"})
    description = "**a**<b" + "x" * (length - 6)
    options = {"source_branch": branch, "target_branch": "main", "title": "t", "description": description}
    request = world.admin.ok("POST", f"/projects/{project['id']}/merge_requests", json=options)

    shown = world.admin.ok("GET", f"/projects/{project['id']}/merge_requests/{request['iid']}?render_html=true")

    assert shown["description_html"].startswith(opening)
