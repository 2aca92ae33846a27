"""Opening, reading, changing and deleting issues."""

from datetime import datetime

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.events import TextWritten
from ingot.features.planning.issuables import may_name
from ingot.features.planning.issues import editing, lookup, policy, queries, quick
from ingot.features.planning.issues.editing import IssueOptions
from ingot.features.planning.issues.entities import Issue
from ingot.features.planning.issues.opening import run_hooks
from ingot.features.planning.issues.params import CreateIssue, UpdateIssue
from ingot.features.planning.issues.params_single import OneIssue
from ingot.features.planning.issues.present import present_single
from ingot.features.planning.labels import ADMIN_LABELS
from ingot.features.planning.quick_actions import Command, split
from ingot.features.spaces.user_agents import record_client
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden
from ingot.kit.events import announce
from ingot.kit.params import Param, Params

routes = Routes("Issues")
PATH = "/projects/{id}/issues/{issue_iid}"


class IssueById(Params):
    """The global id in the path."""

    id: int = Param("Global id of the issue.", required=True)


def _options(
    call: Call, given: dict[str, object], *, created_at: datetime | None = None, iid: int | None = None
) -> IssueOptions:
    return IssueOptions(
        given=given,
        manages=policy.may_admin(call.actor, call.project),
        creates_labels=ADMIN_LABELS.allows(call.actor, call.project),
        is_paid=call.services.settings.has_tier("premium"),
        created_at=created_at,
        iid=iid,
    )


def _announce_text(call: Call[CreateIssue] | Call[UpdateIssue], issue_id: int, description: str | None) -> None:
    """Announce texts that may contain a mention."""
    text = "\n".join(filter(None, (call.params.title, description)))
    if may_name(text):
        announce(call.services, TextWritten("Issue", issue_id, call.project.id, text, call.actor.user_id))


@routes.get("/issues/{id}", guard=ADMINISTRATOR, params=IssueById, returns=Issue)
def get_issue_by_id(call: Call[IssueById]) -> Answer:
    """One issue by its global id (administrators)."""
    return present_single(call, queries.get_by_id(call.conn, call.params.id))


@routes.get(PATH, guard=policy.FIND_ISSUE, params=OneIssue, returns=Issue)
def get_issue(call: Call[OneIssue]) -> Answer:
    """One issue."""
    return present_single(call, lookup.find_issue(call))


@routes.post("/projects/{id}/issues", guard=policy.CREATE_ISSUE, params=CreateIssue, returns=Issue, errors=(409,))
def create_issue(call: Call[CreateIssue]) -> Answer:
    """Open an issue."""
    params = call.params
    chooses = policy.may_set_times(call.actor, call.project)
    given = params.given()
    given["description"], actions = split(params.description, "Issue") if params.description else (None, [])
    options = _options(
        call,
        given,
        created_at=params.created_at if chooses else None,
        iid=params.iid if chooses else None,
    )
    with call.write() as tx:
        created = editing.open_issue(tx, call.actor, call.project, options)
        record_client(tx, call, issue_id=created)
    row = queries.get_by_id(call.conn, created)
    run_hooks(call, row, params)
    _announce_text(call, row.id, given.get("description"))
    if actions:
        quick.run(call, row, actions)
    return present_single(call, queries.get_by_id(call.conn, created))


@routes.put(PATH, guard=policy.FIND_ISSUE, params=UpdateIssue, returns=Issue, errors=(409,))
def update_one_issue(call: Call[UpdateIssue]) -> Answer:
    """Change, close or reopen an issue."""
    row = lookup.find_for_update(call)
    chooses = policy.may_set_times(call.actor, call.project)
    given = call.params.given()
    actions: list[Command] = []
    if given.get("description"):
        given["description"], actions = split(given["description"], "Issue")
    options = _options(call, given, created_at=call.params.updated_at if chooses else None)
    with call.write() as tx:
        editing.update_issue(tx, call.actor, row, call.project, options)
    _announce_text(call, row.id, given.get("description"))
    if actions:
        quick.run(call, queries.get_by_id(call.conn, row.id), actions)
    return present_single(call, queries.get_by_id(call.conn, row.id))


@routes.delete(PATH, guard=policy.FIND_ISSUE, params=OneIssue)
def delete_one_issue(call: Call[OneIssue]) -> None:
    """Delete an issue (owners of the project and administrators)."""
    row = lookup.find_issue(call)
    if not policy.may_delete(call.actor, call.project, row):
        raise Forbidden
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        editing.delete_issue(tx, row)
