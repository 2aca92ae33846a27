"""Background work of releases."""

from functools import partial

from ingot.features.planning.releases import evidence
from ingot.kit.jobs import Run, job


@job("releases.evidence")
def collect_evidence(run: Run, release_id: int) -> None:
    """Collect evidence of a release at its release time."""
    run.transact("collect", partial(evidence.collect, release_id=release_id))
