"""Recounts votes when a voter is removed."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from ingot.features.planning.award_emoji.commands import recount_votes, voted_on
from ingot.identity.departures import Leaving, during_departure


@during_departure
@contextmanager
def recount_votes_of_leaver(tx: Connection, leaving: Leaving) -> Iterator[None]:
    """The reactions go with the user."""
    voted = voted_on(tx, leaving.user_id)
    yield
    for kind, issuable_id in voted:
        recount_votes(tx, kind, issuable_id)
