"""Forms of pages: what the API refuses comes back as a page with its sentence and what was typed."""

from collections.abc import Callable, Sequence

from ingot.kit.errors import ApiError
from ingot.web.call import PageCall, View
from ingot.web.rendering import sentence_of

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


def refused(work: Callable[[], object], again: Callable[[str, int], View]) -> View | None:
    """Do the work; None when it is done, the filled form again when the API refuses it."""
    try:
        work()
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        return again(sentence_of(error), error.status)
    return None
