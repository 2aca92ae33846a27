"""Background work of members: removes expired memberships."""

from ingot.features.people.members.expiry import expire
from ingot.kit.jobs import Run, periodic


@periodic("expire_memberships", every=300)
def expire_memberships(run: Run) -> None:
    """Remove expired memberships and shares in small transactions until none is left."""
    ended = 1
    while ended:
        run.check()
        with run.db.write() as tx:
            ended = expire(tx)
