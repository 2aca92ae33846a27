"""Push rules in archives."""

from tests.features.transfer.project_imports.making import archive, exported, imported
from tests.support.world import World


def test_a_rule_travels_and_replaces_the_one_of_the_group(world: World) -> None:
    owner = world.user()
    project, group = world.project(owner, initialize_with_readme=True), world.group(owner)
    rule = {"commit_message_regex": "^Fix", "max_file_size": 9, "reject_non_dco_commits": True}
    owner.client.ok("POST", f"/projects/{project['id']}/push_rule", json=rule)
    owner.client.ok("POST", f"/groups/{group['id']}/push_rule", json={"max_file_size": 1})

    record = imported(world, owner, exported(world, owner, project["id"]), namespace=group["full_path"])

    stored = owner.client.ok("GET", f"/projects/{record['id']}/push_rule")
    assert {name: stored[name] for name in rule} == rule


def test_a_rule_with_a_bad_pattern_is_named_as_failed(world: World) -> None:
    owner = world.user()

    record = imported(world, owner, archive(push_rule={"branch_name_regex": "(?=a)"}))

    (failure,) = record["failed_relations"]
    assert failure["relation_name"] == "push_rule"
    assert failure["exception_message"] == "Branch name regex not valid RE2 syntax: invalid perl operator: (?="
    assert owner.client.get(f"/projects/{record['id']}/push_rule").json() is None
