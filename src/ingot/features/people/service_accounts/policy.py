"""Administrators manage the service accounts of the instance, Owners of a top-level group those of the group."""

from dataclasses import dataclass

from ingot.access.abilities import GroupAbility
from ingot.access.call import Call
from ingot.access.levels import OWNER
from ingot.identity.rows import UserRow
from ingot.kit.errors import BadRequest, Forbidden


@dataclass(frozen=True, slots=True, kw_only=True)
class TopLevelGroup(GroupAbility):
    """A right on a group that is in no other."""

    def admit(self, call: Call) -> None:
        """Subgroups have no service accounts of their own."""
        GroupAbility.admit(self, call)
        if call.group.parent_id is not None:
            raise BadRequest("Service accounts belong to top-level groups")


MANAGE_GROUP_ACCOUNTS = TopLevelGroup(ability="manage_service_accounts", level=OWNER, needs_user=True)


def require_tokens(call: Call, account: UserRow) -> None:
    """An Owner gets no token of an account that an administrator gave all rights."""
    if account.is_admin and not call.actor.is_admin:
        raise Forbidden


def confirms_addresses(call: Call) -> bool:
    """An address that an administrator chose counts as confirmed; others prove it by the mailed link."""
    return call.actor.is_admin
