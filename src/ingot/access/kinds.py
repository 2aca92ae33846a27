"""Kinds of actors: a statement about what an actor may see is built once for each kind, not for each actor."""

from typing import Any, NamedTuple

from sqlalchemy import bindparam

from ingot.kit.actor import Actor


class ActorKind(NamedTuple):
    """What the form of a statement depends on; the actor itself is the parameter `actor_id`."""

    is_anonymous: bool
    is_admin: bool
    is_external: bool
    # The same for all callers from one place, and almost always none.
    closed_groups: tuple[int, ...] = ()

    def anybody(self) -> Actor:
        """An actor of this kind, for building a statement."""
        user_id: Any = None if self.is_anonymous else bindparam("actor_id")
        return Actor(
            user_id=user_id,
            is_admin=self.is_admin,
            is_external=self.is_external,
            closed_groups=self.closed_groups,
        )


def kind_of(actor: Actor) -> ActorKind:
    """The kind of this actor."""
    return ActorKind(actor.is_anonymous, actor.is_admin, actor.is_external, actor.closed_groups)
