"""Removes access requests of users who become members in another way."""

from sqlalchemy import delete, exists

from ingot.access.tables import members
from ingot.events import MembersChanged
from ingot.features.spaces.access_requests.tables import access_requests
from ingot.kit.events import listen
from ingot.kit.services import Services


@listen(MembersChanged)
def forget_fulfilled_requests(services: Services, event: MembersChanged) -> None:
    """Remove the user's requests where they are a member now."""
    requests = access_requests
    joined = exists().where(
        members.c.user_id == requests.c.user_id,
        (members.c.group_id == requests.c.group_id) | (members.c.project_id == requests.c.project_id),
    )
    with services.db.write() as tx:
        tx.execute(delete(requests).where(requests.c.user_id == event.user_id, joined))
