"""The role table as pure functions: who holds which ability on which project."""

from types import SimpleNamespace

import pytest

from ingot.access import policy
from ingot.access.abilities import ProjectAbility
from ingot.access.levels import FEATURES, Feature, Visibility
from ingot.access.subjects import Project
from ingot.kit.actor import ANONYMOUS, Actor

SOMEBODY, OUTSIDER, ADMIN = Actor(user_id=1), Actor(user_id=2, is_external=True), Actor(user_id=3, is_admin=True)
PRIVATE, INTERNAL, PUBLIC = Visibility.PRIVATE, Visibility.INTERNAL, Visibility.PUBLIC


def project(visibility: int = PRIVATE, level: int = 0, *, archived: bool = False, **features: Feature) -> Project:
    switches = {f"{name}_access_level": int(features.get(name, default)) for name, default in FEATURES.items()}
    return Project(SimpleNamespace(id=1, visibility=visibility, archived=archived, **switches), level)


ROLES = {"anonymous": 0, "guest": 10, "planner": 15, "reporter": 20, "developer": 30, "maintainer": 40, "owner": 50}


@pytest.mark.parametrize(
    ("ability", "lowest"),
    [
        (policy.READ_PROJECT, "guest"),
        (policy.READ_CODE, "reporter"),
        (policy.READ_MERGE_REQUESTS, "reporter"),
        (policy.READ_STATISTICS, "reporter"),
        (policy.READ_BUILDS, "guest"),
        (policy.PUSH_CODE, "developer"),
        (policy.ADMIN_PROJECT, "maintainer"),
        (policy.OWN_PROJECT, "owner"),
    ],
)
def test_the_lowest_role_in_a_private_project(ability: ProjectAbility, lowest: str) -> None:
    for role, level in ROLES.items():
        actor = SOMEBODY if level else ANONYMOUS
        assert ability.allows(actor, project(level=level)) is (level >= ROLES[lowest]), role
    assert ability.allows(ADMIN, project())


@pytest.mark.parametrize(
    ("actor", "visibility", "reads"),
    [
        (ANONYMOUS, PUBLIC, True),
        (ANONYMOUS, INTERNAL, False),
        (SOMEBODY, INTERNAL, True),
        (OUTSIDER, INTERNAL, False),
        (OUTSIDER, PUBLIC, True),
        (SOMEBODY, PRIVATE, False),
    ],
)
def test_outsiders_read_the_code_of_open_projects(actor: Actor, visibility: int, reads: bool) -> None:
    assert policy.READ_CODE.allows(actor, project(visibility)) is reads
    assert policy.PUSH_CODE.allows(actor, project(visibility)) is False


def test_a_disabled_feature_is_off_for_everybody() -> None:
    closed = project(PUBLIC, 50, repository=Feature.DISABLED)

    assert not policy.READ_CODE.allows(SOMEBODY, closed)
    assert not policy.READ_CODE.allows(ADMIN, closed)
    assert not policy.READ_MERGE_REQUESTS.allows(ADMIN, closed)


def test_a_private_feature_is_for_members() -> None:
    members_only = {"repository": Feature.PRIVATE}

    assert not policy.READ_CODE.allows(SOMEBODY, project(PUBLIC, 0, **members_only))
    assert not policy.READ_CODE.allows(SOMEBODY, project(PUBLIC, 10, **members_only))
    assert policy.READ_CODE.allows(SOMEBODY, project(PUBLIC, 20, **members_only))
    assert policy.READ_CODE.allows(ADMIN, project(PUBLIC, 0, **members_only))


def test_archiving_takes_writes_and_leaves_reads() -> None:
    archived = project(level=50, archived=True)

    assert policy.READ_CODE.allows(SOMEBODY, archived)
    assert not policy.PUSH_CODE.allows(SOMEBODY, archived)
    assert not policy.PUSH_CODE.allows(ADMIN, archived)
    assert policy.ADMIN_PROJECT.allows(SOMEBODY, archived)
