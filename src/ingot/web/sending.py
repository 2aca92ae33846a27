"""Forms of pages: what the API refuses comes back as a page with its sentence and what was typed."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from starlette.responses import RedirectResponse, Response

from ingot.features.people.user_pages import set_flash
from ingot.kit.errors import ApiError
from ingot.web.call import PageCall, View
from ingot.web.refusals import refusal_of

STATE_DONE = {"close": "{} closed.", "reopen": "{} reopened."}
REFUSALS = (400, 409, 422)
LONGEST_PAGE = 5  # digits of a page's number
LONGEST_NUMBER = 9  # digits of others: lines, numbers of records


def text(call: PageCall, name: str) -> str:
    """A field of the form or of the address, without spaces around it."""
    value = call.values.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def number_in(words: object) -> int | None:
    """The number that a field holds; None for what is none, or longer than any that there is."""
    is_number = isinstance(words, str) and words.isdecimal() and len(words) <= LONGEST_NUMBER
    return int(str(words)) if is_number else None


def page_number(call: PageCall) -> int:
    """The page that the address names; the first for what is no number."""
    asked = text(call, "page")
    return max(int(asked), 1) if asked.isdecimal() and len(asked) <= LONGEST_PAGE else 1


def texts(call: PageCall, names: Sequence[str]) -> dict[str, str]:
    """Several fields; line ends as git knows them."""
    given = {name: call.values.get(name, "") for name in names}
    return {name: value.replace("\r\n", "\n") for name, value in given.items() if isinstance(value, str)}


def flat_fields(values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The texts of a form as fields that are sent the same way again."""
    for name, value in values.items():
        yield from _flat(name, value)


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list):
        for one in value:
            yield from _flat(f"{name}[]", one)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _flat(f"{name}[{key}]", one)


def done(call: PageCall, address: str, words: str, place: str = "") -> Response:
    """To the page after a form, which says what was done: on top, or in the part that `place` names.

    What endpoints told besides their answers, as of quick actions, comes behind it.
    """
    response = RedirectResponse(address, 303)
    if call.session is not None:
        set_flash(response, call.session, " ".join(filter(None, (words, *call.told))), call.base_url, place)
    return response


def told(call: PageCall, otherwise: str) -> str:
    """What endpoints told besides their answers, where a form is refused for that."""
    return " ".join(call.told) or otherwise


def refused(work: Callable[[], object], again: Callable[[str, int], View]) -> View | None:
    """Do the work; None when it is done, the filled form again when the API refuses it."""
    try:
        work()
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        return again(refusal_of(error), error.status)
    return None
