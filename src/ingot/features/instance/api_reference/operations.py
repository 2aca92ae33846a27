"""The operations of the API as the reference page shows them: one by one, or those that hold some words."""

from dataclasses import dataclass
from functools import cached_property

from ingot.features.instance.api_reference.document import document_of
from ingot.features.instance.api_reference.examples import curl_command, curl_of, example_of
from ingot.features.instance.api_reference.recorded import RecordedCall, recorded_call
from ingot.kit.endpoint import Endpoint
from ingot.kit.openapi_types import Body, Document, OperationFacts, Schema
from ingot.kit.reference import METHODS, Row, argument_rows, own_answers, type_text
from ingot.kit.services import Services

JSON = "application/json"


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    facts: OperationFacts
    document: Document
    endpoint: Endpoint

    @property
    def name(self) -> str:
        """Its name in addresses."""
        return str(self.facts["operationId"])

    @property
    def tag(self) -> str:
        """The family that it belongs to."""
        return str(self.facts["tags"][0])

    @property
    def summary(self) -> str:
        """One sentence."""
        return str(self.facts["summary"])

    @property
    def paragraphs(self) -> list[str]:
        """The description."""
        return [part.strip() for part in str(self.facts["description"]).split("\n\n") if part.strip()]

    @cached_property
    def arguments(self) -> list[tuple[Row, str]]:
        """Arguments with their types in words."""
        return [(row, type_text(row.schema)) for row in argument_rows(self.facts)]

    @property
    def answers(self) -> list[tuple[str, str, str]]:
        """Status, meaning and form of each answer that is not the same everywhere."""
        return [(status, one["description"], _form(one)) for status, one in own_answers(self.facts).items()]

    @property
    def changes(self) -> bool:
        """It is for changing something."""
        return self.method not in ("GET", "HEAD")

    @property
    def can_be_tried(self) -> bool:
        """A page can send it and show its answer: it takes no file, streams nothing and does not wait."""
        if self.method == "GET":
            return JSON in self._success.get("content", {})
        takes_file = any(row.required and row.schema.get("format") == "binary" for row, _ in self.arguments)
        is_simple = not (takes_file or self.endpoint.is_async or self.endpoint.streams_body or self.endpoint.flag)
        return self.changes and is_simple and set(self._success.get("content", {})) <= {JSON}

    @cached_property
    def recorded(self) -> RecordedCall | None:
        """A call that the tests made, if they recorded one."""
        return recorded_call(self.name)

    @cached_property
    def example(self) -> object:
        """An answer that was recorded, or one made from the schema; None without a body in JSON."""
        if self.recorded is not None and self.recorded.answer is not None:
            return self.recorded.answer
        schema = self.answer_schema
        return example_of(schema, self.document["components"]["schemas"]) if schema else None

    @property
    def answer_schema(self) -> Schema:
        """The form of the answer; empty without a body in JSON."""
        schema: Schema = self._success.get("content", {}).get(JSON, {}).get("schema", {})
        return schema

    def curl(self, url: str) -> str:
        """The command that sends the recorded call, or one with the required arguments."""
        required = [row for row, _ in self.arguments if row.required]
        in_body = {row.name for row in required if row.place == "body"}
        call = self.recorded
        if call is not None and in_body <= (call.body or {}).keys():
            return curl_command(url, self.method, call.path, call.body)
        return curl_of(url, self.method, self.path, required)

    @property
    def _success(self) -> Body:
        """Its usual answer: some have another one too, such as that to a dry run."""
        return self.facts["responses"].get(str(self.endpoint.status), Body())


def list_operations(services: Services, query: str = "") -> dict[str, list[Operation]]:
    """Operations by family; with words, only those that hold them all."""
    words = query.lower().split()
    result: dict[str, list[Operation]] = {}
    for one in sorted(_operations(services), key=lambda one: one.tag):
        text = f"{one.method} {one.path} {one.tag} {one.summary} {one.name}".lower()
        if all(word in text for word in words):
            result.setdefault(one.tag, []).append(one)
    return result


def find_operation(services: Services, name: str) -> Operation | None:
    """The operation of this name, or None."""
    return next((one for one in _operations(services) if one.name == name), None)


def _operations(services: Services) -> list[Operation]:
    document = document_of(services)
    endpoints = {one.name: one for one in services.router.endpoints}
    return [
        Operation(method.upper(), path, item[method], document, endpoints[item[method]["operationId"]])
        for path, item in document["paths"].items()
        for method in METHODS
        if method in item
    ]


def _form(answer: Body) -> str:
    content = answer.get("content", {})
    if not content:
        return ""
    media, entry = next(iter(content.items()))
    return type_text(entry["schema"]) if "schema" in entry else str(media)
