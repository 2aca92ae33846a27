"""Changing status checks, recording what they say, and writing what they are told."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ingot.access.call import Call
from ingot.features.code.protected_branches import protected_branches
from ingot.features.integrations.status_checks.params import CreateCheck, RespondToCheck, UpdateCheck
from ingot.features.integrations.status_checks.rows import CheckRow
from ingot.features.integrations.status_checks.tables import (
    external_status_checks,
    status_check_branches,
    status_check_messages,
    status_check_responses,
)
from ingot.features.integrations.web_hooks import Blocks, merge_request_messages, new_mark, rules_for
from ingot.features.review.merge_requests import MergeRequestRow
from ingot.instance.outbound import is_silent
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.errors import RecordNotFound, Texts
from ingot.kit.jobs import enqueue
from ingot.kit.outbound import UrlRefused, check_literally, without_secrets
from ingot.kit.sealing import seal

DELIVERY = "status_check_delivery"
MOST = 50  # each is told of every change
LONGEST = 255


def create(tx: Connection, call: Call[CreateCheck]) -> CheckRow:
    """A new status check."""
    options, project_id = call.params, call.project.id
    values = {"name": options.name, "external_url": options.external_url, **_secret(call, options)}
    _require_valid(call, tx, values)
    take_turn(tx, f"status_checks:{project_id}")
    here = select(func.count()).where(external_status_checks.c.project_id == project_id)
    if tx.execute(here).scalar_one() >= MOST:
        raise Texts(422, [f"Maximum number of external status checks ({MOST}) exceeded"])
    created = insert(external_status_checks).values(project_id=project_id, **values, created_at=now(), updated_at=now())
    try:
        with tx.begin_nested():
            row: CheckRow = tx.execute(created.returning(*external_status_checks.c)).one()
    except IntegrityError:
        raise Texts(422, _taken(tx, project_id, values)) from None
    _set_branches(tx, row, options.protected_branch_ids)
    report(tx, "create", row)
    return row


def change(tx: Connection, call: Call[UpdateCheck], row: CheckRow) -> CheckRow:
    """Change what was sent."""
    options = call.params
    given: dict[str, str | None] = {
        name: getattr(options, name) or "" for name in ("name", "external_url") if name in options.sent
    }
    values = {**given, **_secret(call, options)}
    _require_valid(call, tx, values)
    changed = update(external_status_checks).where(external_status_checks.c.id == row.id)
    try:
        with tx.begin_nested():
            changed = changed.values(**values, updated_at=now())
            result: CheckRow = tx.execute(changed.returning(*external_status_checks.c)).one()
    except IntegrityError:
        raise Texts(422, _taken(tx, row.project_id, values, but=row.id)) from None
    if "protected_branch_ids" in options.sent:
        _set_branches(tx, row, options.protected_branch_ids)
    details = {"before": _facts(row), "after": _facts(result)}
    report(tx, "update", result, details)
    return result


def respond(tx: Connection, request: MergeRequestRow, check: CheckRow, options: RespondToCheck) -> int:
    """Record what a service says."""
    created = insert(status_check_responses).values(
        merge_request_id=request.id, check_id=check.id, sha=options.sha, status=options.status, created_at=now()
    )
    return int(tx.execute(created.returning(status_check_responses.c.id)).scalar_one())


def tell(tx: Connection, checks: Iterable[CheckRow], change: Change) -> None:
    """Store what the checks are to be told of a change; background work sends it."""
    if is_silent(tx):
        return
    mark = new_mark()
    for message in merge_request_messages(Blocks(tx, mark), change):
        for check in checks:
            rule = {"id": check.id, "name": check.name, "external_url": check.external_url}
            row = {
                "check_id": check.id,
                "mark": mark,
                "payload": msgspec.json.encode({**message.payload, "external_approval_rule": rule}).decode(),
                "late_parts": message.late_parts,
                "created_at": now(),
            }
            tx.execute(insert(status_check_messages).values(**row))
            queue_delivery(tx, check.id)


def queue_delivery(tx: Connection, check_id: int) -> None:
    """Have somebody send what waits for a check; one run at a time, so that the order is kept."""
    enqueue(tx, DELIVERY, key=f"status-check-{check_id}", args={"check_id": check_id}, rerun=True)


def reset(tx: Connection, request: MergeRequestRow, check: CheckRow) -> None:
    """Forget what a check said about a request."""
    table = status_check_responses
    tx.execute(delete(table).where(table.c.merge_request_id == request.id, table.c.check_id == check.id))


def report(tx: Connection, action: str, row: CheckRow, more: Mapping[str, object] | None = None) -> None:
    """Report a change of the checks."""
    details = {"type": "external_status_check", "name": row.name, **(more or {})}
    report_change(tx, Change("audited_record", action, row.id, project_id=row.project_id, details=details))


def _facts(row: CheckRow) -> dict[str, object]:
    return {"name": row.name, "external_url": without_secrets(row.external_url), "hmac": row.sealed_secret is not None}


def _secret(call: Call, options: CreateCheck | UpdateCheck) -> dict[str, str | None]:
    if "shared_secret" not in options.sent:
        return {}
    return {"sealed_secret": seal(call.services, options.shared_secret) if options.shared_secret else None}


def _require_valid(call: Call, tx: Connection, values: dict[str, str | None]) -> None:
    problems = []
    for name, word in (("name", "Name"), ("external_url", "External url")):
        text = values.get(name)
        if name in values and not (text or "").strip():
            problems.append(f"{word} can't be blank")
        elif len(text or "") > LONGEST:
            problems.append(f"{word} is too long (maximum is {LONGEST} characters)")
    if problems:
        raise Texts(422, problems)
    if url := values.get("external_url"):
        try:
            check_literally(url, rules_for(call.services, tx, "project"))
        except UrlRefused as refused:
            raise Texts(422, [f"External url is blocked: {refused}"]) from None


def _taken(tx: Connection, project_id: int, values: dict[str, str | None], but: int = 0) -> list[str]:
    table = external_status_checks
    words = {"name": "Name has already been taken", "external_url": "External url has already been taken"}
    return [
        text
        for name, text in words.items()
        if tx.execute(
            select(table.c.id).where(
                table.c.project_id == project_id, table.c[name] == values.get(name), table.c.id != but
            )
        ).first()
    ]


def _set_branches(tx: Connection, row: CheckRow, ids: Sequence[int]) -> None:
    table, wanted = protected_branches, sorted(set(ids))
    query = select(table.c.id).where(table.c.project_id == row.project_id, table.c.id.in_(wanted))
    if wanted and len(tx.execute(query).all()) != len(wanted):
        raise RecordNotFound
    tx.execute(delete(status_check_branches).where(status_check_branches.c.check_id == row.id))
    if wanted:
        tx.execute(insert(status_check_branches), [{"check_id": row.id, "protected_branch_id": one} for one in wanted])
