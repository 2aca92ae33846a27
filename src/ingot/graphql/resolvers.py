"""The fields of the schema that are not read from a record by their name."""

from typing import TypeVar

from ariadne import ObjectType
from graphql import GraphQLResolveInfo

from ingot.graphql.arguments import (
    IssueArguments,
    MergeRequestArguments,
    Window,
    WorkItemArguments,
    read_arguments,
)
from ingot.graphql.filters import NothingMatches, Values, issue_filters, merge_request_filters, work_item_filters
from ingot.graphql.reading import Reading, connection
from ingot.graphql.records import (
    Board,
    Collection,
    Connection,
    Group,
    Issuable,
    Issue,
    Label,
    MergeRequest,
    Metadata,
    Namespace,
    Person,
    Place,
    Project,
    Statistics,
)

Info = GraphQLResolveInfo[Reading]
I = TypeVar("I", bound=Issuable)  # noqa: E741 - a type variable

query, project_type, group_type = ObjectType("Query"), ObjectType("Project"), ObjectType("Group")
namespace_type, work_item_type = ObjectType("Namespace"), ObjectType("WorkItem")
issue_type, merge_request_type = ObjectType("Issue"), ObjectType("MergeRequest")
current_user_type, user_type = ObjectType("CurrentUser"), ObjectType("UserCore")
label_type, milestone_type, board_type = ObjectType("Label"), ObjectType("Milestone"), ObjectType("Board")
TYPES = [
    query, project_type, group_type, namespace_type, work_item_type, issue_type, merge_request_type, current_user_type,
    user_type, label_type, milestone_type, board_type,
]  # fmt: skip
# Global ids: `gid://gitlab/Project/1`.
NAMES = {
    project_type: "Project", group_type: "Group", work_item_type: "WorkItem", issue_type: "Issue",
    merge_request_type: "MergeRequest", current_user_type: "User", user_type: "User", label_type: "Label",
    milestone_type: "Milestone", board_type: "Board",
}  # fmt: skip


def _gid(name: str, number: int) -> str:
    return f"gid://gitlab/{name}/{number}"


def _declare_ids() -> None:
    for kind, name in NAMES.items():
        kind.set_field("id", lambda record, _info, name=name: _gid(name, record.id))


_declare_ids()


@query.field("currentUser")
def current_user(_: object, info: Info) -> Person | None:
    reading = info.context
    return None if reading.call.actor.is_anonymous else reading.one(Person, "/user")


@query.field("metadata")
def metadata(_: object, info: Info) -> Metadata | None:
    return info.context.one(Metadata, "/metadata")


@query.field("project")
def project(_: object, info: Info, full_path: str) -> Project | None:
    return _project(info.context, full_path)


@query.field("group")
def group(_: object, info: Info, full_path: str) -> Group | None:
    return _group(info.context, full_path)


@query.field("namespace")
def namespace(_: object, info: Info, full_path: str) -> Namespace | None:
    reading = info.context
    if "/" in full_path and (project := _project(reading, full_path)) is not None:
        gid = _gid("Namespaces::ProjectNamespace", project.id)
        address = "/projects/:id/issues"
        return Namespace(gid, project.name, project.path, project.full_path, issues=address, record_id=project.id)
    if (above := _group(reading, full_path)) is not None:
        gid, address = _gid("Group", above.id), "/groups/:id/issues"
        return Namespace(gid, above.name, above.path, above.full_path, True, address, above.id)
    own = reading.one(OwnNamespace, "/namespaces/:id", id=full_path)
    if own is None or own.full_path.lower() != full_path.lower():
        return None
    return Namespace(_gid("Namespaces::UserNamespace", own.id), own.name, own.path, own.full_path)


class OwnNamespace(Place):
    """The namespace of a person."""

    name: str = ""
    path: str = ""


def _project(reading: Reading, full_path: str, **values: object) -> Project | None:
    project = reading.one(Project, "/projects/:id", id=full_path, **values)
    # A number would find the project with this id.
    return project if project is not None and project.full_path.lower() == full_path.lower() else None


def _group(reading: Reading, full_path: str) -> Group | None:
    group = reading.one(Group, "/groups/:id", id=full_path, with_projects=False)
    return group if group is not None and group.full_path.lower() == full_path.lower() else None


@project_type.field("group")
def project_group(project: Project, info: Info) -> Group | None:
    return _group(info.context, project.namespace.full_path) if project.namespace.kind == "group" else None


@group_type.field("parent")
def parent_group(group: Group, info: Info) -> Group | None:
    above = group.full_path.rpartition("/")[0]
    return _group(info.context, above) if above else None


@project_type.field("statistics")
def statistics(project: Project, info: Info) -> Statistics | None:
    whole = _project(info.context, project.full_path, statistics=True)
    return None if whole is None else whole.statistics


