"""GraphQL: what clients ask, as whom, in pages; and hostile queries, which are refused before they cost anything."""

from typing import Any

import gitlab
import pytest
from graphql import get_introspection_query

from tests.support.client import Client
from tests.support.world import Person, World

# The filters of work items, with their types, as the Go client of GitLab declares them in each query.
FILTERS = {
    "assigneeUsernames": "[String!]", "assigneeWildcardId": "AssigneeWildcardId", "authorUsername": "String",
    "confidential": "Boolean", "crmContactId": "String", "crmOrganizationId": "String",
    "healthStatusFilter": "HealthStatusFilter", "ids": "[WorkItemID!]", "iids": "[String!]",
    "includeAncestors": "Boolean", "includeDescendants": "Boolean", "iterationCadenceId": "[IterationsCadenceID!]",
    "iterationId": "[ID]", "iterationWildcardId": "IterationWildcardId", "labelName": "[String!]",
    "milestoneTitle": "[String!]", "milestoneWildcardId": "MilestoneWildcardId", "myReactionEmoji": "String",
    "parentIds": "[WorkItemID!]", "releaseTag": "[String!]", "releaseTagWildcardId": "ReleaseTagWildcardId",
    "state": "IssuableState", "subscribed": "SubscriptionStatus", "types": "[IssueType!]", "weight": "String",
    "weightWildcardId": "WeightWildcardId", "closedAfter": "Time", "closedBefore": "Time", "createdAfter": "Time",
    "createdBefore": "Time", "dueAfter": "Time", "dueBefore": "Time", "updatedAfter": "Time", "updatedBefore": "Time",
    "sort": "WorkItemSort", "search": "String", "in": "[IssuableSearchableField!]", "after": "String",
    "before": "String", "first": "Int", "last": "Int",
}  # fmt: skip
PERSON = "id username name state createdAt avatarUrl webUrl"
WORK_ITEM = f"""id iid workItemType {{ name }} state title description author {{ {PERSON} }} createdAt updatedAt
    closedAt webUrl
    features {{ assignees {{ assignees {{ nodes {{ {PERSON} }} }} }} status {{ status {{ name }} }} }}"""
DECLARED = "".join(f" ${name}: {kind}" for name, kind in FILTERS.items())
PASSED = " ".join(f"{name}: ${name}" for name in FILTERS)
WORK_ITEMS = f"""query List($fullPath: ID!{DECLARED}) {{ namespace(fullPath: $fullPath) {{ workItems({PASSED}) {{
    nodes {{ {WORK_ITEM} }} pageInfo {{ endCursor hasNextPage startCursor hasPreviousPage }} }} }} }}"""
ONE_WORK_ITEM = f"""query($path: ID!, $iid: String!) {{
    namespace(fullPath: $path) {{ workItem(iid: $iid) {{ {WORK_ITEM} }} }} }}"""


class Place:
    """A private project of a group, with three issues and a merge request."""

    def __init__(self, world: World) -> None:
        self.world, self.owner, self.other = world, world.user(), world.user()
        self.group = world.group(self.owner, visibility="public")
        self.project = world.project(self.owner, namespace_id=self.group["id"], visibility="private")
        self.path = self.project["path_with_namespace"]
        issues = f"/projects/{self.project['id']}/issues"
        self.issues = [
            self.owner.client.ok("POST", issues, json={"title": title, "labels": labels, "issue_type": kind})
            for title, labels, kind in (
                ("First", "red", "issue"),
                ("Second", "", "task"),
                ("Third", "red,blue", "issue"),
            )
        ]
        world.commit(self.project, "main", {"a": "1"})
        world.commit(self.project, "topic", {"b": "2"})
        self.request = world.merge_request(self.project, self.owner, source_branch="topic", target_branch="main")
        self.owner.client.ok("POST", f"/projects/{self.project['id']}/boards", json={"name": "Plan"})


@pytest.fixture(scope="module")
def place(world: World) -> Place:
    return Place(world)


def send(client: Client, query: str, status: int = 200, /, **variables: Any) -> dict[str, Any]:
    answer = client.post("/api/graphql", json={"query": query, "variables": variables})
    assert answer.status_code == status, answer.text
    result: dict[str, Any] = answer.json()
    return result


