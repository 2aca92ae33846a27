"""Projects on an instance without a licence: no paid fields, filters or days of grace."""

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
    "only_allow_merge_if_all_status_checks_passed", "external_authorization_classification_label",
    "pre_receive_secret_detection_enabled",
}  # fmt: skip


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server of the free tier."""
    data: Path = tmp_path_factory.mktemp("data")
    with RunningServer(databases.fresh(data), data, tier="free") as running:
        yield running


def test_paid_fields_are_absent_and_paid_settings_ignored(world: World) -> None:
    ada = world.user()
    project = world.project(ada, issues_template="x", merge_method="ff")

    assert not PAID & set(ada.client.ok("GET", f"/projects/{project['id']}"))
    assert project["merge_method"] == "ff"


def test_paid_filters_do_not_filter(world: World) -> None:
    ada = world.user()
    project = world.project(ada)

    for body in ({"marked_for_deletion_on": "2024-01-01"}, {"repository_checksum_failed": True}):
        assert [entry["id"] for entry in ada.client.get("/projects", owned=True, **body).json()] == [project["id"]]


def test_a_deletion_is_immediate_and_cannot_be_taken_back(world: World) -> None:
    ada = world.user()
    group = world.group(ada)
    gone, remaining = (world.project(ada, namespace_id=group["id"]) for _ in range(2))

    assert ada.client.delete(f"/projects/{gone['id']}").status_code == 202
    assert ada.client.get(f"/projects/{gone['id']}").status_code == 404
    answer = ada.client.post(f"/projects/{remaining['id']}/restore")
    assert (answer.status_code, answer.json()) == (404, {"message": "404 Not Found"})
