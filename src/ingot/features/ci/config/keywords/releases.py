"""`release`."""

from __future__ import annotations

from typing import Any

from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.shapes import Entry

_KEYS = ("tag_name", "tag_message", "name", "description", "ref", "released_at", "milestones", "assets")
_LINK_KEYS = ("name", "url", "filepath", "direct_asset_path", "link_type")


def parse_release(where: str, value: object, problems: Problems) -> dict[str, Any] | None:
    if value is None:
        return None
    place = f"{where}:release"
    if not isinstance(value, dict):
        problems.add(place, "config should be a hash")
        return None
    release = Entry(place, value, problems)
    release.allow_keys(_KEYS)
    for key in ("tag_name", "description"):
        if not release.text(key):
            release.fail(f"{key.replace('_', ' ')} can't be blank")
    for key in ("tag_message", "name", "ref", "released_at"):
        release.text(key)
    release.strings_or_string("milestones")
    if value.get("assets") is not None:
        _check_assets(f"{place}:assets", value["assets"], problems)
    return value


def _check_assets(place: str, value: object, problems: Problems) -> None:
    if not isinstance(value, dict):
        problems.add(place, "config should be a hash")
        return
    assets = Entry(place, value, problems)
    assets.allow_keys(("links",))
    links = value.get("links")
    if not isinstance(links, list) or not all(isinstance(link, dict) for link in links):
        assets.fail("links should be an array of hashes")
        return
    for link in links:
        entry = Entry(f"{place}:links:link", link, problems)
        entry.allow_keys(_LINK_KEYS)
        for key in ("name", "url"):
            if not entry.text(key):
                entry.fail(f"{key} can't be blank")
        for key in ("filepath", "direct_asset_path", "link_type"):
            entry.text(key)
