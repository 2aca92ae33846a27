"""What page handlers read from answers of the API is what the endpoints declare."""

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from ingot.app import build_router, load_features
from ingot.kit.openapi import describe
from ingot.web import answers

ISSUE = "/projects/{id}/issues/{issue_iid}"
REQUEST = "/projects/{id}/merge_requests/{merge_request_iid}"
# The endpoints that pages ask for each record; `[]`: an entry of its list.
ENDPOINTS = {
    "Approvals": f"{REQUEST}/approvals",
    "ApprovalState": f"{REQUEST}/approval_state",
    "BlamedLines": "/projects/{id}/repository/files/{file_path}/blame[]",
    "Bridge": "/projects/{id}/pipelines/{pipeline_id}/bridges[]",
    "Board": "/projects/{id}/boards/{board_id}",
    "BranchRow": "/projects/{id}/repository/branches[]",
    "TagRow": "/projects/{id}/repository/tags[]",
    "Commit": "/projects/{id}/repository/commits/{sha}",
    "CommitComment": "/projects/{id}/repository/commits/{sha}/comments[]",
    "Comparison": "/projects/{id}/repository/compare",
    "Diff": f"{REQUEST}/diffs[]",
    "DiffVersion": f"{REQUEST}/versions/{{version_id}}",
    "DatedJob": "/projects/{id}/jobs/{job_id}",
    "DraftNote": f"{REQUEST}/draft_notes[]",
    "EditedRequest": (ISSUE, REQUEST),
    "Event": "/users/{user_id}/events[]",
    "FailedBridge": "/projects/{id}/pipelines/{pipeline_id}/bridges[]",
    "FailedJob": "/projects/{id}/pipelines/{pipeline_id}/jobs[]",
    "GroupRow": "/groups/{id}/descendant_groups[]",
    "Issuable": (ISSUE, REQUEST),
    "Job": "/projects/{id}/pipelines/{pipeline_id}/jobs[]",
    "JobOfPipeline": "/projects/{id}/jobs/{job_id}",
    "Label": "/projects/{id}/labels[]",
    "MergeRequest": REQUEST,
    "NamedJob": "/projects/{id}/pipelines/{pipeline_id}/jobs[]",
    "Note": f"{REQUEST}/notes[]",
    "Pipeline": "/projects/{id}/pipelines/{pipeline_id}",
    "PipelineOfCommit": "/projects/{id}/pipelines/{pipeline_id}",
    "PipelineRow": "/projects/{id}/pipelines[]",
    "RepositoryFile": "/projects/{id}/repository/files/{file_path}",
    "ShownFile": "/projects/{id}/repository/files/{file_path}",
    "RequestCommit": f"{REQUEST}/commits[]",
    "WikiPage": "/projects/{id}/wikis/{slug}",
    "Snippet": "/projects/{id}/snippets/{snippet_id}",
    "TestReport": "/projects/{id}/pipelines/{pipeline_id}/test_report",
}
TYPES = {str: "string", int: "integer", bool: "boolean"}

Schema = Mapping[str, Any]


@pytest.fixture(scope="module")
def document() -> Schema:
    return describe(build_router(load_features()["routes"]).endpoints, "test")


class Comparison:
    """Differences between records and schemas."""

    def __init__(self, document: Schema) -> None:
        self.document = document
        self.compared: set[str] = set()
        self.differences: list[str] = []

    def record(self, record: type, schemas: list[Schema]) -> None:
        """Each field of the record is declared by one of the schemas, with its type; some objects have free fields."""
        self.compared.add(record.__name__)
        if any(schema.get("type") == "object" and "properties" not in schema for schema in schemas):
            return
        properties = {name: part for schema in schemas for name, part in schema.get("properties", {}).items()}
        for name, hint in get_type_hints(record).items():
            place = f"{record.__name__}.{name}"
            if name not in properties:
                self.differences.append(f"{place} is not declared")
            else:
                self._value(place, hint, self.forms(properties[name]))

    def _value(self, place: str, hint: object, schemas: list[Schema]) -> None:
        for kind in _alternatives(hint):
            if get_origin(kind) is list:
                entries = [form for schema in schemas for form in self.forms(schema.get("items", {}))]
                self._value(place, get_args(kind)[0], entries)
            elif is_typeddict(kind) and place != "MergeRequest.labels":
                self.record(kind, schemas)
            elif kind in TYPES and not any(schema.get("type") in (TYPES[kind], None) for schema in schemas):
                self.differences.append(f"{place} is declared as {[schema.get('type') for schema in schemas]}")

    def answer(self, address: str) -> list[Schema]:
        """What the endpoint answers."""
        operation = self.document["paths"][address.removesuffix("[]")]["get"]
        forms = self.forms(operation["responses"]["200"]["content"]["application/json"]["schema"])
        return [form for schema in forms for form in self.forms(schema["items"])] if address.endswith("[]") else forms

    def forms(self, schema: Schema) -> list[Schema]:
        """The schema, or each of its alternatives, without references."""
        if "$ref" in schema:
            return self.forms(self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
        parts = [part for word in ("anyOf", "oneOf", "allOf") for part in schema.get(word, [])]
        return [form for part in parts for form in self.forms(part)] or [schema]


def _alternatives(hint: object) -> list[Any]:
    if get_origin(hint) in (Annotated, NotRequired):
        return _alternatives(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return [kind for part in get_args(hint) for kind in _alternatives(part) if kind is not NoneType]
    return [hint]


def test_records_of_pages_are_those_of_the_endpoints(document: Schema) -> None:
    comparison = Comparison(document)
    for name, endpoints in ENDPOINTS.items():
        addresses = (endpoints,) if isinstance(endpoints, str) else endpoints
        comparison.record(
            getattr(answers, name), [form for address in addresses for form in comparison.answer(address)]
        )

    assert not comparison.differences, "\n".join(comparison.differences)
    assert comparison.compared == {name for name, value in vars(answers).items() if is_typeddict(value)}


def test_a_field_that_nobody_declares_is_found(document: Schema) -> None:
    comparison = Comparison(document)

    comparison.record(answers.TestCase, [{"properties": {"name": {"type": "string"}}}])

    assert comparison.differences == ["TestCase.status is not declared"]
