"""Updating push mirrors."""

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, select, update

from ingot.access.tables import projects
from ingot.features.code.protected_branches import all_protected_branches
from ingot.features.code.remote_mirrors.addresses import dialled_address
from ingot.features.code.remote_mirrors.commands import UPDATE
from ingot.features.code.remote_mirrors.rows import MirrorRow
from ingot.features.code.remote_mirrors.tables import remote_mirrors
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import GitError
from ingot.gitstore.destinations import Destination
from ingot.gitstore.listing import matches_pattern
from ingot.gitstore.mirror_push import Choice, Outcome, push_all
from ingot.kit.clock import now
from ingot.kit.jobs import JobFailed, Run, Transient, job
from ingot.kit.outbound import OutboundFailed, UrlRefused
from ingot.kit.regexps import compile_regexp
from ingot.kit.sealing import Unreadable, unseal
from ingot.kit.services import Services

DIVERGED = "Some refs have diverged and have not been updated on the remote:\n\n"


class NotPushed(Transient):
    """The other server did not take the refs; it may later."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def _failed(tx: Connection, args: Mapping[str, object], sentence: str) -> None:
    _note(tx, int(str(args["mirror_id"])), update_status="failed", last_error=sentence, last_update_at=now())


@job(UPDATE, failed=_failed, long=True, retries=3, backoff=15.0)
def update_mirror(run: Run, mirror_id: int) -> None:
    """Push what differs."""
    with run.db.write() as tx:
        row = _start(tx, mirror_id)
    if row is None:
        return
    try:
        outcome = _push(run.services, row)
    except (UrlRefused, Unreadable) as error:
        raise JobFailed(str(error)) from error
    except (GitError, OutboundFailed) as error:
        with run.db.write() as tx:
            _note(tx, mirror_id, update_status="to_retry", last_error=str(error), last_update_at=now())
        raise NotPushed(str(error)) from error
    with run.db.write() as tx:
        if outcome.host_keys and not row.host_keys:
            _note(tx, mirror_id, host_keys=list(outcome.host_keys))
        if not outcome.diverged:
            moment = now()
            _note(tx, mirror_id, update_status="finished", last_error=None,
                  last_update_at=moment, last_successful_update_at=moment)  # fmt: skip
    if outcome.diverged:
        raise JobFailed(DIVERGED + "\n".join(outcome.diverged))


def _start(tx: Connection, mirror_id: int) -> MirrorRow | None:
    """The mirror, unless it was switched off or its project is being deleted."""
    living = select(projects.c.id).where(projects.c.pending_delete.is_(False))
    query = select(remote_mirrors).where(
        remote_mirrors.c.id == mirror_id, remote_mirrors.c.enabled, remote_mirrors.c.project_id.in_(living)
    )
    row: MirrorRow | None = tx.execute(query).one_or_none()
    if row is not None:
        _note(tx, mirror_id, update_status="started", last_update_started_at=now())
    return row


def _note(tx: Connection, mirror_id: int, **values: object) -> None:
    tx.execute(update(remote_mirrors).where(remote_mirrors.c.id == mirror_id).values(**values))


def _push(services: Services, row: MirrorRow) -> Outcome:
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == row.project_id)).one()
        address = dialled_address(services, conn, row.url)
        chosen = _chosen(conn, row)
    destination = Destination(
        url=row.url,
        address=address,
        login=None if row.sealed_login is None else unseal(services, row.sealed_login),
        key=None if row.sealed_key is None else unseal(services, row.sealed_key),
        host_keys=tuple(row.host_keys),
    )
    return push_all(repository_of(services, project), destination, Choice(chosen, row.keep_divergent_refs))


def _chosen(conn: Connection, row: MirrorRow) -> Callable[[str], bool]:
    if row.only_protected_branches:
        table = all_protected_branches
        names = list(conn.execute(select(table.c.name).where(table.c.project_id == row.project_id)).scalars())
        return lambda branch: any(matches_pattern(branch, name) for name in names)
    if row.mirror_branch_regex:
        expression = compile_regexp(row.mirror_branch_regex)
        return lambda branch: expression.search(branch) is not None
    return lambda _branch: True
