import time
from concurrent.futures import ThreadPoolExecutor

import gitlab
import pytest
from sqlalchemy import delete

from ingot.features.instance.plan_limits.tables import plan_limits
from tests.support.databases import Databases
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import World

DEFAULTS = {
    "ci_instance_level_variables": 25,
    "ci_pipeline_size": 0,
    "ci_active_jobs": 0,
    "ci_project_subscriptions": 2,
    "ci_pipeline_schedules": 10,
    "ci_needs_size_limit": 50,
    "ci_registered_group_runners": 1000,
    "ci_registered_project_runners": 1000,
    "conan_max_file_size": 3221225472,
    "dotenv_variables": 20,
    "dotenv_size": 5120,
    "enforcement_limit": 0,
    "generic_packages_max_file_size": 5368709120,
    "helm_max_file_size": 5242880,
    "limits_history": {},
    "maven_max_file_size": 3221225472,
    "notification_limit": 0,
    "npm_max_file_size": 524288000,
    "nuget_max_file_size": 524288000,
    "pipeline_hierarchy_size": 1000,
    "pypi_max_file_size": 3221225472,
    "terraform_module_max_file_size": 1073741824,
    "storage_size_limit": 0,
    "web_hook_calls": 0,
    "web_hook_calls_low": 0,
    "web_hook_calls_mid": 0,
}
SETTABLE = [name for name in DEFAULTS if name != "limits_history" and not name.startswith("web_hook")]
PATH = "/application/plan_limits"


@pytest.fixture(autouse=True)
def _fresh_limits(server: RunningServer) -> None:
    with server.services.db.write() as tx:
        tx.execute(delete(plan_limits))


def test_a_fresh_instance_has_the_documented_defaults(world: World) -> None:
    answer = world.admin.get(PATH, plan_name="free")

    assert answer.status_code == 200
    assert answer.json() == DEFAULTS
    assert list(answer.json()) == list(DEFAULTS)


def test_the_plan_is_default_unless_named(world: World) -> None:
    world.admin.put(PATH, json={"plan_name": "default", "ci_active_jobs": 7})

    assert world.admin.get(PATH).json()["ci_active_jobs"] == 7
    assert world.admin.get(PATH, plan_name="default").json()["ci_active_jobs"] == 7
    assert world.admin.get(PATH, plan_name="premium").json()["ci_active_jobs"] == 0


@pytest.mark.parametrize("name", SETTABLE)
def test_every_limit_can_be_set_and_read_back(world: World, name: str) -> None:
    answer = world.admin.put(PATH, json={"plan_name": "ultimate", name: 123})

    assert answer.status_code == 200
    assert answer.json()[name] == 123
    assert world.admin.get(PATH, plan_name="ultimate").json()[name] == 123


def test_a_change_leaves_the_other_limits_alone(world: World) -> None:
    before = world.admin.ok("PUT", PATH, json={"plan_name": "premium", "dotenv_size": 1, "dotenv_variables": 2})

    after = world.admin.ok("PUT", PATH, json={"plan_name": "premium", "dotenv_size": 3})

    assert after == {**before, "dotenv_size": 3}


def test_only_the_plan_name_changes_nothing(world: World) -> None:
    before = world.admin.get(PATH).json()
    assert world.admin.ok("PUT", PATH, json={"plan_name": "default"}) == before


def test_query_form_and_numeric_texts_are_read(world: World) -> None:
    assert world.admin.ok("PUT", f"{PATH}?plan_name=premium&ci_pipeline_size=5")["ci_pipeline_size"] == 5
    form = world.admin.put(PATH, data={"plan_name": "premium", "ci_pipeline_size": "6"})
    assert form.json()["ci_pipeline_size"] == 6
    text = world.admin.put(PATH, json={"plan_name": "premium", "ci_pipeline_size": "7"})
    assert text.json()["ci_pipeline_size"] == 7


def test_a_limit_may_return_to_its_default(world: World) -> None:
    world.admin.ok("PUT", PATH, json={"plan_name": "premium", "ci_needs_size_limit": 1})
    answer = world.admin.ok("PUT", PATH, json={"plan_name": "premium", "ci_needs_size_limit": 50})
    assert answer["ci_needs_size_limit"] == 50


def test_unknown_parameters_and_the_history_are_not_settable(world: World) -> None:
    body = {"plan_name": "default", "limits_history": {"x": []}, "web_hook_calls": 5, "nonsense": 1}
    answer = world.admin.ok("PUT", PATH, json=body)
    assert answer["web_hook_calls"] == 0
    assert "x" not in answer["limits_history"]


