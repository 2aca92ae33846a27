"""Background work: removes the accounts of deleted groups; what they wrote goes to the ghost user."""

from ingot.features.people.service_accounts.queries import departing
from ingot.features.people.users import delete_user
from ingot.kit.errors import Conflict
from ingot.kit.jobs import Run, periodic


@periodic("remove_departing_service_accounts", every=600)
def remove_departing_service_accounts(run: Run) -> None:
    """Remove service accounts whose group is gone."""
    with run.db.read() as conn:
        leaving = list(conn.execute(departing()).scalars())
    for user_id in leaving:
        run.check()
        try:
            with run.db.write() as tx:
                delete_user(tx, user_id, hard=False)
        except Conflict:
            # The only owner of a group stays until it has another.
            continue
