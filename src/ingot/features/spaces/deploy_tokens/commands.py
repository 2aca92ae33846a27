"""Creating deploy tokens."""

from sqlalchemy import Connection, insert

from ingot.features.spaces.deploy_tokens.params import CreateDeployToken
from ingot.features.spaces.deploy_tokens.rows import DeployTokenRow
from ingot.features.spaces.deploy_tokens.tables import deploy_tokens
from ingot.identity.tokens import digest, fresh
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import Failure
from ingot.kit.patterns import ALPHANUMERIC, consists_of
from ingot.kit.sealing import seal
from ingot.kit.services import Services

PREFIX = "gldt-"
LONGEST = 255


def create(
    tx: Connection, services: Services, creator_id: int, options: CreateDeployToken, **place: int
) -> tuple[DeployTokenRow, str]:
    """Create a token; returns its row and its clear-text value."""
    problem = _problem(options)
    if problem is not None:
        raise Failure(400, problem)
    clear = fresh(PREFIX)
    created = insert(deploy_tokens).values(
        creator_id=creator_id,
        name=options.name,
        username=options.username or None,
        digest=digest(clear),
        sealed_token=seal(services, clear),
        scopes=list(dict.fromkeys(options.scopes)),
        expires_at=options.expires_at,
        revoked=False,
        created_at=now(),
        **place,
    )
    row: DeployTokenRow = tx.execute(created.returning(*deploy_tokens.c)).one()
    report_token(tx, "create", row)
    return row, clear


def report_token(tx: Connection, action: str, row: DeployTokenRow) -> None:
    """Report that a token is new or gone."""
    details = {"type": "deploy_token", "name": row.name, "more": {"scopes": row.scopes}}
    change = Change("audited_record", action, row.id, row.project_id, row.group_id, details=details)
    report_change(tx, change)


def _problem(options: CreateDeployToken) -> str | None:
    if not options.scopes:
        return "Scopes can't be blank"
    if not options.name.strip():
        return "Name can't be blank"
    if len(options.name) > LONGEST:
        return f"Name is too long (maximum is {LONGEST} characters)"
    if len(options.username or "") > LONGEST:
        return f"Username is too long (maximum is {LONGEST} characters)"
    if options.username and not consists_of(options.username, f"{ALPHANUMERIC}_+.-"):
        return "Username can contain only letters, digits, '_', '-', '+', and '.'"
    return None
