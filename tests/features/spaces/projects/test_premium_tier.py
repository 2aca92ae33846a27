"""Projects on the middle tier: every paid field but the one that the documents give to the highest tier alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

PAID = {
    "approvals_before_merge", "mirror", "marked_for_deletion_on", "marked_for_deletion_at", "requirements_enabled",
    "requirements_access_level", "security_and_compliance_enabled", "compliance_frameworks", "issues_template",
    "merge_requests_template", "ci_restrict_pipeline_cancellation_role", "merge_pipelines_enabled",
    "external_authorization_classification_label", "pre_receive_secret_detection_enabled",
}  # fmt: skip


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server of the premium tier."""
    data: Path = tmp_path_factory.mktemp("data")
    with RunningServer(databases.fresh(data), data, tier="premium") as running:
        yield running


def test_paid_fields_are_there_and_the_one_of_the_highest_tier_is_not(world: World) -> None:
    ada = world.user()
    shown = ada.client.ok("GET", f"/projects/{world.project(ada)['id']}")

    assert set(shown) >= PAID
    assert "only_allow_merge_if_all_status_checks_passed" not in shown
