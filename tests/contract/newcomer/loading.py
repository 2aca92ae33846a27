"""A pytest plugin that adds the room `bookmarks` to the planning floor, before anything looks for rooms."""

from pathlib import Path

from ingot.features import planning

planning.__path__.append(str(Path(__file__).parent / "rooms"))