def data(client: Client, query: str, /, **variables: Any) -> Any:
    result = send(client, query, **variables)
    assert "errors" not in result, result
    return result["data"]


def refusal(client: Client, query: str, status: int = 200, /, **variables: Any) -> str:
    message: str = send(client, query, status, **variables)["errors"][0]["message"]
    return message


def work_items(person: Person, path: str, **variables: Any) -> list[str]:
    result = data(person.client, WORK_ITEMS, fullPath=path, **variables)
    return [item["title"] for item in result["namespace"]["workItems"]["nodes"]]


def test_python_gitlab_asks_who_calls(place: Place) -> None:
    with gitlab.GraphQL(place.world.server.url, token=place.owner.token) as client:
        result = client.execute("query {currentUser {id username active}}")

    assert result == {
        "currentUser": {"id": f"gid://gitlab/User/{place.owner.id}", "username": place.owner.username, "active": True}
    }


def test_tokens_that_may_read_suffice_and_wrong_ones_are_refused(place: Place) -> None:
    query, server = "{ currentUser { username } metadata { version } }", place.world.server

    assert data(place.world.anonymous, query) == {"currentUser": None, "metadata": None}
    reader = server.client(place.world.token(place.owner.id, ["read_api"]))
    assert data(reader, query)["currentUser"] == {"username": place.owner.username}
    assert refusal(server.client("glpat-wrong"), query, 401) == "Invalid token"
    assert "higher privileges" in refusal(server.client(place.world.token(place.owner.id, ["read_user"])), query, 403)
    assert place.owner.client.get("/api/graphql").status_code == 405


def test_the_examples_of_glab_are_answered(place: Place) -> None:
    query = """query($path: ID!) { project(fullPath: $path) { id name forksCount statistics { wikiSize } issuesEnabled
        boards { nodes { id name webUrl } } group { id fullPath parent { id } } terraformStates { nodes { name } }
        terraformState(name: "x") { name } } }"""

    project = data(place.owner.client, query, path=place.path.upper())["project"]

    assert project["id"] == f"gid://gitlab/Project/{place.project['id']}"
    assert (project["forksCount"], project["issuesEnabled"], project["statistics"]["wikiSize"]) == (0, True, 0)
    assert [board["name"] for board in project["boards"]["nodes"]] == ["Plan"]
    assert project["group"] == {
        "id": f"gid://gitlab/Group/{place.group['id']}", "fullPath": place.group["full_path"], "parent": None
    }  # fmt: skip
    assert (project["terraformStates"], project["terraformState"]) == ({"nodes": []}, None)

    asked = place.owner.client.post("/api/graphql/", json={"query": "{ currentUser { username } }"})
    assert (asked.status_code, asked.json()["data"]["currentUser"]["username"]) == (200, place.owner.username)


def test_issues_come_in_pages_that_glab_follows(place: Place) -> None:
    query = """query($path: ID!, $first: Int, $endCursor: String) { project(fullPath: $path) { issues(first: $first,
        after: $endCursor, sort: CREATED_ASC) { count edges { cursor node { title } } pageInfo { endCursor hasNextPage
        hasPreviousPage } } } }"""

    def page(first: int, after: str | None) -> tuple[list[str], dict[str, Any]]:
        issues = data(place.owner.client, query, path=place.path, first=first, endCursor=after)["project"]["issues"]
        assert issues["count"] == 3
        return [edge["node"]["title"] for edge in issues["edges"]], issues["pageInfo"]

    titles, beginning = page(1, None)
    assert (titles, beginning["hasNextPage"], beginning["hasPreviousPage"]) == (["First"], True, False)
    titles, middle = page(2, beginning["endCursor"])
    assert (titles, middle["hasNextPage"], middle["hasPreviousPage"]) == (["Second", "Third"], False, True)
    assert page(5, middle["endCursor"])[0] == []
    for after, has_next in ((None, True), (middle["endCursor"], False)):
        titles, empty = page(0, after)
        assert (titles, empty["hasNextPage"], empty["hasPreviousPage"]) == ([], has_next, after is not None)
    backwards = (
        "query($path: ID!) { project(fullPath: $path) { issues(last: 2, sort: CREATED_ASC) { nodes { title } } } }"
    )
    nodes = data(place.owner.client, backwards, path=place.path)["project"]["issues"]["nodes"]
    assert [node["title"] for node in nodes] == ["Second", "Third"]
    assert refusal(place.owner.client, query, path=place.path, first=2, endCursor="nonsense") == "cursor is invalid"
    assert refusal(place.owner.client, query, path=place.path, first=-1) == "first and last cannot be negative"