@project_type.field("boards")
def boards(project: Project, info: Info, **given: object) -> Connection[Board] | None:
    window = read_arguments(Window, given)
    page = info.context.page(Board, "/projects/:id/boards", window, {"id": project.id})
    for board in page.nodes if page is not None else ():
        board.web_url = f"{project.web_url}/-/boards/{board.id}"
    return page


@project_type.field("issues")
def issues(project: Project, info: Info, **given: object) -> Connection[Issue] | None:
    arguments = read_arguments(IssueArguments, given)
    try:
        values = issue_filters(arguments) | {"id": project.id}
    except NothingMatches:
        return connection([], 0, 0, has_next=False)
    return _page(info, Issue, "/projects/:id/issues", arguments, values)


@project_type.field("issue")
def issue(project: Project, info: Info, iid: str) -> Issue | None:
    values = issue_filters(IssueArguments(iid=iid)) | {"id": project.id}
    return _named(iid, _page(info, Issue, "/projects/:id/issues", Window(first=1), values))


@project_type.field("mergeRequests")
def merge_requests(project: Project, info: Info, **given: object) -> Connection[MergeRequest] | None:
    arguments = read_arguments(MergeRequestArguments, given)
    values = merge_request_filters(arguments) | {"id": project.id}
    return _page(info, MergeRequest, "/projects/:id/merge_requests", arguments, values)


@project_type.field("mergeRequest")
def merge_request(project: Project, info: Info, iid: str) -> MergeRequest | None:
    values = merge_request_filters(MergeRequestArguments(iids=[iid])) | {"id": project.id}
    return _named(iid, _page(info, MergeRequest, "/projects/:id/merge_requests", Window(first=1), values))


@project_type.field("terraformStates")
def terraform_states(_: Project, _info: Info) -> Connection[None]:
    return connection([], 0, 0, has_next=False)


@project_type.field("terraformState")
def terraform_state(_: Project, _info: Info, name: str) -> None:  # noqa: ARG001 - as the schema has it
    return None


@namespace_type.field("workItems")
def work_items(namespace: Namespace, info: Info, **given: object) -> Connection[Issue] | None:
    arguments = read_arguments(WorkItemArguments, given)
    try:
        values = work_item_filters(arguments, given) | {"id": namespace.record_id}
    except NothingMatches:
        return connection([], 0, 0, has_next=False)
    # Groups have no work items of their own here.
    if namespace.issues is None or (namespace.is_group and not arguments.include_descendants):
        return connection([], 0, 0, has_next=False)
    return _page(info, Issue, namespace.issues, arguments, values)


@namespace_type.field("workItem")
def work_item(namespace: Namespace, info: Info, iid: str) -> Issue | None:
    if namespace.issues is None or namespace.is_group:
        return None
    values = issue_filters(IssueArguments(iid=iid)) | {"id": namespace.record_id}
    return _named(iid, _page(info, Issue, namespace.issues, Window(first=1), values))


@work_item_type.field("workItemType")
def kind_of_work_item(item: Issue, _: Info) -> dict[str, str]:
    return {"name": item.type.replace("_", " ").title()}


@work_item_type.field("state")
def state_of_work_item(item: Issue, _: Info) -> str:
    return "CLOSED" if item.state == "closed" else "OPEN"


@work_item_type.field("features")
def features(item: Issue, _: Info) -> dict[str, object]:
    return {"assignees": {"assignees": Collection(item.assignees)}}


@issue_type.field("assignees")
@merge_request_type.field("assignees")
def assignees(record: Issuable, _: Info) -> Collection[Person]:
    return Collection(record.assignees)


@merge_request_type.field("reviewers")
def reviewers(record: MergeRequest, _: Info) -> Collection[Person]:
    return Collection(record.reviewers)


@issue_type.field("labels")
@merge_request_type.field("labels")
def labels(record: Issuable, _: Info) -> Collection[Label]:
    return Collection(record.labels)


@issue_type.field("reference")
@merge_request_type.field("reference")
def reference(record: Issuable, _: Info, *, full: bool) -> str:
    return record.references.full if full else record.references.short


@user_type.field("createdAt")
def joined_at(person: Person, info: Info) -> str | None:
    moment = info.context.created_at(person.id)
    return None if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _page(info: Info, kind: type[I], address: str, window: Window, values: Values) -> Connection[I] | None:
    page = info.context.page(kind, address, window, values)
    for record in page.nodes if page is not None else ():
        info.context.meet([record.author, *record.assignees])
    return page


def _named(iid: str, page: Connection[I] | None) -> I | None:
    """The record of this number: the lists take several numbers at once, and none as no filter."""
    return next((record for record in page.nodes if str(record.iid) == iid), None) if page is not None else None
