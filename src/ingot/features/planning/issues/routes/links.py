"""Links between issues: related, blocking, blocked."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, case, insert, or_, select

from ingot.access.call import Call
from ingot.access.subjects import find_project
from ingot.features.planning.issues import lookup, policy, queries
from ingot.features.planning.issues.entities import IssueBasic, IssueLink, LinkedIssue
from ingot.features.planning.issues.params import ListOfIssue
from ingot.features.planning.issues.params_single import OneIssue
from ingot.features.planning.issues.present import PageLoads, basic_values, presenter
from ingot.features.planning.issues.rows import IssueLinkRow, IssueRow, LinkedIssueRow
from ingot.features.planning.issues.tables import issue_links, issues
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire
from ingot.kit.errors import Conflict, Forbidden, NotFound, RecordNotFound
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


def _other(row: IssueRow) -> ColumnElement[int]:
    """The other end of a link that touches this issue."""
    return case((issue_links.c.source_id == row.id, issue_links.c.target_id), else_=issue_links.c.source_id)


@routes.get(PATH, params=ListOfIssue, returns=list[LinkedIssue])
def list_issue_links(call: Call[ListOfIssue]) -> Answer:
    """Issues that are linked with this one, as far as the caller may read them."""
    row, table = lookup.find_issue(call), issue_links
    query = (
        queries.with_project()
        .add_columns(
            table.c.id.label("link_id"),
            table.c.source_id.label("link_source_id"),
            table.c.link_type.label("kind_of_link"),
            table.c.created_at.label("link_created"),
            table.c.updated_at.label("link_updated"),
        )
        .join(table, and_(or_(table.c.source_id == row.id, table.c.target_id == row.id), issues.c.id == _other(row)))
        .where(policy.readable_issues(call.actor))
        .order_by(table.c.id)
    )

    def present(page: Call, rows: Sequence[LinkedIssueRow]) -> list[LinkedIssue]:
        loads = PageLoads(page, rows)
        return [
            LinkedIssue(
                **basic_values(page, one, loads, scope="project", label_details=False),
                issue_link_id=one.link_id,
                link_type="is_blocked_by"
                if one.kind_of_link == "blocks" and one.link_source_id != row.id
                else one.kind_of_link,
                link_created_at=wire(one.link_created),
                link_updated_at=wire(one.link_updated),
            )
            for one in rows
        ]

    return call.page(query, present)


def _present_link(call: Call, link: IssueLinkRow) -> IssueLink:
    rows = [queries.get_by_id(call.conn, link.source_id), queries.get_by_id(call.conn, link.target_id)]
    shown: list[IssueBasic] = presenter("project")(call, rows)
    return IssueLink(source_issue=shown[0], target_issue=shown[1], link_type=link.link_type)


def _find(call: Call, row: IssueRow) -> IssueLinkRow:
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
    """A link shows on both issues, so the caller has to be a planner of both projects."""
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
    source, target, kind = row.id, other.id, options.link_type
    if kind == "is_blocked_by":
        source, target, kind = target, source, "blocks"
    table = issue_links
    twin = or_(
        and_(table.c.source_id == source, table.c.target_id == target),
        and_(table.c.source_id == target, table.c.target_id == source),
    )
    moment = now()
    with call.write() as tx:
        take_turn(tx, f"issue_links:{min(source, target)}")
        if source == target or tx.execute(select(table.c.id).where(twin)).first() is not None:
            raise Conflict("Issue(s) already assigned")
        created = tx.execute(
            insert(table)
            .values(source_id=source, target_id=target, link_type=kind, created_at=moment, updated_at=moment)
            .returning(table)
        ).one()
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