def test_the_go_client_lists_and_filters_work_items(place: Place) -> None:
    assert work_items(place.owner, place.path) == ["Third", "Second", "First"]
    assert work_items(place.owner, place.path, labelName=["red"], sort="CREATED_ASC") == ["First", "Third"]
    assert work_items(place.owner, place.path, types=["TASK"]) == ["Second"]
    assert work_items(place.owner, place.path, types=["EPIC"]) == []
    assert work_items(place.owner, place.path, search="irs", **{"in": ["TITLE"]}) == ["First"]
    assert work_items(place.owner, place.path, iids=["2"], authorUsername=place.owner.username) == ["Second"]
    assert work_items(place.owner, place.path, assigneeWildcardId="ANY") == []
    assert (
        work_items(place.owner, place.path, state="closed") == work_items(place.owner, place.group["full_path"]) == []
    )
    assert len(work_items(place.owner, place.group["full_path"], includeDescendants=True)) == 3
    assert work_items(place.owner, place.owner.username) == []
    assert refusal(place.owner.client, WORK_ITEMS, fullPath=place.path, closedAfter="2026-01-01T00:00:00Z") == (
        "closedAfter is not supported"
    )
    assert (
        refusal(place.owner.client, WORK_ITEMS, fullPath=place.path, createdAfter="soon") == "created_after is invalid"
    )
    assert "created_after" in refusal(place.owner.client, WORK_ITEMS, fullPath=place.path, createdAfter={"a": 1})


def test_long_texts_come_whole_or_not_at_all(place: Place) -> None:
    project = place.world.project(place.owner)
    query = f'{{ project(fullPath: "{project["path_with_namespace"]}") {{ LISTS }} }}'
    for letter in "abcde":
        issue = {"title": letter, "description": letter * 900_000}
        place.owner.client.ok("POST", f"/projects/{project['id']}/issues", json=issue)

    one = "issues(sort: CREATED_ASC) { nodes { description } }"
    nodes = data(place.owner.client, query.replace("LISTS", one))["project"]["issues"]["nodes"]
    two = f"{one} again: {one}"
    short = "issues(first: 4, sort: CREATED_ASC) { nodes { description } }"
    three = f"{short} again: {short} more: {short}"

    assert [node["description"] == letter * 900_000 for node, letter in zip(nodes, "abcde", strict=True)] == [True] * 5
    for lists in (two, three):
        assert "too long together" in refusal(place.owner.client, query.replace("LISTS", lists))


def test_one_work_item_has_the_fields_of_its_issue(place: Place) -> None:
    issue = place.issues[1]

    item = data(place.owner.client, ONE_WORK_ITEM, path=place.path, iid="2")["namespace"]["workItem"]

    assert (item["id"], item["iid"], item["title"]) == (f"gid://gitlab/WorkItem/{issue['id']}", "2", "Second")
    assert (item["workItemType"], item["state"], item["createdAt"]) == ({"name": "Task"}, "OPEN", issue["created_at"])
    author = place.owner.client.ok("GET", f"/users/{place.owner.id}")
    assert (item["author"]["createdAt"], item["author"]["webUrl"]) == (author["created_at"], author["web_url"])
    assert item["features"] == {"assignees": {"assignees": {"nodes": []}}, "status": None}
    for other in ("99", "", "1,2", "one"):
        assert data(place.owner.client, ONE_WORK_ITEM, path=place.path, iid=other)["namespace"]["workItem"] is None


def test_merge_requests_are_found_by_their_branch(place: Place) -> None:
    query = """query($path: ID!, $branch: [String!]) { project(fullPath: $path) { mergeRequests(sourceBranches: $branch,
        state: opened) { nodes { id iid draft diffHeadSha reference(full: true) reviewers { count } } }
        mergeRequest(iid: "1") { title } } }"""

    project = data(place.owner.client, query, path=place.path, branch=["topic"])["project"]

    (request,) = project["mergeRequests"]["nodes"]
    assert request == {
        "id": f"gid://gitlab/MergeRequest/{place.request['id']}", "iid": "1", "draft": False,
        "diffHeadSha": place.request["sha"], "reference": f"{place.path}!1", "reviewers": {"count": 0},
    }  # fmt: skip
    assert project["mergeRequest"] == {"title": place.request["title"]}
    assert data(place.owner.client, query, path=place.path, branch=["else"])["project"]["mergeRequests"]["nodes"] == []


