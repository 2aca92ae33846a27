"""One job from its description to its final update."""

import logging
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import ingot
from ingot.runner import artifacts, sources
from ingot.runner.artifacts import UploadFailed
from ingot.runner.job import Job
from ingot.runner.journal import Journal, forget
from ingot.runner.protocol import Coordinator, Refused, Unreachable
from ingot.runner.shell import Stopped, run_script
from ingot.runner.sources import SourcesFailed
from ingot.runner.trace import Trace
from ingot.runner.variables import environment

log = logging.getLogger("ingot.runner")
_AFTER_SCRIPT = 300.0
_REPORTS = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the job ended."""

    state: str
    failure_reason: str | None = None
    exit_code: int | None = None


def _reason(outcome: Outcome) -> str:
    if outcome.exit_code is not None:
        return f"exit code {outcome.exit_code}"
    return (outcome.failure_reason or "unknown failure").replace("_", " ")


class Execution:
    """A job that this runner has taken."""

    def __init__(self, coordinator: Coordinator, job: Job, builds: Path, slot: int) -> None:
        self._coordinator = coordinator
        self._job = job
        self._builds = builds / str(slot)
        self._slot = slot
        self._folder = self._builds / str(job.job_info.project_id)
        self._limit = time.monotonic() + job.runner_info.timeout

    def run(self, stopping: threading.Event, journal: Journal) -> Outcome:
        """Run it and report to the server how it ended; never raises for what a job may do."""
        with journal.noting(self._job) as note:
            outcome, is_told = self._run(stopping)
            if is_told:
                forget(note)
        return outcome

    def _run(self, stopping: threading.Event) -> tuple[Outcome, bool]:
        job = self._job
        trace = Trace(self._coordinator, job.id, job.token, job.secrets)
        self._builds.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f"job-{job.id}-", dir=self._builds))
        try:
            outcome = self._attempt(trace, scratch, stopping)
        except Exception as error:
            log.exception("job %s", job.id)
            trace.say(f"ERROR: {error}")
            outcome = Outcome("failed", "runner_system_failure")
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        trace.say("Job succeeded" if outcome.state == "success" else f"ERROR: Job failed: {_reason(outcome)}")
        return outcome, self._report(trace, outcome, tries=1 if stopping.is_set() else _REPORTS)

    def _attempt(self, trace: Trace, scratch: Path, stopping: threading.Event) -> Outcome:
        job = self._job
        trace.say(f"Running with ingot-runner {ingot.__version__} (shell executor)")
        env = environment(job.variables, scratch / "files", self._own_variables())
        try:
            if hooks := [line for hook in job.hooks or [] for line in hook.script]:
                run_script(hooks, scratch / "hooks.sh", trace, env, self._builds, self._is_over(trace, stopping))
            sources.fetch(job, self._folder, trace, env, self._is_over(trace, stopping))
            sources.unpack_dependencies(self._coordinator, job, self._folder, trace, scratch)
            if job.cache:
                trace.say("WARNING: this runner does not support caches")
            outcome = self._script(trace, scratch, env, stopping)
        except Stopped:
            outcome = self._stopped(trace, stopping)
        except (SourcesFailed, Refused, Unreachable) as error:
            trace.say(f"ERROR: {error}")
            outcome = Outcome("failed", "runner_system_failure")
        if not trace.aborted.is_set():
            self._after(trace, scratch, env, outcome)
            outcome = self._upload_artifacts(trace, scratch, outcome)
        return outcome

    def _script(self, trace: Trace, scratch: Path, env: Mapping[str, str], stopping: threading.Event) -> Outcome:
        for step in self._job.steps:
            if step.name == "after_script":
                continue
            trace.say(f'Executing "{step.name}"')
            place = scratch / f"{step.name}.sh"
            status = run_script(step.script, place, trace, env, self._folder, self._is_over(trace, stopping))
            if status and not step.allow_failure:
                # A script that a signal ended has a negative status here, and 128 + n in a shell.
                code = status if status > 0 else 128 - status
                return Outcome("failed", "script_failure", code)
        return Outcome("success", None, 0)

    def _after(self, trace: Trace, scratch: Path, env: Mapping[str, str], outcome: Outcome) -> None:
        status = "canceled" if trace.canceling.is_set() else outcome.state
        limit = time.monotonic() + _AFTER_SCRIPT
        for step in self._job.steps:
            if step.name == "after_script" and self._folder.is_dir():
                trace.say("Running after_script")
                variables = {**env, "CI_JOB_STATUS": status}
                place = scratch / "after_script.sh"
                try:
                    run_script(
                        step.script, place, trace, variables, self._folder,
                        lambda: trace.aborted.is_set() or time.monotonic() > limit,
                    )  # fmt: skip
                except Stopped:
                    trace.say("WARNING: after_script was stopped")

    def _upload_artifacts(self, trace: Trace, scratch: Path, outcome: Outcome) -> Outcome:
        if not self._folder.is_dir() or trace.canceling.is_set():
            return outcome
        succeeded = outcome.state == "success"
        try:
            artifacts.send(self._coordinator, self._job, self._folder, trace, scratch, succeeded=succeeded)
        except UploadFailed:
            return Outcome("failed", "runner_system_failure") if succeeded else outcome
        return outcome

    def _own_variables(self) -> dict[str, str]:
        return {
            "CI_PROJECT_DIR": str(self._folder),
            "CI_BUILDS_DIR": str(self._builds),
            "CI_CONCURRENT_ID": str(self._slot),
            "CI_CONCURRENT_PROJECT_ID": str(self._slot),
            "CI_SERVER": "yes",
            "CI_RUNNER_VERSION": ingot.__version__,
            "CI_SHARED_ENVIRONMENT": "true",
        }

    def _is_over(self, trace: Trace, stopping: threading.Event) -> Callable[[], bool]:
        return lambda: (
            trace.aborted.is_set() or trace.canceling.is_set() or stopping.is_set() or time.monotonic() > self._limit
        )

    def _stopped(self, trace: Trace, stopping: threading.Event) -> Outcome:
        if trace.canceling.is_set() or trace.aborted.is_set():
            trace.say("WARNING: Job was cancelled")
            return Outcome("failed", "script_failure")
        if stopping.is_set():
            return Outcome("failed", "runner_interrupted")
        trace.say("ERROR: the job exceeded its time limit")
        return Outcome("failed", "job_execution_timeout")

    def _report(self, trace: Trace, outcome: Outcome, tries: int) -> bool:
        """Whether the server knows how the job ended. A runner that stops leaves the rest to its next start."""
        output = trace.finish()
        job = self._job
        pause = 1.0
        for _ in range(tries):
            try:
                answer = self._coordinator.update_job(
                    job.id, job.token, outcome.state,
                    failure_reason=outcome.failure_reason, exit_code=outcome.exit_code, output=output,
                )  # fmt: skip
            except Unreachable:
                log.warning("job %s: the server does not respond", job.id)
            else:
                if answer.status in (200, 400, 403, 404):
                    return True
                if answer.status == 412:
                    trace.send_again()
            time.sleep(pause)
            pause = min(60.0, pause * 2)
        return False
