"""Running one query; the module that loads the library and reads the schema, when the first query comes."""

import logging
from collections.abc import Mapping
from importlib import resources

from ariadne import graphql_sync, make_executable_schema
from graphql import GraphQLError

from ingot.graphql.limits import parse_query
from ingot.graphql.reading import Reading
from ingot.graphql.resolvers import TYPES
from ingot.kit.errors import ApiError
from ingot.kit.faults import as_api_error
from ingot.web.call import PageCall

log = logging.getLogger("ingot.graphql")

schema = make_executable_schema(
    resources.files("ingot.graphql").joinpath("schema.graphql").read_text(), *TYPES, convert_names_case=True
)


def execute(call: PageCall, body: Mapping[str, object]) -> object:
    """The answer to a query: `data`, `errors` or both."""
    text = body.get("query")
    if not isinstance(text, str):
        return {"errors": [{"message": "query is missing"}]}
    try:
        document = parse_query(text)
    except GraphQLError as error:
        return {"errors": [error.formatted]}
    given = {"query": text, "variables": body.get("variables"), "operationName": body.get("operationName")}
    _, result = graphql_sync(
        schema,
        given,
        context_value=Reading(call),
        query_document=document,
        error_formatter=_formatted,
        logger=_SILENT,
    )
    return result


def _formatted(error: GraphQLError, _debug: bool) -> dict[str, object]:
    """An error as the client sees it: nothing of the inside."""
    cause = error.original_error
    if cause is None or isinstance(cause, GraphQLError):
        return dict(error.formatted)
    known = cause if isinstance(cause, ApiError) else as_api_error(cause)
    if known is None:
        log.error("a field failed", exc_info=cause)
    return {**error.formatted, "message": "Internal server error" if known is None else known.text}


# The library logs every mistake in a query with a traceback; faults of the server are logged above.
_SILENT = logging.getLogger("ingot.graphql.queries")
_SILENT.disabled = True
