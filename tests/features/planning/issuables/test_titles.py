import pytest

from ingot.features.planning.issuables import count_tasks, is_draft, with_draft, without_draft


@pytest.mark.parametrize("title", ["Draft: x", "draft:x", "[Draft] x", "(DRAFT) x"])
def test_draft_titles_are_drafts(title: str) -> None:
    assert is_draft(title)


@pytest.mark.parametrize("title", ["WIP: x", "Draft x", "Draft - x", "[Draft ] x", "x Draft:"])
def test_other_titles_are_no_drafts(title: str) -> None:
    assert not is_draft(title)


def test_draft_marks_are_added_and_removed_once() -> None:
    assert with_draft("x") == "Draft: x"
    assert with_draft("[draft] x") == "[draft] x"
    assert without_draft("Draft: Draft: x") == "Draft: x"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (None, (0, 0)),
        ("- [ ] a\n* [x] b\n+ [X] c\n1. [ ] d\n2) [x] e", (5, 3)),
        ("> - [ ] quoted\n  - [x] nested", (2, 1)),
        ("- [~] never mind\n- [x]no space\n- [ ] ", (0, 0)),
        ("```\n- [ ] code\n```\n- [ ] real", (1, 0)),
        ("<!-- - [ ] hidden -->\n- [x] shown", (1, 1)),
        ("    - [ ] indented code\n\ttext\n\t- [ ] more code", (0, 0)),
        ("text\n    - [ ] goes on", (0, 0)),
        ("- a\n    - [ ] b\n        - [x] c\n            - [x] d", (3, 2)),
        ("- [ ] a\n\ntext\n\n    - [ ] code", (1, 0)),
    ],
)
def test_tasks_are_counted(text: str | None, counts: tuple[int, int]) -> None:
    assert count_tasks(text) == counts
