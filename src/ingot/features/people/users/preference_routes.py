"""Endpoints of what the caller prefers."""

from collections.abc import Mapping

from sqlalchemy import bindparam, select, update

from ingot.access.call import Call
from ingot.access.policy import SIGNED_IN
from ingot.identity.preferences import PASS_IDENTITIES
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.params import Param, Params
from ingot.kit.statements import lasting

routes = Routes("Users", guard=SIGNED_IN)


class UserPreferences(Entity):
    """What a user prefers."""

    id: int
    user_id: int
    view_diffs_file_by_file: bool
    show_whitespace_in_diffs: bool
    pass_user_identities_to_ci_jwt: bool


class ChangePreferences(Params):
    """What is to change; one of them is required."""

    view_diffs_file_by_file: bool | None = Param("Show one file of a change at a time.")
    show_whitespace_in_diffs: bool | None = Param("Show changes of white space.")
    pass_user_identities_to_ci_jwt: bool | None = Param(
        "Tokens of the caller's jobs (`id_tokens`) name the caller's accounts at identity providers."
    )
    at_least_one = ("view_diffs_file_by_file", "show_whitespace_in_diffs", PASS_IDENTITIES)


@routes.get("/user/preferences", scopes=("read_user",), returns=UserPreferences)
def get_preferences(call: Call) -> Answer:
    """What the caller prefers."""
    profile = call.conn.execute(_PROFILE, {"caller_id": call.actor.id}).scalar_one()
    return _preferences(call.actor.id, profile)


_PROFILE = lasting(select(users.c.profile).where(users.c.id == bindparam("caller_id")))


@routes.put("/user/preferences", params=ChangePreferences, returns=UserPreferences)
def change_preferences(call: Call[ChangePreferences]) -> Answer:
    """Change what the caller prefers."""
    given = {name: value for name, value in call.params.given().items() if value is not None}
    mine = users.c.id == call.actor.id
    with call.write() as tx:
        profile = tx.execute(select(users.c.profile).where(mine).with_for_update()).scalar_one()
        changed = {**profile, **given}
        tx.execute(update(users).where(mine).values(profile=changed, updated_at=now()))
    return _preferences(call.actor.id, changed)


def _preferences(user_id: int, profile: Mapping[str, object]) -> UserPreferences:
    return UserPreferences(
        id=user_id,
        user_id=user_id,
        view_diffs_file_by_file=bool(profile.get("view_diffs_file_by_file")),
        show_whitespace_in_diffs=bool(profile.get("show_whitespace_in_diffs", True)),
        pass_user_identities_to_ci_jwt=bool(profile.get(PASS_IDENTITIES)),
    )
