"""Rules that protect the default branch of new projects."""

import msgspec
from msgspec import UNSET, UnsetType


class Level(msgspec.Struct, frozen=True):
    """An access level in a protection rule."""

    access_level: int


class BranchProtection(msgspec.Struct, frozen=True, kw_only=True):
    """What a new project's default branch is protected with."""

    allowed_to_push: list[Level]
    allow_force_push: bool
    allowed_to_merge: list[Level]
    developer_can_initial_push: bool | UnsetType = UNSET


def _protection(push: int, merge: int, *, force: bool = False, initial: bool | UnsetType = UNSET) -> BranchProtection:
    return BranchProtection(
        allowed_to_push=[Level(push)],
        allow_force_push=force,
        allowed_to_merge=[Level(merge)],
        developer_can_initial_push=initial,
    )


# The older setting is a number; each stands for a set of rules.
PROTECTIONS = {
    0: _protection(30, 30, force=True),
    1: _protection(30, 30),
    2: _protection(40, 40),
    3: _protection(40, 30),
    4: _protection(40, 40, initial=True),
}
