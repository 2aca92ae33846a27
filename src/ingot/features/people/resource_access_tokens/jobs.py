"""Background work: removes outdated bots; what they wrote goes to the ghost user."""

from ingot.features.people.resource_access_tokens.commands import departing
from ingot.features.people.users import delete_user
from ingot.kit.errors import Conflict
from ingot.kit.jobs import Run, periodic


@periodic("remove_departing_bots", every=600)
def remove_departing_bots(run: Run) -> None:
    """Remove bots without a project or group, and those whose tokens expired a month ago."""
    with run.db.read() as conn:
        leaving = list(conn.execute(departing()))
    for row in leaving:
        run.check()
        try:
            with run.db.write() as tx:
                delete_user(tx, row.id, hard=False)
        except Conflict:
            # The only owner of a group stays until it has another.
            continue
