"""CI variables of projects, groups and the instance: rules, rights, and who gets which."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import text

from ingot.features.ci.variables.configured import configured_variables, scope_fits
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


def test_a_variable_is_made_changed_and_deleted(world: World, owner: Person, project: dict[str, Any]) -> None:
    url = f"/projects/{project['id']}/variables"

    created = owner.client.post(url, json={"key": "TOKEN", "value": "secret-value", "masked": True})

    assert created.status_code == 201
    assert created.json() == {
        "variable_type": "env_var", "key": "TOKEN", "value": "secret-value", "hidden": False, "protected": False,
        "masked": True, "raw": False, "environment_scope": "*", "description": None,
    }  # fmt: skip
    changed = owner.client.put(f"{url}/TOKEN", json={"value": "other-value", "protected": True, "raw": True})
    assert (changed.json()["value"], changed.json()["protected"], changed.json()["masked"]) == (
        "other-value",
        True,
        True,
    )
    assert owner.client.get(f"{url}/TOKEN").json() == changed.json()
    assert owner.client.get(url).json() == [changed.json()]
    with world.server.services.db.read() as conn:
        stored = conn.execute(text("SELECT sealed_value FROM ci_variables")).scalars().all()
    assert "other-value" not in str(stored)
    assert owner.client.delete(f"{url}/TOKEN").status_code == 204
    assert owner.client.get(f"{url}/TOKEN").json() == {"message": "404 Variable Not Found"}


def test_bad_variables_are_refused(owner: Person, project: dict[str, Any]) -> None:
    url = f"/projects/{project['id']}/variables"

    def problem(**body: Any) -> Any:
        answer = owner.client.post(url, json=body)
        assert answer.status_code == 400, answer.text
        return answer.json()

    assert problem(key="A") == {"error": "value is missing"}
    assert problem(key="A B", value="x") == {"message": {"key": ["can contain only letters, digits and '_'."]}}
    assert problem(key="A", value="short", masked=True) == {"message": {"value": ["is invalid"]}}
    assert problem(key="A", value="two\nlines-long", masked=True) == {"message": {"value": ["is invalid"]}}
    assert problem(key="A", value="x", variable_type="x") == {"error": "variable_type does not have a valid value"}
    assert problem(key="A" * 256, value="x") == {"message": {"key": ["is too long (maximum is 255 characters)"]}}
    owner.client.ok("POST", url, json={"key": "TWICE", "value": "x"})
    assert problem(key="TWICE", value="y") == {"message": {"key": ["(TWICE) has already been taken"]}}


def test_scopes_tell_variables_of_one_key_apart(owner: Person, project: dict[str, Any]) -> None:
    url = f"/projects/{project['id']}/variables"
    owner.client.ok("POST", url, json={"key": "HOST", "value": "any"})
    owner.client.ok("POST", url, json={"key": "HOST", "value": "prod", "environment_scope": "production"})

    unclear = owner.client.get(f"{url}/HOST")

    assert unclear.status_code == 409
    assert unclear.json()["message"].startswith("There are multiple variables with provided parameters.")
    chosen = owner.client.get(f"{url}/HOST", filter={"environment_scope": "production"})
    assert chosen.json()["value"] == "prod"


def test_hidden_values_are_never_shown_again(owner: Person, project: dict[str, Any]) -> None:
    url = f"/projects/{project['id']}/variables"
    created = owner.client.ok("POST", url, json={"key": "H", "value": "hidden-value", "masked_and_hidden": True})
    assert (created["hidden"], created["masked"], created["value"]) == (True, True, None)
    assert owner.client.put(f"{url}/H", json={"masked": False}).status_code == 400


def test_roles(world: World, owner: Person, project: dict[str, Any]) -> None:
    developer = world.user()
    world.member(project, developer, "developer")
    group = world.group(owner)
    assert developer.client.get(f"/projects/{project['id']}/variables").status_code == 403
    assert world.anonymous.get(f"/projects/{project['id']}/variables").status_code == 401
    world.member(group, developer, "maintainer", "groups")
    assert developer.client.get(f"/groups/{group['id']}/variables").status_code == 403
    assert owner.client.get(f"/groups/{group['id']}/variables").status_code == 200
    assert owner.client.get("/admin/ci/variables").status_code == 403
    assert world.anonymous.get("/admin/ci/variables").status_code == 401


def test_jobs_get_the_closest_variable(world: World, owner: Person) -> None:
    group = world.group(owner)
    below = world.group(owner, parent_id=group["id"])
    project = world.project(owner, namespace_id=below["id"])
    world.admin.ok("POST", "/admin/ci/variables", json={"key": "WHO", "value": "instance"})
    world.admin.ok("POST", "/admin/ci/variables", json={"key": "ONLY_INSTANCE", "value": "yes"})
    for place, value in ((f"/groups/{group['id']}", "top"), (f"/groups/{below['id']}", "below")):
        owner.client.ok("POST", f"{place}/variables", json={"key": "WHO", "value": value})
    owner.client.ok("POST", f"/groups/{group['id']}/variables", json={"key": "TOP", "value": "top"})
    url = f"/projects/{project['id']}/variables"
    owner.client.ok("POST", url, json={"key": "SAFE", "value": "guarded", "protected": True})
    owner.client.ok("POST", url, json={"key": "ENV", "value": "review", "environment_scope": "review/*"})

    class Row:
        id = project["id"]
        namespace_id = below["id"]

    def values(**options: Any) -> dict[str, str]:
        with world.server.services.db.read() as conn:
            result = configured_variables(world.server.services, conn, Row(), **options)
        return {one.key: one.value for one in result}

    plain = values(is_protected=False)
    assert (plain["WHO"], plain["TOP"], plain["ONLY_INSTANCE"]) == ("below", "top", "yes")
    assert "SAFE" not in plain
    assert "ENV" not in plain
    guarded = values(is_protected=True, environment="review/x")
    assert (guarded["SAFE"], guarded["ENV"]) == ("guarded", "review")


@pytest.fixture
def limit(world: World) -> Iterator[Callable[[int], None]]:
    """Sets how many variables the instance may have; other tests get theirs back."""

    def put(number: int) -> None:
        body = {"plan_name": "default", "ci_instance_level_variables": number}
        world.admin.ok("PUT", "/application/plan_limits", json=body)

    before = world.admin.ok("GET", "/application/plan_limits")["ci_instance_level_variables"]
    yield put
    put(before)


def test_the_instance_has_a_limited_number_of_variables(world: World, limit: Callable[[int], None]) -> None:
    known = len(world.admin.get("/admin/ci/variables", per_page=100).json())
    limit(known + 1)
    world.admin.ok("POST", "/admin/ci/variables", json={"key": "LAST", "value": "x"})

    answer = world.admin.post("/admin/ci/variables", json={"key": "ONE_MORE", "value": "x"})

    sentence = f"Maximum number of ci instance level variables ({known + 1}) exceeded"
    assert (answer.status_code, answer.json()) == (400, {"message": {"base": [sentence]}})
    changed = world.admin.put("/admin/ci/variables/LAST", json={"value": "y"})
    assert changed.json()["value"] == "y"
    assert world.admin.delete("/admin/ci/variables/LAST").status_code == 204


@pytest.mark.parametrize(
    ("scope", "environment", "fits"),
    [
        ("*", None, True),
        ("production", None, False),
        ("production", "production", True),
        ("production", "Production", False),
        ("review/*", "review/a/b", True),
        ("review/*", "reviews", False),
        ("a?c", "abc", False),
        ("[x]", "[x]", True),
    ],
)
def test_only_stars_are_wild_in_scopes(scope: str, environment: str | None, fits: bool) -> None:
    assert scope_fits(scope, environment) is fits
