"""Rules from CODEOWNERS: whose they are, where they count, and how they follow the request."""

from typing import Any

import pytest

from ingot.features.review.approvals.code_owners import matching, parse
from tests.support.world import Person, World


def patterns(text: str, *paths: str) -> list[str]:
    return [entry.pattern for entry in matching(parse(text), paths)]


FILE = r"""
# comment
* @all
/docs/ @docs
/top/* @top
**/deep/*.py @deep
\#odd @odd
a\ b.txt @space
[Python][2] @snakes
*.py
!vendor/
^[Later] later@example.com
*.md
[python]
setup.py @setup
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("README.txt", ["*"]),
        ("docs/guide/a.txt", ["/docs/"]),
        ("x/docs/a.txt", ["*"]),
        ("top/a.txt", ["/top/*"]),
        ("top/below/a.txt", ["*"]),
        ("src/deep/a.py", ["**/deep/*.py", "*.py"]),
        ("#odd", ["#odd"]),
        ("a b.txt", ["a b.txt"]),
        ("src/vendor/a.py", ["*"]),
        ("a.md", ["*", "*.md"]),
        ("setup.py", ["*", "setup.py"]),
    ],
)
def test_the_last_match_of_each_section_owns_a_file(path: str, expected: list[str]) -> None:
    assert patterns(FILE, path) == expected


def test_sections_say_how_many_approvals_they_want() -> None:
    entries = {entry.pattern: entry for entry in parse(FILE)}

    assert (entries["*"].section.name, entries["*"].section.required) == ("codeowners", 1)
    assert (entries["*.py"].section.name, entries["*.py"].section.required) == ("Python", 2)
    assert entries["*.py"].owners == ("@snakes",)
    assert (entries["*.md"].section.required, entries["*.md"].owners) == (0, ("later@example.com",))
    assert entries["setup.py"].section.name == "Python"


def test_lines_without_owners_own_nothing() -> None:
    assert patterns("* @all\n/free/\n", "free/a") == []


def test_many_wildcards_take_no_longer_than_few() -> None:
    for hard in ("*a" * 30 + "b", "**/a*/" * 12 + "b", "?" * 1024, "*" * 1024):
        assert patterns(f"{hard} @x", "a" * 250, "a/" * 200 + "c") == (["*" * 1024] if set(hard) == {"*"} else [])

    assert patterns("*a" * 30 + "b @x", "a" * 250 + "b") == ["*a" * 30 + "b"]


def test_of_many_lines_the_last_match_counts() -> None:
    lines = [f"/part-{number}/**/*.py @x" for number in range(120)] + [
        "?" * 1000 + f"{number} @y" for number in range(60)
    ]

    result = patterns("\n".join(lines), "part-7/a/b.py", "part-119/c.py", "a" * 1000 + "59")

    assert result == ["/part-7/**/*.py", "/part-119/**/*.py", "?" * 1000 + "59"]


def test_a_pattern_longer_than_any_path_owns_nothing() -> None:
    assert patterns("a" * 1025 + " @x", "a" * 1025, "a") == []


def test_a_line_has_so_many_owners_at_most() -> None:
    (entry,) = parse("* " + " ".join(f"@user-{number}" for number in range(600)))

    assert len(entry.owners) == 500


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def keeper(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person, keeper: Person) -> dict[str, Any]:
    """`main` is protected and asks for owners."""
    project = world.project(owner, initialize_with_readme=True)
    world.member(project, keeper, "developer")
    path = f"/projects/{project['id']}/protected_branches"
    owner.client.ok("PATCH", f"{path}/main", json={"code_owner_approval_required": True})
    return project


def opened(world: World, owner: Person, project: dict[str, Any], files: dict[str, str]) -> str:
    world.commit(project, "f", files)
    created = world.merge_request(project, owner, source_branch="f", target_branch="main")
    return f"/projects/{project['id']}/merge_requests/{created['iid']}"


def test_owners_of_changed_files_have_to_approve(
    world: World, owner: Person, keeper: Person, project: dict[str, Any]
) -> None:
    world.commit(project, "main", {"CODEOWNERS": f"[Code]\n*.py @{keeper.username.upper()}\n*.md @{owner.username}\n"})

    path = opened(world, owner, project, {"a.py": "a = 1\n"})

    (rule,) = owner.client.ok("GET", f"{path}/approval_state")["rules"]
    assert (rule["name"], rule["rule_type"], rule["code_owner"]) == ("*.py", "code_owner", True)
    assert (rule["section"], rule["approvals_required"], rule["approved"]) == ("Code", 1, False)
    assert [user["id"] for user in rule["eligible_approvers"]] == [keeper.id]
    assert owner.client.ok("GET", path)["detailed_merge_status"] == "not_approved"
    left = owner.client.ok("GET", f"{path}/approvals")
    assert (left["approvals_required"], left["approvals_left"]) == (1, 1)
    assert left["approval_rules_left"] == [{"id": rule["id"], "name": "*.py", "rule_type": "code_owner"}]

    keeper.client.ok("POST", f"{path}/approve")

    (rule,) = owner.client.ok("GET", f"{path}/approval_state")["rules"]
    assert (rule["approved"], [user["id"] for user in rule["approved_by"]]) == (True, [keeper.id])
    assert owner.client.ok("PUT", f"{path}/merge")["state"] == "merged"


def test_owners_stand_beside_rules_of_the_project(
    world: World, owner: Person, keeper: Person, project: dict[str, Any]
) -> None:
    world.commit(project, "main", {"CODEOWNERS": f"*.py @{keeper.username}\n"})
    rules = f"/projects/{project['id']}/approval_rules"
    owner.client.ok("POST", rules, json={"name": "Two", "approvals_required": 2, "user_ids": [keeper.id, owner.id]})

    path = opened(world, owner, project, {"a.py": "a = 1\n"})

    state = owner.client.ok("GET", f"{path}/approval_state")
    assert state["approval_rules_overwritten"] is False
    assert [rule["rule_type"] for rule in state["rules"]] == ["regular", "code_owner"]


def test_without_protection_owners_are_only_shown(
    world: World, owner: Person, keeper: Person, project: dict[str, Any]
) -> None:
    world.commit(project, "main", {"CODEOWNERS": f"*.py @{keeper.username}\n"})
    path = opened(world, owner, project, {"a.py": "a = 1\n"})
    branch = f"/projects/{project['id']}/protected_branches/main"

    owner.client.ok("PATCH", branch, json={"code_owner_approval_required": False})

    (rule,) = owner.client.ok("GET", f"{path}/approval_state")["rules"]
    assert (rule["approvals_required"], rule["approved"]) == (0, True)
    assert owner.client.ok("GET", path)["detailed_merge_status"] == "mergeable"


def test_rules_follow_what_is_pushed(world: World, owner: Person, keeper: Person, project: dict[str, Any]) -> None:
    world.commit(project, "main", {"CODEOWNERS": f"*.py @{keeper.username}\n*.md @{keeper.username}\n"})
    path = opened(world, owner, project, {"a.py": "a = 1\n"})
    (before,) = owner.client.ok("GET", f"{path}/approval_rules")

    world.commit(project, "f", {"b.md": "b\n"})

    after = owner.client.ok("GET", f"{path}/approval_rules")
    assert [rule["name"] for rule in after] == ["*.py", "*.md"]
    assert after[0]["id"] == before["id"]
    gone = {"branch": "f", "commit_message": "Remove it"}
    owner.client.ok("DELETE", f"/projects/{project['id']}/repository/files/a.py", json=gone)
    assert [rule["name"] for rule in owner.client.ok("GET", f"{path}/approval_rules")] == ["*.md"]


def test_owners_may_be_groups_roles_and_addresses(
    world: World, owner: Person, keeper: Person, project: dict[str, Any]
) -> None:
    invited, stranger, maintainer = world.group(owner), world.group(owner), world.user()
    world.member(invited, keeper, "developer", kind="groups")
    world.member(stranger, world.user(), "developer", kind="groups")
    world.member(project, maintainer, "maintainer")
    owner.client.ok("POST", f"/projects/{project['id']}/share", json={"group_id": invited["id"], "group_access": 30})
    lines = [
        f"by-group @{invited['full_path']}",
        f"by-stranger @{stranger['full_path']}",
        "by-role @@maintainers",
        f"by-mail {keeper.username}@example.com",
        "by-nobody @nobody-of-this-name",
    ]
    world.commit(project, "main", {"CODEOWNERS": "\n".join(lines)})

    path = opened(world, owner, project, {line.split()[0]: "x" for line in lines})

    rules = {rule["name"]: rule for rule in owner.client.ok("GET", f"{path}/approval_state")["rules"]}
    able = {name: sorted(user["id"] for user in rule["eligible_approvers"]) for name, rule in rules.items()}
    assert keeper.id in able["by-group"]
    assert [group["id"] for group in rules["by-group"]["groups"]] == [invited["id"]]
    assert (able["by-stranger"], able["by-nobody"]) == ([], [])
    assert maintainer.id in able["by-role"]
    assert able["by-mail"] == [keeper.id]
    assert rules["by-nobody"]["approved"] is True  # nobody can meet it, so it does not hold the merge


def test_nobody_edits_rules_that_come_from_the_file(
    world: World, owner: Person, keeper: Person, project: dict[str, Any]
) -> None:
    world.commit(project, "main", {"CODEOWNERS": f"*.py @{keeper.username}\n"})
    path = opened(world, owner, project, {"a.py": "a = 1\n"})
    (rule,) = owner.client.ok("GET", f"{path}/approval_rules")

    changed = owner.client.put(f"{path}/approval_rules/{rule['id']}", json={"approvals_required": 0})
    removed = owner.client.delete(f"{path}/approval_rules/{rule['id']}")

    assert (changed.status_code, changed.json()) == (403, {"message": ["Prohibited"]})
    assert (removed.status_code, removed.json()) == (403, {"message": ["Prohibited"]})
    body = {"name": "*.py", "approvals_required": 1, "user_ids": [keeper.id]}
    assert owner.client.post(f"{path}/approval_rules", json=body).status_code == 201


def test_a_huge_file_is_not_read(world: World, owner: Person, keeper: Person, project: dict[str, Any]) -> None:
    world.commit(project, "main", {"CODEOWNERS": f"*.py @{keeper.username}\n" + "#" * (1024 * 1024)})

    path = opened(world, owner, project, {"a.py": "a = 1\n"})

    assert owner.client.ok("GET", f"{path}/approval_state")["rules"] == []
