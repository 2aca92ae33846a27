"""The states of pages that renew themselves, as short texts; empty once nothing will change by itself."""

import hashlib
from collections.abc import Sequence

from ingot.archives.stages import TransferProgress
from ingot.web.answers import Approvals, Job, MergeRequest, Pipeline
from ingot.web.watching import CALM

MOVING = frozenset({"created", "waiting_for_resource", "preparing", "pending", "running", "canceling", "scheduled"})
JOB_OPEN = frozenset({"queued", "running"})
RENEWED_EVERY = 5  # seconds
WAITING = frozenset({"preparing", "unchecked", "checking", "ci_still_running"})


def job_state(job: Job, size: int) -> str:
    """The state of a job whose log has this size."""
    return f"{job['status']}-{size}" if job["status"] in MOVING else ""


def pipeline_state(pipeline: Pipeline, jobs: Sequence[tuple[int, str, str | None]]) -> str:
    """The state of a pipeline, of its jobs, and of the pipelines that these have started."""
    if pipeline["status"] not in MOVING:
        return ""
    return _short(pipeline["status"], *(f"{number}:{status}:{below or ''}" for number, status, below in jobs))


def box_state(request: MergeRequest, approvals: Approvals | None) -> str:
    """The state of a merge box; it is calm unless something is checked, runs, or will be merged by itself."""
    if request["state"] not in ("opened", "locked"):
        return ""
    pipeline = request.get("head_pipeline")
    pipeline_status = None if pipeline is None else pipeline["status"]
    waits = (
        request["state"] == "locked"
        or request["detailed_merge_status"] in WAITING
        or pipeline_status in MOVING
        or request["merge_when_pipeline_succeeds"]
        or request.get("rebase_in_progress", False)
    )
    given = [str(entry["user"]["id"]) for entry in (approvals or {}).get("approved_by", [])]
    left = str((approvals or {}).get("approvals_left"))
    return ("" if waits else CALM) + _short(
        request["state"], request["detailed_merge_status"], str(request["sha"]), str(pipeline_status),
        str(request["updated_at"]), str(request.get("rebase_in_progress")), left, *given,
    )  # fmt: skip


def transfer_state(progress: TransferProgress | None) -> str:
    """The state of an import or export; what is counted changes with every second, and every few are enough."""
    if progress is None or progress.job_state not in JOB_OPEN:
        return ""
    stages = (f"{stage.words}:{stage.state}" for stage in progress.stages)
    return _short(progress.job_state, *stages, str(int(progress.part.at) // RENEWED_EVERY))


def _short(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
