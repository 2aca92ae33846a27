"""Orphaned objects, missing objects, and remains of interrupted uploads."""

from collections.abc import Iterator
from uuid import uuid4

from ingot.doctor.finding import REPAIR, Finding
from ingot.kit.blobs import StoreFull, StoreUnavailable, backups
from ingot.kit.blobs.passing import PREFIX, past
from ingot.kit.blobs.references import missing, orphans, prefixes
from ingot.kit.jobs import Run, periodic
from ingot.kit.services import Services


def examine(services: Services, repair: bool) -> Iterator[Finding]:
    """Orphans can be deleted; a missing object can only be reported."""
    try:
        yield from _backups(services, repair)
        for prefix in prefixes():
            yield from _below(services, prefix, repair)
        yield from _writing(services)
    except StoreUnavailable as error:
        yield Finding(f"The object store {error.why}.")


def _writing(services: Services) -> Iterator[Finding]:
    """Keys, policies and file systems may let everything be read and nothing be written."""
    key = f"{PREFIX}doctor-{uuid4().hex}"
    try:
        services.blobs.put(key, b"written by ingot doctor")
        services.blobs.delete(key)
    except StoreFull:
        yield Finding("The object store is full. Enlarge it or delete data you no longer need.")
    except StoreUnavailable as error:
        yield Finding(f"The object store does not accept objects: it {error.why}.")


def _backups(services: Services, repair: bool) -> Iterator[Finding]:
    """While a backup is under way no object is deleted; one that was killed cannot say that it is over."""
    for mark in backups.marks(services.blobs):
        if not mark.is_silent:
            yield Finding(
                f"A backup is in progress ({mark.of}). No objects are deleted until it finishes.", is_note=True
            )
            continue
        if repair:
            services.blobs.delete(mark.key)
        sentence = f"A backup did not finish cleanly ({mark.of}). No objects are deleted until its marker expires."
        yield Finding(sentence, repaired=repair, command=REPAIR)


def _below(services: Services, prefix: str, repair: bool) -> Iterator[Finding]:
    with services.db.read() as conn:
        lost = list(missing(conn, services.blobs, prefix))
        spare = list(orphans(conn, services.blobs, prefix))
    for key in lost:
        sentence = f"The object {key} is missing. Content that uses it cannot be shown or downloaded."
        yield Finding(f"{sentence} Restore it from a backup of the object store.")
    may_delete = repair and next(backups.marks(services.blobs), None) is None
    for key in spare:
        if may_delete:
            services.blobs.delete(key)
        yield Finding(f"The object {key} is no longer needed.", repaired=may_delete, command=REPAIR)


@periodic("object_sweep", every=24 * 3600.0, long=True)
def sweep(run: Run) -> None:
    """Delete orphans older than a day, and the remains of interrupted uploads."""
    _delete(run, _spare(run), run.services.blobs.remove_abandoned([*prefixes(), PREFIX]))


@periodic("passing_object_sweep", every=3600.0, long=True)
def sweep_passing(run: Run) -> None:
    """Delete what is kept for a day only, and the oldest of it where it is too much."""
    _delete(run, past(run.services.blobs))


def _delete(run: Run, keys: Iterator[str], deleted: int = 0) -> None:
    for key in keys:
        run.check()
        run.services.blobs.delete(key)
        deleted += 1
        run.progress(done=deleted, label="objects deleted")


def _spare(run: Run) -> Iterator[str]:
    blobs = run.services.blobs
    for prefix in prefixes():
        with run.db.read() as conn:
            spare = list(orphans(conn, blobs, prefix))
        yield from spare
