"""What CONTRIBUTING promises: a field is one place, a family of endpoints one folder that the rest finds by itself."""

import os
import subprocess
import sys
from pathlib import Path

from ingot.features.spaces.projects.entities.full import ALIKE, FIELDS, ProjectFull
from ingot.features.spaces.projects.entities.simple import ProjectSimple
from ingot.features.spaces.projects.settings import PROJECT_SETTINGS

ROOT = Path(__file__).parents[2]
ROOM = Path(__file__).parent / "newcomer" / "rooms" / "bookmarks"
WALK = "tests/contract/test_roles_walk.py::test_callers_without_the_right_are_refused"
TESTS = (
    "tests/contract/newcomer/story.py",
    "tests/contract/test_archived_tables.py",
    "tests/features/people/users/test_departure.py::test_every_column_that_names_a_person_says_what_happens_to_its_rows",
    f"{WALK}[GET /projects/{{id}}/bookmarks]",
    f"{WALK}[POST /projects/{{id}}/bookmarks]",
    f"{WALK}[DELETE /projects/{{id}}/bookmarks/{{bookmark_id}}]",
)


def run(*tests: str) -> subprocess.CompletedProcess[str]:
    """Run tests in a process of its own, with the room on the planning floor."""
    plugins = ["-p", "tests.contract.newcomer.loading", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist"]
    command = [sys.executable, "-m", "pytest", "-q", *plugins, *tests]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}/src:{ROOT}"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_a_field_of_a_project_says_where_its_value_comes_from() -> None:
    fields = set(ProjectFull.__struct_fields__) - set(ProjectSimple.__struct_fields__) - set(PROJECT_SETTINGS.settings)

    assert fields - {name for group in (*FIELDS.values(), *ALIKE.values()) for name, _ in group} == set()


def test_a_family_of_endpoints_is_less_than_200_lines() -> None:
    assert sum(len(file.read_text().splitlines()) for file in ROOM.glob("*.py")) < 200


def test_walks_departure_archives_and_documentation_find_the_room() -> None:
    result = run(*TESTS)

    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{len(TESTS) + 3} passed" in result.stdout  # the story has four tests


def test_a_page_of_documentation_that_is_missing_is_named() -> None:
    result = run("tests/contract/test_reference_pages.py")

    assert result.returncode == 1
    assert "run `make docs`: README.md, bookmarks.md" in result.stdout
