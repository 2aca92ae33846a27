"""Kinds of actors: a statement about what an actor may see is built once for each kind, not for each actor."""

from typing import Any, NamedTuple

from sqlalchemy import bindparam

from ingot.kit.actor import Actor


class ActorKind(NamedTuple):
    """What the form of a statement depends on; `actor_values` has the parameters."""

    is_anonymous: bool
    is_admin: bool
    is_external: bool
    is_limited: bool  # some groups are closed to the actor's address

    def anybody(self) -> Actor:
        """An actor of this kind, for building a statement."""
        user_id: Any = None if self.is_anonymous else bindparam("actor_id")
        closed: Any = bindparam("closed_groups", expanding=True) if self.is_limited else ()
        return Actor(user_id=user_id, is_admin=self.is_admin, is_external=self.is_external, closed_groups=closed)


def kind_of(actor: Actor) -> ActorKind:
    """The kind of this actor."""
    is_limited = bool(actor.closed_groups) and not actor.is_admin
    return ActorKind(actor.is_anonymous, actor.is_admin, actor.is_external, is_limited)


def actor_values(actor: Actor) -> dict[str, object]:
    """The actor as parameters of a statement that was built for its kind."""
    values: dict[str, object] = {"actor_id": actor.user_id or 0}
    if actor.closed_groups:
        values["closed_groups"] = list(actor.closed_groups)
    return values
