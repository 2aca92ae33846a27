from pathlib import Path
from typing import Any

import pytest

from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World


def test_flags_and_settings_are_for_administrators(world: World) -> None:
    person = world.user()

    for method, path in (
        ("GET", "/features"),
        ("POST", "/features/x"),
        ("DELETE", "/features/x"),
        ("GET", "/application/settings"),
        ("PUT", "/application/settings"),
    ):
        body = {"json": {"value": True}} if method == "POST" else {}
        assert world.anonymous.request(method, path, **body).status_code == 401
        assert person.client.request(method, path, **body).json() == {"message": "403 Forbidden"}


def test_settings_are_read_and_changed(world: World) -> None:
    before = world.admin.ok("GET", "/application/settings")
    changed = world.admin.ok(
        "PUT",
        "/application/settings?max_import_size=50",
        json={"default_branch_name": "trunk", "restricted_visibility_levels": ["public"], "unknown": 1},
    )

    assert (before["max_import_size"], before["max_export_size"]) == (0, 0)
    assert (changed["max_import_size"], changed["default_branch_name"]) == (50, "trunk")
    assert changed["restricted_visibility_levels"] == ["public"]
    assert world.admin.ok("GET", "/application/settings") == changed
    back = world.admin.ok(
        "PUT",
        "/application/settings",
        json={"max_import_size": None, "default_branch_name": None, "restricted_visibility_levels": ""},
    )
    assert back == before


def test_settings_that_make_no_sense_are_refused(world: World) -> None:
    bad = world.admin.put("/application/settings", json={"default_project_visibility": "secret"})
    text = world.admin.put("/application/settings", json={"max_import_size": "much"})
    negative = world.admin.put("/application/settings", json={"max_import_size": -1, "deletion_adjourned_period": 91})

    assert bad.json() == {"error": "default_project_visibility does not have a valid value"}
    assert text.json() == {"error": "max_import_size is invalid"}
    assert negative.json() == {
        "message": {
            "max_import_size": ["must be greater than or equal to 0"],
            "deletion_adjourned_period": ["must be less than or equal to 90"],
        }
    }


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("default_branch_name", "a b", "is invalid"),
        ("default_branch_name", "  ", "is invalid"),
        ("default_branch_name", "x" * 256, "is too long (maximum is 255 characters)"),
        ("default_artifacts_expire_in", "soon", "is not a correct duration"),
        ("default_ci_config_path", "../ci.yml", "cannot include leading slash or directory traversal."),
        ("home_page_url", "javascript:alert(1)", "must be a valid URL"),
        ("after_sign_out_path", "javascript:alert(1)", "must be a path or a valid URL"),
        ("after_sign_out_path", "//evil.example", "must be a path or a valid URL"),
        ("commit_email_hostname", "evil.example\r\nX: y", "must be the name of a host"),
        ("throttle_authenticated_api_period_in_seconds", 0, "must be greater than or equal to 1"),
        ("repository_storages_weighted", {"elsewhere": 1}, "can't include: elsewhere"),
        ("repository_storages_weighted", {"default": "much"}, "value for 'default' must be an integer"),
        ("repository_storages_weighted", {"default": 101}, "value for 'default' must be between 0 and 100"),
    ],
)
def test_values_that_would_break_what_reads_them_are_refused(world: World, name: str, value: Any, text: str) -> None:
    answer = world.admin.put("/application/settings", json={name: value})

    assert (answer.status_code, answer.json()) == (400, {"message": {name: [text]}})


def test_new_projects_go_to_the_first_storage_unless_weights_name_another(databases: Databases, tmp_path: Path) -> None:
    named = f"hot={tmp_path / 'hot'},cold={tmp_path / 'cold'}"
    with RunningServer(databases.fresh(tmp_path), tmp_path, repository_storages=named) as server:
        world = World(server)
        first = world.project(initialize_with_readme=True)
        world.admin.ok("PUT", "/application/settings", data={"repository_storages_weighted[cold]": "70"})
        second = world.project(initialize_with_readme=True)

        assert (first["repository_storage"], second["repository_storage"]) == ("hot", "cold")
        assert world.repository(second).exists()
