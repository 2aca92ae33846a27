"""The API for people: its operations, each with arguments, an example, and a form that tries it."""

import json
from http import HTTPStatus

from ingot.features.instance.api_reference import Operation, find_operation, list_operations
from ingot.kit.errors import ApiError, NotFound
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.registry import Pages
from ingot.web.visitors import require_session

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
    operation = _operation(call)
    given = _given(call)
    if not given.pop("try", ""):
        return _view(call, operation, given)
    if operation.changes or not operation.can_be_tried:
        raise NotFound
    return _view(call, operation, given, _try(call, operation, dict(given)))


@pages.post("-/reference/{name}")
def try_change(call: PageCall) -> View:
    """The answer of an operation that changes something, once the visitor has confirmed."""
    operation = _operation(call)
    if not operation.changes or not operation.can_be_tried:
        raise NotFound
    require_session(call)
    given = _given(call)
    form = call.values.get("reference")
    form = form if isinstance(form, dict) else {}
    more = str(form.get("more", "")).strip()
    if not form.get("confirmed"):
        return _view(call, operation, given, (400, "Confirm that this request can change data."), more)
    try:
        further = json.loads(more or "{}")
    except (ValueError, RecursionError):
        further = None
    if not isinstance(further, dict):
        return _view(call, operation, given, (400, "More parameters must be a JSON object: {…}."), more)
    return _view(call, operation, given, _try(call, operation, {**further, **given}), more)


def _operation(call: PageCall) -> Operation:
    operation = find_operation(call.services, str(call.path["name"]))
    if operation is None:
        raise NotFound
    return operation


def _given(call: PageCall) -> dict[str, str]:
    return {name: value for name, value in call.values.items() if isinstance(value, str) and value.strip()}


def _view(
    call: PageCall, operation: Operation, given: dict[str, str], result: tuple[int, str] = (0, ""), more: str = ""
) -> View:
    return site_view(
        call,
        "reference_operation",
        operation=operation,
        example=_shown(operation.example),
        curl=operation.curl(call.base_url),
        given=given,
        more=more,
        status=result[0],
        answer=result[1],
    )


def _try(call: PageCall, operation: Operation, given: dict[str, object]) -> tuple[int, str]:
    """Status and text of the answer that the visitor would get."""
    rows = [row for row, _ in operation.arguments]
    missing = [row.name for row in rows if row.place == "path" and row.name not in given]
    if missing:
        return 400, f"Fill in {', '.join(missing)}."
    address = operation.path.replace("{", ":").replace("}", "")
    known = {row.name for row in rows}
    try:
        status, answer = call.ask_with_status(
            address, operation.method, **{name: value for name, value in given.items() if name in known}
        )
    except ApiError as error:
        return error.status, _shown(error.body())
    text = "" if status == HTTPStatus.NO_CONTENT else _shown(answer)
    return status, text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]}\n…"


def _shown(value: object) -> str:
    return "" if value is None else json.dumps(value, indent=2, ensure_ascii=False)