def test_what_a_caller_cannot_see_is_null(place: Place) -> None:
    query = """query($path: ID!, $group: ID!) { project(fullPath: $path) { id } namespace(fullPath: $path) { id }
        group(fullPath: $group) { name } }"""
    for client in (place.other.client, place.world.anonymous):
        result = data(client, query, path=place.path, group=place.group["full_path"])
        assert result == {"project": None, "namespace": None, "group": {"name": place.group["name"]}}
    by_number = data(place.owner.client, query, path=str(place.project["id"]), group=str(place.group["id"]))
    nothing = {"project": None, "namespace": None, "group": None}
    assert by_number == data(place.owner.client, query, path="", group="") == nothing


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("{ currentUser { id } } #" + "x" * 10_000, "Query is longer than 10000 characters"),
        ("{ currentUser { " + "id " * 2_100 + "} }", "Document contains more than 2000 tokens"),
        ("{ currentUser { " + "id " * 400 + "} }", "Query names id more than 40 times"),
        ("{ currentUser { " + " ".join(f"f{n}" for n in range(601)) + "} }", "Query has more than 600 fields"),
        ("{ " + " ".join(f"a{n}: currentUser {{ id }}" for n in range(31)) + " }", "Query has more than 30 aliases"),
        ('{ group(fullPath: "a") { ' + "parent { " * 25 + "id" + " }" * 27, "Query has depth of more than 20"),
        ("{a" * 900, "Document is nested too deeply"),
        ("{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }", "Fragment A contains itself"),
        ("".join(f"fragment F{n} on Query {{ ...F{n + 1} ...F{n + 1} }} " for n in range(12))
         + "fragment F12 on Query { currentUser { id } } { ...F0 }", "Query has more than 600 fields"),
        ("{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }",
         "Maximum introspection depth exceeded"),
        ("{ nothing }", "Cannot query field 'nothing' on type 'Query'."),
        ("mutation { x }", "The mutation operation is not supported by the schema."),
        ("{", "Syntax Error: Expected Name, found <EOF>."),
    ],
)  # fmt: skip
def test_hostile_and_wrong_queries_are_refused(place: Place, query: str, message: str) -> None:
    assert message in refusal(place.owner.client, query)


def test_a_query_reads_a_bounded_number_of_lists(place: Place) -> None:
    fields = " ".join(f"i{n}: issues(first: 1) {{ nodes {{ id }} }}" for n in range(25))

    result = send(place.owner.client, f'{{ project(fullPath: "{place.path}") {{ {fields} }} }}')

    assert {error["message"] for error in result["errors"]} == {"Query reads more than 20 records and lists"}
    assert sum(value is not None for value in result["data"]["project"].values()) == 19


def test_a_page_costs_the_same_however_long_it_is(place: Place) -> None:
    def statements(first: int) -> int:
        body = {"query": WORK_ITEMS, "variables": {"fullPath": place.path, "first": first}}
        answers = [place.owner.client.post("/api/graphql", json=body) for _ in range(3)]
        return min(int(answer.headers["X-Query-Count"]) for answer in answers)

    assert statements(1) == statements(3)


def test_the_schema_can_be_asked_for_and_bodies_are_limited(place: Place) -> None:
    names = {kind["name"] for kind in data(place.world.anonymous, get_introspection_query())["__schema"]["types"]}
    assert {"Query", "Project", "WorkItem", "CurrentUser"} <= names
    assert "Mutation" not in names
    large = place.world.anonymous.post("/api/graphql", json={"query": "{}", "variables": {"x": "y" * 300_000}})
    assert large.status_code == 413
    assert refusal(place.world.anonymous, "") == "Syntax Error: Unexpected <EOF>."
    assert place.world.anonymous.post("/api/graphql", json={}).json()["errors"] == [{"message": "query is missing"}]
