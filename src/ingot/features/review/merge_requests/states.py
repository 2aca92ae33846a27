"""States of a merge request and of its git check, and the moves between them."""

OPENED, CLOSED, MERGED, LOCKED = "opened", "closed", "merged", "locked"

# merge_status: the internal values; two of them are shown as `checking`.
UNCHECKED = "unchecked"
PREPARING = "preparing"
CHECKING = "checking"
CAN_BE_MERGED = "can_be_merged"
CANNOT_BE_MERGED = "cannot_be_merged"
RECHECK = "cannot_be_merged_recheck"
RECHECKING = "cannot_be_merged_rechecking"

NEEDS_CHECK = (UNCHECKED, CHECKING, RECHECK, RECHECKING, PREPARING)

# A push, a new target or reopening invalidates the last check.
INVALIDATED = {
    PREPARING: UNCHECKED,
    CAN_BE_MERGED: UNCHECKED,
    CHECKING: UNCHECKED,
    CANNOT_BE_MERGED: RECHECK,
    RECHECKING: RECHECK,
}


def shown(merge_status: str) -> str:
    """The value on the wire."""
    return CHECKING if merge_status in (PREPARING, RECHECKING) else merge_status


def invalidated(merge_status: str) -> str:
    """The value after something changed in git."""
    return INVALIDATED.get(merge_status, merge_status)
