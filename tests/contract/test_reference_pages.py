"""The reference pages in the repository are those that the declarations give."""

from pathlib import Path

from ingot import __version__
from ingot.app import build_router, load_features
from ingot.kit.openapi import describe
from ingot.kit.reference import pages

FOLDER = Path(__file__).parents[2] / "docs" / "api"


def test_the_reference_pages_are_up_to_date() -> None:
    expected = pages(describe(build_router(load_features()["routes"]).endpoints, __version__))
    stored = {file.name: file.read_text() for file in FOLDER.glob("*.md")}

    stale = sorted(name for name in expected.keys() | stored.keys() if expected.get(name) != stored.get(name))
    assert not stale, f"run `make docs`: {', '.join(stale)}"
