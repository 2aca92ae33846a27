"""Tests of a room lie in the folder of its name, `tests/features/<floor>/<room>`."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ROOT / "src" / "ingot" / "features"
TESTS = ROOT / "tests" / "features"

# Rooms that are reached through another room. Their tests lie with that one.
TESTED_ELSEWHERE = {
    "code/job_token_scope": "ci/job_artifacts",  # job tokens come from jobs
    "code/lfs_objects": "code/lfs",  # sent and fetched there
    "people/event_log": "review/events",  # written by all, shown there
    "people/user_pages": "people/saml",  # sign-in is by SAML only
    "planning/issuable_changes": "planning/notes",
    "planning/issuable_lists": "planning/issues",
    "planning/quick_effects": "planning/quick_actions",
}


def _folders(root: Path, pattern: str) -> set[str]:
    """Folders below the root that hold a file of this pattern."""
    return {file.parent.relative_to(root).as_posix() for file in root.rglob(pattern)}


def test_every_test_folder_is_named_after_a_room() -> None:
    rooms = {name for name in _folders(ROOMS, "__init__.py") if name.count("/") == 1}

    assert _folders(TESTS, "*.py") - rooms == set()


def test_every_room_has_tests() -> None:
    rooms = {name for name in _folders(ROOMS, "__init__.py") if name.count("/") == 1}
    tested = _folders(TESTS, "test_*.py")

    assert rooms - tested == set(TESTED_ELSEWHERE)
    assert set(TESTED_ELSEWHERE.values()) <= tested
