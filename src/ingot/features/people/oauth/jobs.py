"""Upkeep of the provider: what has ended is deleted, and old signing keys are replaced."""

from datetime import timedelta

from sqlalchemy import delete

from ingot.identity.oauth_tables import oauth_access_tokens, oauth_device_grants, oauth_grants
from ingot.identity.signing_keys import rotate_if_due
from ingot.kit.clock import now
from ingot.kit.jobs import Run, periodic

DAY = 24 * 60 * 60
# A replayed code or refresh token is recognised for so long.
REMEMBERED = timedelta(days=30)


@periodic("oauth_upkeep", every=DAY)
def keep_provider_tidy(run: Run) -> None:
    """Delete codes and revoked tokens that nobody can use any more; replace the signing key when it is old."""
    limit = now() - REMEMBERED
    with run.db.write() as tx:
        tx.execute(delete(oauth_grants).where(oauth_grants.c.expires_at < limit))
        tx.execute(delete(oauth_device_grants).where(oauth_device_grants.c.expires_at < limit))
        tokens = oauth_access_tokens
        tx.execute(delete(tokens).where(tokens.c.revoked_at < limit))
        tx.execute(delete(tokens).where(tokens.c.expires_at < limit, tokens.c.refresh_digest.is_(None)))
    rotate_if_due(run.services)
