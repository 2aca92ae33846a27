"""Groups on an instance without a licence: no paid keys or settings, no days of grace, no minimal access."""

from collections.abc import Iterator

import pytest

from ingot.kit.clock import today
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

PAID = {
    "ldap_cn", "ldap_access", "marked_for_deletion_on", "wiki_access_level", "prevent_forking_outside_group",
    "membership_lock", "ip_restriction_ranges",
}  # fmt: skip


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server of the free tier."""
    data = tmp_path_factory.mktemp("data")
    with RunningServer(databases.fresh(data), data, tier="free") as running:
        yield running


def test_paid_keys_are_absent_and_paid_settings_ignored(world: World) -> None:
    anna, ben = world.user(), world.user()
    group = world.group(anna, membership_lock=True)
    project = world.project(anna, namespace_id=group["id"])

    assert not PAID & set(anna.client.ok("GET", f"/groups/{group['id']}"))
    assert not PAID & set(anna.client.ok("GET", "/groups?owned=true")[0])
    world.member(project, ben, "guest")
    result = anna.client.ok("GET", f"/groups?owned=true&marked_for_deletion_on={today()}")
    assert [entry["id"] for entry in result] == [group["id"]]


def test_groups_are_deleted_at_once(world: World) -> None:
    anna = world.user()
    group = world.group(anna)

    assert anna.client.delete(f"/groups/{group['id']}").status_code == 202

    assert anna.client.get(f"/groups/{group['id']}").status_code == 404
    other = world.group(anna)
    assert anna.client.post(f"/groups/{other['id']}/restore").status_code == 404


def test_there_is_no_minimal_access(world: World) -> None:
    anna, ben = world.user(), world.user()
    group = world.group(anna)

    answer = anna.client.post(f"/groups/{group['id']}/members", json={"user_id": ben.id, "access_level": 5})

    assert answer.json() == {"message": {"access_level": ["is not included in the list"]}}


def test_a_namespace_has_no_plan_and_no_seats(world: World) -> None:
    anna = world.user()
    group = world.group(anna)

    shown = anna.client.ok("GET", f"/namespaces/{group['id']}")

    assert not {"plan", "trial", "trial_ends_on", "end_date", "billable_members_count", "seats_in_use"} & set(shown)
    assert (shown["members_count_with_descendants"], shown["projects_count"]) == (1, 0)
