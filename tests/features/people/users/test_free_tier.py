"""Users on an instance without a licence: no keys of the paid tiers."""

from collections.abc import Iterator

import pytest

from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

PAID = {
    "shared_runners_minutes_limit", "extra_shared_runners_minutes_limit", "scim_identities", "using_license_seat",
    "is_auditor", "provisioned_by_group_id", "enterprise_group_id", "enterprise_group_associated_at",
}  # fmt: skip


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server of the free tier."""
    data = tmp_path_factory.mktemp("data")
    with RunningServer(databases.fresh(data), data, tier="free") as running:
        yield running


def test_paid_keys_are_absent_for_everybody(world: World) -> None:
    anna = world.user()

    assert not PAID & set(anna.client.ok("GET", "/user"))
    for path in ("/user", f"/users/{anna.id}"):
        shown = world.admin.ok("GET", path)
        assert not PAID & set(shown)
        assert shown["is_admin"] is (path == "/user")