def test_changes_of_the_storage_limits_are_remembered(world: World) -> None:
    started = int(time.time())
    admin = world.admin.get("/user").json()

    world.admin.ok("PUT", PATH, json={"plan_name": "default", "storage_size_limit": 2000, "dotenv_size": 9})
    world.admin.ok("PUT", PATH, json={"plan_name": "default", "storage_size_limit": 2000})
    answer = world.admin.ok("PUT", PATH, json={"plan_name": "default", "storage_size_limit": 3000})

    history = answer["limits_history"]
    assert set(history) == {"storage_size_limit"}
    assert [entry["value"] for entry in history["storage_size_limit"]] == [2000, 3000]
    for entry in history["storage_size_limit"]:
        assert (entry["user_id"], entry["username"]) == (admin["id"], "root")
        assert started <= entry["timestamp"] <= time.time()


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({}, {"error": "plan_name is missing"}),
        ({"plan_name": "platinum"}, {"error": "plan_name does not have a valid value"}),
        ({"plan_name": ""}, {"error": "plan_name does not have a valid value"}),
        ({"plan_name": "default", "ci_pipeline_size": "many"}, {"error": "ci_pipeline_size is invalid"}),
        ({"plan_name": "default", "ci_pipeline_size": [1]}, {"error": "ci_pipeline_size is invalid"}),
        ({"plan_name": "default", "ci_pipeline_size": None}, {"error": "ci_pipeline_size is empty"}),
        (
            {"plan_name": "default", "ci_pipeline_size": "x", "dotenv_size": "y"},
            {"error": "ci_pipeline_size is invalid, dotenv_size is invalid"},
        ),
        ({"plan_name": "default", "ci_pipeline_size": 2**31}, {"error": "ci_pipeline_size is invalid"}),
        ({"plan_name": "default", "npm_max_file_size": 2**63}, {"error": "npm_max_file_size is invalid"}),
        (
            {"plan_name": "default", "notification_limit": -1},
            {"message": {"notification_limit": ["must be greater than or equal to 0"]}},
        ),
        (
            {"plan_name": "default", "enforcement_limit": -5},
            {"message": {"enforcement_limit": ["must be greater than or equal to 0"]}},
        ),
    ],
)
def test_bad_values_are_refused_and_change_nothing(world: World, options: dict, body: dict) -> None:
    before = world.admin.get(PATH).json()

    answer = world.admin.put(PATH, json=options)

    assert (answer.status_code, answer.json()) == (400, body)
    assert world.admin.get(PATH).json() == before


def test_negative_counts_and_large_file_sizes_are_accepted(world: World) -> None:
    body = {"plan_name": "premium", "ci_active_jobs": -1, "npm_max_file_size": 2**62}
    answer = world.admin.ok("PUT", PATH, json=body)
    assert (answer["ci_active_jobs"], answer["npm_max_file_size"]) == (-1, 2**62)


def test_simultaneous_changes_all_hold(world: World) -> None:
    def change(number: int) -> int:
        body = {"plan_name": "default", SETTABLE[number]: 1000 + number, "storage_size_limit": number}
        return world.server.client().put(PATH, json=body).status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(change, range(1, 9))) == {200}

    answer = world.admin.get(PATH).json()
    assert [answer[SETTABLE[number]] for number in range(1, 9)] == [1000 + number for number in range(1, 9)]
    assert len(answer["limits_history"]["storage_size_limit"]) == 8


def test_a_known_plan_without_a_record_is_not_found(world: World) -> None:
    for answer in (world.admin.get(PATH, plan_name="bronze"), world.admin.put(PATH, json={"plan_name": "opensource"})):
        assert (answer.status_code, answer.json()) == (404, {"message": "404 Plan Not Found"})
    unknown = world.admin.get(PATH, plan_name="nope")
    assert (unknown.status_code, unknown.json()) == (400, {"error": "plan_name does not have a valid value"})


def test_only_administrators_read_and_change_limits(world: World) -> None:
    stranger = world.user().client
    for client, status, text in ((world.anonymous, 401, "401 Unauthorized"), (stranger, 403, "403 Forbidden")):
        # The role is checked before the parameters.
        for answer in (client.get(PATH), client.put(PATH, json={}), client.get(PATH, plan_name="nope")):
            assert (answer.status_code, answer.json()) == (status, {"message": text})


def test_the_free_tier_has_only_the_default_plan(databases: Databases, tmp_path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, tier="free") as server:
        client = server.client()
        assert client.get(PATH).status_code == 200
        assert client.ok("PUT", PATH, json={"plan_name": "default", "dotenv_size": 1})["dotenv_size"] == 1
        refused = client.get(PATH, plan_name="premium")
        assert (refused.status_code, refused.json()) == (400, {"error": "plan_name does not have a valid value"})
        assert client.get("/license").status_code == 404


def test_python_gitlab_reads_and_changes_limits(server: RunningServer) -> None:
    with gitlab.Gitlab(server.url, private_token=ROOT_TOKEN) as client:
        assert client.http_get("/application/plan_limits")["pypi_max_file_size"] == 3221225472
        changed = client.http_put("/application/plan_limits", post_data={"plan_name": "free", "helm_max_file_size": 9})
        assert changed["helm_max_file_size"] == 9
        with pytest.raises(gitlab.GitlabHttpError, match="plan_name does not have a valid value"):
            client.http_get("/application/plan_limits", query_data={"plan_name": "x"})
