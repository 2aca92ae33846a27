"""A group setting is one declaration: it can be set and is shown, or says why not."""

from typing import Any

import pytest

from ingot.features.spaces.groups import GroupSettings
from ingot.features.spaces.groups.settings import GROUP_SETTINGS
from ingot.kit.catalogue import Apart, LeftOut
from tests.support.setting_samples import sample
from tests.support.world import World

SETTINGS = GROUP_SETTINGS.settings
WRITABLE = [name for name, setting in SETTINGS.items() if not isinstance(setting.written_by, Apart)]
READABLE = [name for name, setting in SETTINGS.items() if not isinstance(setting.read_by, Apart)]
SAMPLES = {name: sample(GROUP_SETTINGS, GroupSettings(), name) for name in WRITABLE}
SAMPLES["ip_restriction_ranges"] = "127.0.0.0/8,::1"


@pytest.fixture(scope="module")
def group(world: World) -> dict[str, Any]:
    """A group in which every setting was changed, each by an edit of its own."""
    created = world.group()
    SAMPLES["file_template_project_id"] = world.project(namespace_id=created["id"])["id"]
    for name, value in SAMPLES.items():
        world.admin.ok("PUT", f"/groups/{created['id']}", json={name: value})
    return created


def test_every_setting_says_how_it_is_written_and_read() -> None:
    for name, setting in SETTINGS.items():
        assert setting.doc.endswith("."), f"{name} is not documented"
        for place in (setting.written_by, setting.read_by, setting.archive):
            if isinstance(place, Apart | LeftOut):
                assert len(place.reason.split()) >= 3, f"{name} is left out without a reason"


def test_every_setting_can_be_set_and_is_shown(world: World, group: dict[str, Any]) -> None:
    shown = world.admin.ok("GET", f"/groups/{group['id']}")

    assert {name for name in READABLE if name not in shown} == set()
    both = [name for name in SAMPLES if name in READABLE]
    assert {name: shown[name] for name in both} == {name: SAMPLES[name] for name in both}
