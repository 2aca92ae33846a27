"""Endpoints that change the state of users (administrators)."""

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.people.users import changes, commands, departure, policy, queries, states
from ingot.identity import second_factors
from ingot.kit.endpoint import Answer, Reply, Routes
from ingot.kit.errors import BadRequest, Forbidden

factors = Routes("Users", scopes=("read_user",), guard=ADMINISTRATOR)
NO_FACTOR = "Two-factor authentication is not enabled for this user"
OTHER_ADMINISTRATOR = "Two-factor authentication of administrators cannot be disabled by the API"
moves = Routes("Users", scopes=("read_user",), guard=ADMINISTRATOR, returns=bool | None)


def _move(call: Call, options: states.Move) -> Reply:
    """`true`; `null`, or what the move says, where the user is in that state already."""
    with call.write() as tx:
        moved = commands.move(tx, int(call.path["id"]), options)
    changes.forget_tokens(call)
    return Reply(True if moved else options.unmoved)


@factors.patch("/users/{id:int}/disable_two_factor", status=204)
def disable_two_factor(call: Call) -> Answer:
    """Switch a user's second factor off, for people who lost their device. Not for administrators."""
    row = queries.get_user(call.conn, int(call.path["id"]))
    if not policy.may_lose_second_factor(row):
        raise Forbidden(OTHER_ADMINISTRATOR)
    with call.write() as tx:
        if not second_factors.disable(tx, row.id):
            raise BadRequest(NO_FACTOR)
    return None


@moves.post("/users/{id:int}/block")
def block_user(call: Call) -> Answer:
    """Block a user: their tokens are refused until they are unblocked."""
    if int(call.path["id"]) == call.actor.id:
        raise Forbidden("The API initiating user cannot be blocked by the API")
    return _move(call, states.BLOCK)


@moves.post("/users/{id:int}/unblock")
def unblock_user(call: Call) -> Answer:
    """Unblock a user."""
    return _move(call, states.UNBLOCK)


@moves.post("/users/{id:int}/deactivate")
def deactivate_user(call: Call) -> Answer:
    """Deactivate a user who was not active for 90 days."""
    return _move(call, states.DEACTIVATE)


@moves.post("/users/{id:int}/activate")
def activate_user(call: Call) -> Answer:
    """Activate a deactivated user."""
    return _move(call, states.ACTIVATE)


@moves.post("/users/{id:int}/ban")
def ban_user(call: Call) -> Answer:
    """Ban an active user: blocked, and hidden from everybody else."""
    if int(call.path["id"]) == call.actor.id:
        raise Forbidden("The API initiating user cannot be banned by the API")
    return _move(call, states.BAN)


@moves.post("/users/{id:int}/unban")
def unban_user(call: Call) -> Answer:
    """Lift a ban."""
    return _move(call, states.UNBAN)


@moves.post("/users/{id:int}/approve", errors=(409,))
def approve_user(call: Call) -> Answer:
    """Accept a user who waits for approval."""
    return _move(call, states.APPROVE)


@moves.post("/users/{id:int}/reject", errors=(409,))
def reject_user(call: Call) -> Answer:
    """Refuse a user who waits for approval; the account is removed."""
    with call.write() as tx:
        row = queries.get_user(tx, int(call.path["id"]))
        if row.state != states.PENDING:
            commands.move(tx, row.id, states.REJECT)
        departure.delete_user(tx, row.id, hard=True)
    changes.forget_tokens(call)
    return True
