"""The states of a user and the transitions between them."""

import msgspec

ACTIVE, BLOCKED, BANNED, DEACTIVATED, PENDING = "active", "blocked", "banned", "deactivated", "blocked_pending_approval"
DORMANT_DAYS = 90


class Move(msgspec.Struct, frozen=True):
    """A transition: the states it starts from, the one it leads to, and the error for all others (with its status)."""

    name: str
    sources: tuple[str, ...]
    target: str
    refusal: tuple[int, str]
    already: tuple[str, ...] = ()  # nothing to do, and no error
    unmoved: bool | None = None  # the answer then


BLOCK = Move(
    "block",
    (ACTIVE, DEACTIVATED, PENDING, BANNED),
    BLOCKED,
    (403, "LDAP blocked users cannot be modified by the API"),
    already=(BLOCKED,),
)
UNBLOCK = Move(
    "unblock",
    (BLOCKED, PENDING, BANNED),
    ACTIVE,
    (403, "Deactivated users cannot be unblocked by the API"),
    already=(ACTIVE,),
    unmoved=False,
)
DEACTIVATE = Move(
    "deactivate",
    (ACTIVE,),
    DEACTIVATED,
    (403, "A blocked user cannot be deactivated by the API"),
    already=(DEACTIVATED,),
)
ACTIVATE = Move(
    "activate", (DEACTIVATED,), ACTIVE, (403, "A blocked user must be unblocked to be activated"), already=(ACTIVE,)
)
BAN = Move("ban", (ACTIVE,), BANNED, (403, "You cannot ban {state} users."), already=(BANNED,))
UNBAN = Move("unban", (BANNED,), ACTIVE, (403, "You cannot unban {state} users."))
APPROVE = Move("approve", (PENDING,), ACTIVE, (409, "The user you are trying to approve is not pending approval"))
REJECT = Move("reject", (PENDING,), "", (409, "User does not have a pending request"))
