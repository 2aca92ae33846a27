"""The API for people: its operations, each with arguments, an example, and a form that tries it."""

import json

from ingot.features.instance.api_reference import Operation, find_operation, list_operations
from ingot.kit.errors import ApiError, NotFound
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.registry import Pages

pages = Pages("site")
LONGEST_QUERY = 200
LONGEST_ANSWER = 100_000


@pages.get("-/reference")
def show_reference(call: PageCall) -> View:
    """All operations by family, or those that hold the words of a search."""
    query = str(call.values.get("query", ""))[:LONGEST_QUERY]
    return site_view(call, "reference", families=list_operations(call.services, query), query=query)


@pages.get("-/reference/{name}")
def show_operation(call: PageCall) -> View:
    """One operation; with `try` its answer to the visitor."""
    operation = find_operation(call.services, str(call.path["name"]))
    if operation is None:
        raise NotFound
    given = {name: str(value) for name, value in call.values.items() if str(value).strip()}
    status, answer = _try(call, operation, given) if given.pop("try", "") else (0, "")
    return site_view(
        call,
        "reference_operation",
        operation=operation,
        example=_shown(operation.example),
        curl=operation.curl(call.base_url),
        given=given,
        status=status,
        answer=answer,
    )


def _try(call: PageCall, operation: Operation, given: dict[str, str]) -> tuple[int, str]:
    """Status and text of the answer that the visitor would get."""
    if not operation.can_be_tried:
        raise NotFound
    rows = [row for row, _ in operation.arguments]
    missing = [row.name for row in rows if row.place == "path" and row.name not in given]
    if missing:
        return 400, f"Fill in {', '.join(missing)}."
    address = operation.path.replace("{", ":").replace("}", "")
    known = {row.name for row in rows}
    try:
        answer = call.ask(address, "GET", **{name: value for name, value in given.items() if name in known})
    except ApiError as error:
        return error.status, _shown(error.body())
    text = _shown(answer)
    return 200, text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]}\n…"


def _shown(value: object) -> str:
    return "" if value is None else json.dumps(value, indent=2, ensure_ascii=False)
