"""Links between issues: related, blocking, blocked."""

from sqlalchemy import or_, select

from ingot.access.call import Call
from ingot.access.subjects import find_project
from ingot.features.planning.issues import lookup, policy, queries
from ingot.features.planning.issues.entities import IssueBasic, IssueLink, LinkedIssue
from ingot.features.planning.issues.links import create_link, linked_issues, linked_presenter
from ingot.features.planning.issues.params import ListOfIssue
from ingot.features.planning.issues.params_single import OneIssue
from ingot.features.planning.issues.present import presenter
from ingot.features.planning.issues.rows import IssueLinkRow, IssueRow
from ingot.features.planning.issues.tables import issue_links
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden, NotFound, RecordNotFound
from ingot.kit.params import Param

routes = Routes("Issue links", guard=policy.FIND_ISSUE)
PATH = "/projects/{id}/issues/{issue_iid}/links"
LINK_TYPES = ("relates_to", "blocks", "is_blocked_by")


class OneLink(OneIssue):
    """One link."""

    issue_link_id: int = Param("Id of the link.", required=True)


class CreateLink(OneIssue):
    """A new link."""

    target_project_id: str = Param("Project of the other issue: id or path.", required=True)
    target_issue_iid: int = Param("Internal id of the other issue.", required=True)
    link_type: str = Param("Kind of link.", default="relates_to", one_of=LINK_TYPES)


@routes.get(PATH, params=ListOfIssue, returns=list[LinkedIssue])
def list_issue_links(call: Call[ListOfIssue]) -> Answer:
    """Issues that are linked with this one, as far as the caller may read them."""
    row = lookup.find_issue(call)
    return call.page(linked_issues(call.actor, row), linked_presenter(row))


def _present_link(call: Call, link: IssueLinkRow) -> IssueLink:
    rows = [queries.get_by_id(call.conn, link.source_id), queries.get_by_id(call.conn, link.target_id)]
    shown: list[IssueBasic] = presenter("project")(call, rows)
    return IssueLink(source_issue=shown[0], target_issue=shown[1], link_type=link.link_type)


def _find(call: Call[OneLink], row: IssueRow) -> IssueLinkRow:
    """The link of the path; both of its ends must be readable."""
    table = issue_links
    touching = or_(table.c.source_id == row.id, table.c.target_id == row.id)
    link = call.conn.execute(select(table).where(table.c.id == call.params.issue_link_id, touching)).one_or_none()
    if link is None:
        raise NotFound("Issue Link")
    other = queries.get_by_id(call.conn, link.target_id if link.source_id == row.id else link.source_id)
    if queries.find_readable(call.conn, call.actor, other.project_id, other.iid) is None:
        raise NotFound("Issue Link")
    return link


def _require_both(call: Call, other: IssueRow) -> None:
    """A link is shown on both issues, so the caller must be a planner of both projects."""
    project = find_project(call.conn, call.actor, other.project_id)
    if project is None or not all(policy.may_admin(call.actor, place) for place in (call.project, project)):
        raise Forbidden


@routes.get(f"{PATH}/{{issue_link_id}}", params=OneLink, returns=IssueLink)
def get_issue_link(call: Call[OneLink]) -> Answer:
    """One link with both issues."""
    return _present_link(call, _find(call, lookup.find_issue(call)))


@routes.post(PATH, params=CreateLink, returns=IssueLink, errors=(409,))
def create_issue_link(call: Call[CreateLink]) -> Answer:
    """Link two issues (who may plan both projects' issues)."""
    row, options = lookup.find_issue(call), call.params
    project = find_project(call.conn, call.actor, options.target_project_id)
    if project is None:
        raise NotFound("Project")
    other = queries.find_readable(call.conn, call.actor, project.id, options.target_issue_iid)
    if other is None:
        raise RecordNotFound
    _require_both(call, other)
    with call.write() as tx:
        created = create_link(tx, row.id, other.id, options.link_type)
    return _present_link(call, created)


@routes.delete(f"{PATH}/{{issue_link_id}}", params=OneLink, status=200, returns=IssueLink)
def delete_issue_link(call: Call[OneLink]) -> Answer:
    """Remove a link (who may plan both projects' issues); answers with what it was."""
    row = lookup.find_issue(call)
    link = _find(call, row)
    _require_both(call, queries.get_by_id(call.conn, link.target_id if link.source_id == row.id else link.source_id))
    shown = _present_link(call, link)
    with call.write() as tx:
        call.delete_rows(tx, issue_links, issue_links.c.id == link.id)
    return shown
