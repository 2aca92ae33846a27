"""Endpoints of users: reading, creating, editing and removing."""

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, ANYONE, SIGNED_IN
from ingot.features.people.users import (
    activity_routes,
    avatar_routes,
    changes,
    departure,
    identities,
    policy,
    preference_routes,
    presenting,
    queries,
)
from ingot.features.people.users.email_routes import addresses
from ingot.features.people.users.entities import User, UserBasic, present_basic
from ingot.features.people.users.key_routes import key_routes
from ingot.features.people.users.params import CreateUser, DeleteUser, EditUser, GetUser, ListUsers
from ingot.features.people.users.state_routes import factors, moves
from ingot.features.people.users.status_routes import status
from ingot.identity.rows import UserRow
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden, NotFound, Unauthorized

routes = Routes("Users", scopes=("read_user",))
ROUTES = [
    routes,
    factors,
    moves,
    status,
    addresses,
    key_routes,
    avatar_routes.routes,
    activity_routes.routes,
    preference_routes.routes,
]


@routes.get("/user", guard=SIGNED_IN, returns=User, cached=True, brief=True)
def get_current_user(call: Call) -> Answer:
    """The caller's own account."""
    return presenting.present_self(call, queries.get_user(call.conn, call.actor.id))


@routes.get("/users", guard=ANYONE, params=ListUsers, returns=list[User])
def list_users(call: Call[ListUsers]) -> Answer:
    """Users of the instance, newest first; in full for administrators. Anonymous callers must name the `username`."""
    options: ListUsers = call.params
    if options.sent & {"extern_uid", "provider"} and not policy.may_search_by_identity(call.actor):
        raise Unauthorized if call.actor.is_anonymous else Forbidden()
    if call.actor.is_anonymous and not options.username:
        raise Forbidden("Not authorized to access /api/v4/users")
    return call.page(
        queries.listed(call.actor, options),
        presenting.present_users,
        keyset=queries.keyset(call.actor, options),
        limited="User",
    )


@routes.get("/users/{id:int}", guard=ANYONE, params=GetUser, returns=User)
def get_user(call: Call[GetUser]) -> Answer:
    """One user, with the fields that the caller may see."""
    if call.actor.is_anonymous:
        raise Forbidden("Not authorized!")
    row = queries.get_user(call.conn, int(call.path["id"]))
    if not policy.may_see(call.actor, row):
        raise NotFound("User")
    return presenting.present_one(call, row)


@routes.post("/users", guard=ADMINISTRATOR, params=CreateUser, returns=User, errors=(409,))
def create_user(call: Call[CreateUser]) -> Answer:
    """Create a user (administrators)."""
    created = changes.create(call, call.params)
    return presenting.present_one(call, queries.get_user(call.conn, created))


@routes.put("/users/{id:int}", guard=ADMINISTRATOR, params=EditUser, returns=User, errors=(409,))
def edit_user(call: Call[EditUser]) -> Answer:
    """Change a user (administrators)."""
    row = queries.get_user(call.conn, int(call.path["id"]))
    changes.edit(call, row, call.params)
    return presenting.present_one(call, queries.get_user(call.conn, row.id))


@routes.delete("/users/{id:int}", guard=ADMINISTRATOR, params=DeleteUser, errors=(409,))
def delete_user(call: Call[DeleteUser]) -> Answer:
    """Remove a user (administrators). What they wrote goes to the ghost user unless `hard_delete` is set."""
    with call.write() as tx:
        row = queries.get_user(tx, int(call.path["id"]))
        if row.kind == "ghost":
            raise Forbidden
        call.require_unmodified(row.updated_at)
        departure.delete_user(tx, row.id, hard=call.params.hard_delete)
    changes.forget_tokens(call)


@routes.delete("/users/{id:int}/identities/{provider}", guard=ADMINISTRATOR)
def delete_user_identity(call: Call) -> Answer:
    """Remove a user's identity at an identity provider (administrators)."""
    with call.write() as tx:
        row = queries.get_user(tx, int(call.path["id"]))
        identity = identities.get_identity(tx, row.id, call.path["provider"])
        call.require_unmodified(identity.updated_at)
        identities.delete_identity(tx, identity.id)


@routes.post("/users/{id:int}/follow", guard=SIGNED_IN, returns=UserBasic, also={304: None})
def follow_user(call: Call) -> Answer:
    """Follow a user; 304 if the caller does already."""
    return _followed(call, changes.follow(call, int(call.path["id"])))


@routes.post("/users/{id:int}/unfollow", guard=SIGNED_IN, returns=UserBasic, also={304: None})
def unfollow_user(call: Call) -> Answer:
    """Unfollow a user; 304 if the caller does not follow them."""
    return _followed(call, changes.unfollow(call, int(call.path["id"])))


def _followed(call: Call, row: UserRow) -> UserBasic:
    return present_basic(call, [row])[0]
