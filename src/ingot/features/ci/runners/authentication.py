"""Authentication of the runner protocol: by runner token, or by job token."""

import hmac
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, exists, func, insert, select, update

from ingot.access.call import Call
from ingot.access.tables import projects
from ingot.features.ci.engine import EXECUTING, ci_jobs
from ingot.features.ci.runners.params import RunnerToken
from ingot.features.ci.runners.rows import RunnerManagerRow, RunnerRow, RunningJobRow
from ingot.features.ci.runners.tables import runner_groups, runner_managers, runner_projects, runners
from ingot.identity.tokens import digest
from ingot.kit.clock import now
from ingot.kit.errors import Forbidden, ParamError, Unprocessable

# A contact is written at most this often: polling costs no writes.
_CONTACT_STEP = timedelta(seconds=40)
_LEGACY = "<legacy>"


class Orphaned(Unprocessable):
    """422 Unprocessable Entity - Runner is orphaned"""


def find_runner(conn: Connection, token: str | None) -> RunnerRow | None:
    """The runner of this token, or None; tokens may expire."""
    if not token:
        return None
    row = conn.execute(select(runners).where(runners.c.token_digest == digest(token))).one_or_none()
    if row is None or (row.token_expires_at is not None and row.token_expires_at <= now()):
        return None
    return row


def runner_token_of(call: Call[RunnerToken]) -> str:
    """The token of a runner's call: the parameter, or the header alone."""
    sent: str | None = call.params.token or call.request.headers.get("runner-token")
    if not sent:
        raise ParamError("token is missing")
    return sent


def get_runner(call: Call[RunnerToken]) -> RunnerRow:
    """The calling runner, or 403: other statuses would not stop a runner."""
    runner = find_runner(call.conn, runner_token_of(call))
    if runner is None:
        raise Forbidden
    return runner


def require_home(conn: Connection, runner: RunnerRow) -> None:
    """A project or group runner must still have a project or group."""
    places = {"project_type": runner_projects, "group_type": runner_groups}
    table = places.get(runner.runner_type)
    if table is not None and not conn.execute(select(exists().where(table.c.runner_id == runner.id))).scalar_one():
        raise Orphaned


def find_first_project(conn: Connection, runner: RunnerRow) -> int | None:
    """The oldest of a project runner's projects; None for runners of groups and of the instance."""
    if runner.runner_type != "project_type":
        return None
    first = select(func.min(runner_projects.c.project_id)).where(runner_projects.c.runner_id == runner.id)
    number: int | None = conn.execute(first).scalar_one()
    return number


def note_contact(call: Call, runner: RunnerRow, system_id: str | None, info: Mapping[str, object] | None) -> int:
    """Record the contact of a runner and its machine; returns the machine's id."""
    system = (system_id or _LEGACY)[:64]
    known = call.conn.execute(
        select(runner_managers).where(runner_managers.c.runner_id == runner.id, runner_managers.c.system_id == system)
    ).one_or_none()
    facts = _facts(call, info)
    moment = now()
    changed = known is None or any(getattr(known, name) != value for name, value in facts.items())
    if known is not None and not changed and _is_recent(known, moment) and _is_recent(runner, moment):
        return int(known.id)
    with call.write() as tx:
        tx.execute(
            update(runners)
            .where(runners.c.id == runner.id)
            .values(contacted_at=moment, ip_address=facts["ip_address"], name=facts["name"] or runner.name)
        )
        return _keep_manager(tx, runner.id, system, {**facts, "contacted_at": moment})


def _is_recent(row: RunnerRow | RunnerManagerRow, moment: datetime) -> bool:
    return row.contacted_at is not None and row.contacted_at > moment - _CONTACT_STEP


def _keep_manager(tx: Connection, runner_id: int, system_id: str, values: Mapping[str, object]) -> int:
    # The update above locked the runner's row: two first contacts create one machine.
    here = (runner_managers.c.runner_id == runner_id) & (runner_managers.c.system_id == system_id)
    value = tx.execute(select(runner_managers.c.id).where(here)).scalar_one_or_none()
    if value is not None:
        tx.execute(update(runner_managers).where(runner_managers.c.id == value).values(**values))
        return int(value)
    return int(
        tx.execute(
            insert(runner_managers)
            .values(runner_id=runner_id, system_id=system_id, created_at=now(), **values)
            .returning(runner_managers.c.id)
        ).scalar_one()
    )


def _facts(call: Call, info: Mapping[str, object] | None) -> dict[str, Any]:
    values = info or {}
    client = call.request.client
    features = values.get("features")
    result: dict[str, Any] = {
        name: str(values[name])[:255] if isinstance(values.get(name), str) else None
        for name in ("name", "version", "revision", "platform", "architecture")
    }
    executor = values.get("executor")
    result["executor"] = executor[:64] if isinstance(executor, str) else None
    result["ip_address"] = client.host[:64] if client is not None else None
    listed = features if isinstance(features, dict) else {}
    result["features"] = sorted(str(name)[:64] for name, on in listed.items() if on is True)[:200]
    return result


def job_token_of(call: Call) -> str:
    """The token of a job call: the header, or the parameter."""
    sent = call.request.headers.get("job-token") or call.values.get("token")
    return sent if isinstance(sent, str) else ""


def authenticate_job(call: Call, job_id: int) -> RunningJobRow:
    """The running job that this token belongs to. Every refusal is a 403, so that its runner stops."""
    row = _find_job(call.conn, job_id)
    clear = job_token_of(call)
    if row is None or not clear or not hmac.compare_digest(row.token_digest or "", digest(clear)):
        raise Forbidden
    if row.pending_delete:
        raise Forbidden("Project has been deleted!", {"Job-Status": row.status})
    if row.erased_at is not None:
        raise Forbidden("Job has been erased!", {"Job-Status": row.status})
    if row.status not in EXECUTING:
        raise Forbidden("Job is not processing on runner", {"Job-Status": row.status})
    return row


def running_job(call: Call, job_id: int) -> RunningJobRow:
    """A running job, for a caller who sends its token later; the refusal says nothing about the job."""
    row = _find_job(call.conn, job_id)
    if row is None or row.pending_delete or row.erased_at is not None or row.status not in EXECUTING:
        raise Forbidden
    return row


def _find_job(conn: Connection, job_id: int) -> RunningJobRow | None:
    return conn.execute(
        select(ci_jobs, projects.c.pending_delete)
        .join_from(ci_jobs, projects, projects.c.id == ci_jobs.c.project_id)
        .where(ci_jobs.c.id == job_id, ci_jobs.c.kind == "build")
    ).one_or_none()
