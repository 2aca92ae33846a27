"""Health: the quick checks of `ingot doctor` at each visit, and all of them, with or without repair, as a job."""

from starlette.responses import Response

from ingot.doctor import begin_examination, last_examination, machine, queue
from ingot.kit.errors import Conflict
from ingot.web.call import PageCall, View
from ingot.web.guards import ADMINISTRATION
from ingot.web.pages.admin import admin_view
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import done

pages = Pages("site")
PAGE = "admin/health_check"
TITLES = {
    "machine": "Machine", "rights": "Access rights", "objects": "Stored objects", "repositories": "Repositories",
    "code index": "Code index", "jobs": "Background jobs",
}  # fmt: skip


@pages.get(PAGE, guard=ADMINISTRATION)
def show_health(call: PageCall) -> View:
    """What the quick checks say now, and what the last examination of everything found."""
    return _health(call)


@pages.post(f"{PAGE}/examine", guard=ADMINISTRATION)
def examine(call: PageCall) -> View | Response:
    """Look at everything, in the background."""
    return _begin(call, repair=False)


@pages.post(f"{PAGE}/repair", guard=ADMINISTRATION)
def repair(call: PageCall) -> View | Response:
    """The same, and repair what can be repaired without loss."""
    return _begin(call, repair=True)


def _begin(call: PageCall, *, repair: bool) -> View | Response:
    try:
        with call.write() as tx:
            begin_examination(tx, repair=repair)
    except Conflict as error:
        return _health(call, refusal_of(error), error.status)
    return done(call, f"/{PAGE}#everything", "The check has started.")


def _health(call: PageCall, problem: str = "", status: int = 200) -> View:
    quick = {"machine": machine.examine(call.services, False), "jobs": queue.examine(call.services, False)}
    last = last_examination(call.conn)
    times = {}
    if last is not None:
        job = last.job
        moments = {"queued": job.created_at, "started": job.started_at, "ended": job.ended_at}
        times = {name: moment.isoformat() for name, moment in moments.items() if moment is not None}
    return admin_view(
        call, "admin_health", "", status, quick={name: list(found) for name, found in quick.items()}, titles=TITLES,
        last=last, times=times, is_open=last is not None and last.job.ended_at is None, problem=problem,
    )  # fmt: skip
