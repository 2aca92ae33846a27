"""The rules of paths and names, as tables."""

import pytest

from ingot.access import names

LOOSE_P, LOOSE_G, STRICT = [names.LOOSE_PROJECT_PATH], [names.LOOSE_GROUP_PATH], [names.STRICT_PATH]


@pytest.mark.parametrize(
    ("path", "project", "group"),
    [
        ("ok", [], []),
        ("a", [], ["is too short (minimum is 2 characters)"]),
        ("a.b-c_d", [], []),
        ("A1", [], []),
        ("", ["can't be blank"], ["can't be blank"]),
        ("-a1", LOOSE_P + STRICT, LOOSE_G + STRICT),
        ("_a1", STRICT, STRICT),
        ("a__b", STRICT, STRICT),
        ("a-.b", STRICT, STRICT),
        ("ab.", STRICT, LOOSE_G + STRICT),
        ("ab.git", LOOSE_P + STRICT, LOOSE_G + STRICT),
        ("ab.GIT", LOOSE_P + STRICT, LOOSE_G + STRICT),
        ("ab.atom", LOOSE_P + STRICT, LOOSE_G + STRICT),
        ("git", [], []),
        ("a b", LOOSE_P + STRICT, LOOSE_G + STRICT),
        ("a/b", LOOSE_P + STRICT, LOOSE_G + STRICT),
        ("é1", LOOSE_P + STRICT, LOOSE_G + STRICT),
        ("\u0661\u0662", LOOSE_P + STRICT, LOOSE_G + STRICT),  # digits of another script
        ("ab\n", LOOSE_P + STRICT, LOOSE_G + STRICT),
        ("x" * 256, ["is too long (maximum is 255 characters)"], ["is too long (maximum is 255 characters)"]),
        ("Blob", ["Blob is a reserved name"], []),
        ("admin", [], ["admin is a reserved name"]),
    ],
)
def test_paths(path: str, project: list[str], group: list[str]) -> None:
    assert names.project_path_problems(path) == project
    assert names.group_path_problems(path, top_level=True) == group


def test_subgroups_have_the_reserved_words_of_projects() -> None:
    assert names.group_path_problems("tree", top_level=False) == ["tree is a reserved name"]
    assert names.group_path_problems("admin", top_level=False) == []


@pytest.mark.parametrize(
    ("name", "project", "group"),
    [
        ("Tool", True, True),
        ("C++ parser", True, False),
        ("Team (north)", False, True),
        ("日本 v1.0", True, True),
        ("🚀", True, True),
        ("_x", True, True),
        ("3 mice", True, True),
        ("a\u2014b", True, True),
        (".x", False, False),
        ("-x", False, False),
        ("a/b", False, False),
        ("a<b>", False, False),
        ("a\nb", False, False),
        ("a\u2028b", False, False),
        ("", False, False),
        ("  ", False, False),
        ("x" * 256, False, False),
    ],
)
def test_names(name: str, project: bool, group: bool) -> None:
    assert (names.project_name_problems(name) == []) is project
    assert (names.group_name_problems(name) == []) is group


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Foo Project", "foo-project"),
        ("Foo-Project", "Foo-Project"),
        ("Über-Tool 2", "uber-tool-2"),
        ("a.b", "a.b"),
        ("C++ & more!", "c-more"),
        ("🚀", ""),
    ],
)
def test_a_path_follows_from_a_name(name: str, path: str) -> None:
    assert names.path_from_name(name) == path
