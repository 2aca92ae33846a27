"""A runner asks for work: it gets a job, or waits for one if it already knows the current state of the queue."""

import asyncio
import hashlib

import msgspec

from ingot.access.call import Call
from ingot.features.ci.runners.authentication import find_first_project, get_runner, note_contact, require_home
from ingot.features.ci.runners.handing_out import HandOut, hand_out
from ingot.features.ci.runners.params import RequestJob
from ingot.features.ci.runners.queue_watch import LOOK_EVERY, QueueState, QueueWatch, queue_state
from ingot.instance.throttling import address_name, limit_use

PER_MINUTE = 2_000  # questions of one runner, where rate limits are on


class Offer(msgspec.Struct, frozen=True):
    """What the runner gets, and the state of the queue in which it asked."""

    hand_out: HandOut
    state: QueueState
    value: str

    @property
    def is_final(self) -> bool:
        """The runner is answered at once: with a job, or because it could not run those that waited."""
        return self.hand_out.job is not None or self.hand_out.failed


def offer(call: Call[RequestJob]) -> Offer:
    """Look once. The state is read first: what is queued meanwhile will make it differ."""
    runner = get_runner(call)
    require_home(call.conn, runner)
    manager_id = note_contact(call, runner, call.params.system_id, call.params.info)
    state = queue_state(call.conn)
    value = hashlib.sha256(f"{runner.id}:{runner.updated_at}:{state.jobs}".encode()).hexdigest()[:32]
    return Offer(hand_out(call, runner, manager_id) if runner.active else HandOut(), state, value)


def _limit_polling(call: Call[RequestJob]) -> None:
    """One runner that asks without pause takes nothing from others, nor do all of a project or an address together."""
    runner = get_runner(call)
    project_id = find_first_project(call.conn, runner)
    whose, address = f"runner:{runner.id}", address_name(call.request)
    limit_use(call.services, whose, "runner_jobs_request_api", PER_MINUTE, address=address, project_id=project_id)


async def offer_or_wait(call: Call[RequestJob]) -> Offer:
    """Look for a job; keep looking for a limited time if the runner already knew that there was none."""
    if call.services.settings.rate_limits:
        await call.run(_limit_polling, call)
    result: Offer = await call.run(offer, call)
    seconds = call.services.settings.job_request_wait
    if result.is_final or seconds <= 0 or call.params.last_update != result.value:
        return result
    watch = QueueWatch.of(call.services)
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    call.waited = 0.0
    async with watch.looking():
        while (left := end - loop.time()) > 0 and not call.services.stopping:
            changed = await watch.differs(result.state, min(left, LOOK_EVERY))
            call.waited += left - (end - loop.time())
            # The runner has disconnected: do not give it a job.
            if await call.request.is_disconnected():
                break
            if changed:
                result = await call.run(offer, call)
                if result.is_final:
                    break
                # Woken in vain: however busy the queue is, waiting runners ask at most once a second.
                pause = min(LOOK_EVERY, max(0.0, end - loop.time()))
                await asyncio.sleep(pause)
                call.waited += pause
    return result
