"""One visit of a page: a call that uses the API's endpoints, with the visitor's rights and on the same connection."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeVar, TypeVarTuple

import msgspec
from sqlalchemy import CompoundSelect, Connection, Select
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.call import Call
from ingot.access.subjects import Project
from ingot.identity.rows import SessionRow
from ingot.instance.flags import is_on_for
from ingot.kit.endpoint import Endpoint, Guard, Reply
from ingot.kit.errors import ApiError, Forbidden, NotFound, NotModified, Unauthorized
from ingot.kit.keyed_pages import Place
from ingot.kit.large_counts import COUNT_LIMIT, is_known_large
from ingot.kit.page_pieces import LongRecord, Pieces, Present, R
from ingot.kit.page_rows import without_texts
from ingot.kit.pagination import Keyset, Page, count_query, total_of
from ingot.kit.params import Params
from ingot.kit.services import Services
from ingot.kit.statements import read_together, remembered_value
from ingot.web.cut_texts import cut_texts
from ingot.web.downloads import Download
from ingot.web.finer_rights import FINER

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

# Processor time for all Markdown of a page; the texts that are left are shown as they were written.
RENDERING_SECONDS = 1.0
# Answers to those who may not see something, or for whom it is not there.
HIDDEN = (401, 403, 404)
# A page number beyond all counted entries: only the count is loaded.
BEYOND_COUNTED = COUNT_LIMIT + 1


# A list of the API: its address and parameters.
EntryList = tuple[str, Mapping[str, object]]
# The rows of a list, what is cheaper to count, and the values of both.
Counted = tuple[Select[Any], Select[Any] | CompoundSelect[Any] | None, Mapping[str, object]]


class View(msgspec.Struct, frozen=True):
    """What a page handler returns: the template's name and what it shows."""

    template: str
    data: dict[str, object] = msgspec.field(default_factory=dict)
    status: int = 200
    headers: dict[str, str] = msgspec.field(default_factory=dict)


class Rows(msgspec.Struct, frozen=True):
    """A page of a list, with the numbers of the pages beside it; of a list too long to count, with their places."""

    items: list[Any]
    page: int
    next_page: int | None
    previous_page: int | None
    total: int | None
    pages: int | None = None
    is_keyed: bool = False
    before: str | None = None
    after: str | None = None
    rows: Sequence[Any] = ()  # of the database, behind the items; none where their texts are too long to hold


class Visit(Call[Params]):
    """A call of a page: what it remembers lasts as long as the visit, and no longer than the data stay as they are."""

    __slots__ = ()
    of_page: ClassVar[bool] = True

    def remember(self, kind: str, key: Hashable, read: Callable[[], T]) -> T:
        """What `read` gives, for all calls of the visit."""
        return remembered_value((kind, key), read)


class Question(Visit):
    """A call of an endpoint that a page makes; it borrows the page's connection."""

    __slots__ = ("columns", "counts", "left_out", "place", "rows", "rows_first", "told")

    place: Place | None  # where in a long list the visitor is
    columns: tuple[str, ...]  # of a list's rows, where nothing else of its records is needed
    left_out: tuple[str, ...]  # parts of a record that the page does not show
    counts: list[Counted] | None  # what would be counted, where only the number of a list's entries is asked for
    rows: Sequence[Any]  # behind the records of a list
    rows_first: bool  # a list that fits on its page is not counted (`kit.pagination`)
    told: list[str]  # what the visitor is told besides the answer

    async def run(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run it at once: a page is in a thread already."""
        return function(*args)

    async def run_with_store(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        """As `run`."""
        return function(*args)

    def borrow(self, conn: Connection) -> None:
        """Read on this connection; it stays open when the question is answered."""
        self._connection = conn

    def page(
        self,
        statement: Select[Any],
        present: Present[Self, R],
        *,
        keyset: Keyset | None = None,
        limited: str | None = None,
        count: bool = True,
        counted: Select[Any] | CompoundSelect[Any] | None = None,
        values: Mapping[str, object] | None = None,
    ) -> Page:
        """The endpoint's rows as its records, or the named columns alone: without a count and what records show."""
        if self.counts is not None and count:
            self.counts.append((statement, counted, values or {}))
            return Page([], {})
        if self.columns:
            narrow = without_texts(statement, self.columns)
            return super().page(narrow, _named_columns, keyset=keyset, limited=limited, count=False, values=values)

        def noting(call: Self, rows: Sequence[R]) -> Sequence[object]:
            call.rows = rows
            return present(call, rows)

        return super().page(
            statement, noting, keyset=keyset, limited=limited, count=count, counted=counted, values=values
        )

    def page_of_list(self, rows: Sequence[R], present: Present[Self, R]) -> Page:
        """As `page`, of records that are in memory."""
        return super().page_of_list(rows, _named_columns if self.columns else present)

    def shows(self, part: str) -> bool:
        """Whether the page shows this part of the record."""
        return part not in self.left_out

    def tell(self, sentences: list[str]) -> None:
        """Have the page say this."""
        self.told += sentences


class PageCall(Visit):
    """What a page handler sees."""

    __slots__ = ("counted", "looked_up", "otherwise", "rendering_left", "required", "session", "told")

    rows_first = True  # of its questions

    def __init__(self, request: Request, endpoint: Endpoint, path: dict[str, str], services: Services) -> None:
        super().__init__(request, endpoint, path, services)
        self.session: SessionRow | None = None
        self.otherwise: tuple[Endpoint, dict[str, str]] | None = None  # the other page that the address may mean
        self.required: Guard = endpoint.guard  # what the visitor was last asked for
        self.rendering_left = RENDERING_SECONDS
        self.counted: dict[str, int | None] = {}  # what tabs count and the page knows already, by their keys
        self.looked_up: dict[tuple[str, str], Any] = {}  # Any: the answers of several endpoints
        self.told: list[str] = []  # by endpoints, besides their answers

    def ask(self, address: str, method: str = "GET", /, **values: object) -> Any:
        """The answer of the endpoint at an address such as `/projects/:id/issues/:issue_iid`, as plain data.

        Its rate limits, guard and checks run as they do over HTTP, and its errors are raised. `:id` is the page's
        own project or group unless another is named. What is as the form wants it already is no error: None.
        """
        try:
            return self._plain(self._answer(address, method, values))
        except NotModified:
            return None

    def ask_with_status(self, address: str, method: str, /, **values: object) -> tuple[int, Any]:
        """As `ask`, with the status that a client would see."""
        question = self._question(address, method, values)
        result = self._run(question)
        status = result.status if isinstance(result, Reply) else None
        return status or question.endpoint.status, self._plain(result)

    def ask_or_none(self, address: str, /, **values: object) -> Any:
        """As `ask`; None if it is hidden or missing."""
        try:
            return self.ask(address, "GET", **values)
        except ApiError as error:
            if error.status in HIDDEN:
                return None
            raise

    def ask_columns(self, address: str, columns: tuple[str, ...], /, **values: object) -> list[dict[str, Any]]:
        """Some columns of the rows behind a list, in its order; none for those who may not see it.

        Guard, filters and visibility are the endpoint's. Records of other tables, which it would show, are not loaded.
        """
        question = self._question(address, "GET", values)
        question.columns = columns
        try:
            result: list[dict[str, Any]] = self._plain(self._run(question))
        except ApiError as error:
            if error.status in HIDDEN:
                return []
            raise
        return result

    def ask_without(self, left_out: tuple[str, ...], address: str, /, **values: object) -> Any:
        """As `ask`, for a record of which the page does not show all parts: they may be missing."""
        question = self._question(address, "GET", values)
        question.left_out = left_out
        return self._plain(self._run(question))

    def ask_part_or_none(self, left_out: tuple[str, ...], address: str, /, **values: object) -> Any:
        """As `ask_without`; None if it is hidden or missing."""
        try:
            return self.ask_without(left_out, address, **values)
        except ApiError as error:
            if error.status in HIDDEN:
                return None
            raise

    def ask_rows(self, address: str, columns: tuple[str, ...] = (), /, **values: object) -> Rows:
        """As `ask`, for a list: the page that the visitor is at, as records or as some columns of their rows."""
        given = {"page": self.values.get("page", "1"), "per_page": "20", **values}
        question = self._question(address, "GET", given)
        question.columns = columns
        question.place = None if "page" in values or "page" in self.values else self._place()
        result = self._run(question)
        if not isinstance(result, Page):
            items = list(self._plain(result))
            return Rows(items, 1, None, None, len(items))
        headers, items = result.headers, list(self._plain(result))
        return Rows(
            items,
            int(headers.get("X-Page", "1")),
            _number(headers.get("X-Next-Page")),
            _number(headers.get("X-Prev-Page")),
            _number(headers.get("X-Total")),
            _number(headers.get("X-Total-Pages")),
            "Keyed" in headers,
            headers.get("Before"),
            headers.get("After"),
            question.rows if len(question.rows) == len(items) else (),
        )

    def _place(self) -> Place:
        given = {name: value for name in ("after", "before") if isinstance(value := self.values.get(name), str)}
        return Place(**given, is_end="end" in self.values)

    def ask_rows_or_none(self, address: str, /, **values: object) -> Rows | None:
        """As `ask_rows`; None where the visitor may not see the list."""
        try:
            return self.ask_rows(address, **values)
        except ApiError as error:
            if error.status in HIDDEN:
                return None
            raise

    def ask_count_or_none(self, address: str, /, **values: object) -> int | None:
        """How many entries a list has; None where the visitor may not see it, or it has more than lists count."""
        return self.ask_counts_or_none({"": (address, values)})[""]

    def ask_counts_or_none(self, lists: Mapping[K, EntryList]) -> dict[K, int | None]:
        """As `ask_count_or_none`, of several lists by names of the caller's, in one statement where possible."""
        totals: dict[K, int | None] = dict.fromkeys(lists)
        uncounted: dict[K, Counted] = {}
        for name, (address, values) in lists.items():
            question = self._question(address, "GET", {**values, "page": str(BEYOND_COUNTED), "per_page": "1"})
            question.counts = []
            try:
                result = self._run(question)
            except ApiError as error:
                if error.status not in HIDDEN:
                    raise
                continue
            if question.counts:
                uncounted[name] = question.counts[0]
            elif isinstance(result, Page):
                totals[name] = _number(result.headers.get("X-Total"))
            else:
                totals[name] = len(list(self._plain(result)))
        if len(uncounted) > 1:
            queries = [(count_query(rows, counted), values) for rows, counted, values in uncounted.values()]
            read_together(self.conn, *(query for query in queries if not is_known_large(self.conn, *query)))
        return totals | {name: total_of(self.conn, *counted) for name, counted in uncounted.items()}

    def ask_response(self, address: str, /, **values: object) -> Response:
        """As `ask`, for an endpoint that answers with bytes."""
        result = self._answer(address, "GET", values)
        if not isinstance(result, Response):
            raise TypeError(f"{address} answers with data")
        return result

    def download(self, address: str, /, **values: object) -> Download:
        """A file of the API, for a page handler to return."""
        question = self._question(address, "GET", values)
        if self.actor.is_anonymous and question.endpoint.guard.needs_user:
            raise Unauthorized
        sent = Call[Params](self.request, question.endpoint, question.path, self.services)
        sent.actor, sent.values, sent.request_id = self.actor, question.values, self.request_id
        return Download(sent)

    def params_at(self, method: str, address: str) -> type[Params]:
        """The parameters of the endpoint at an address; `:name` stands for any value."""
        segments = ["1" if part.startswith(":") else part for part in address.strip("/").split("/")]
        match = self.services.router.match(segments)
        if match is None or method not in match.methods:
            raise LookupError(f"{method} {address}")
        return match.methods[method].params

    def may(self, method: str, address: str, /, **values: object) -> bool:
        """Whether the endpoint would admit the visitor, and the instance has it and has it switched on."""
        question = self._question(address, method, values)
        is_own = "id" not in values
        try:
            if not self._passes(question, is_own=is_own):
                return False
        finally:
            question.close()
        finer = FINER.get((method, question.endpoint.path)) if is_own and self.project_or_none is not None else None
        return finer is None or finer(self, question.path)

    def require(self, method: str, address: str, /, **values: object) -> None:
        """Refuse a visitor whom the endpoint would not admit, before they fill in its form."""
        if not self.may(method, address, **values):
            self.required = self._question(address, method, values).endpoint.guard
            raise Unauthorized if self.actor.is_anonymous else Forbidden

    def may_in(self, project: Project, method: str, address: str) -> bool:
        """As `may`, for an endpoint of projects that asks only for a right in one, which is loaded already."""
        segments = [str(project.id) if part == ":id" else part for part in address.strip("/").split("/")]
        match = self.services.router.match(segments)
        if match is None or method not in match.methods:
            raise LookupError(f"{method} {address}")
        endpoint = match.methods[method]
        guard = endpoint.guard
        if not isinstance(guard, ProjectAbility) or endpoint.flag is not None:
            raise LookupError(f"{method} {address} asks for more than a right in a project")
        if endpoint.tier is not None and not self.services.settings.has_tier(endpoint.tier):
            return False
        if self.actor.is_anonymous and (guard.needs_user or method != "GET"):
            return False
        return guard.allows(self.actor, project)

    def _passes(self, question: Question, *, is_own: bool) -> bool:
        endpoint = question.endpoint
        guard = endpoint.guard
        if endpoint.tier is not None and not self.services.settings.has_tier(endpoint.tier):
            return False
        if self.actor.is_anonymous and (guard.needs_user or endpoint.method != "GET"):
            return False
        if endpoint.flag is not None and not is_on_for(question, endpoint.flag):
            return False
        if isinstance(guard, ProjectAbility) and self.project_or_none is not None and is_own:
            return guard.allows(self.actor, self.project)
        if isinstance(guard, GroupAbility) and self.group_or_none is not None and is_own:
            return guard.allows(self.actor, self.group)
        try:
            question.params = endpoint.params()
            guard.admit(question)
        except ApiError:
            return False
        return True

    def _answer(self, address: str, method: str, values: dict[str, object]) -> Any:
        return self._run(self._question(address, method, values))

    def prepare(self, address: str, /, **values: object) -> Question:
        """A question that its endpoint would answer, for a feature that answers it in another way."""
        question = self._question(address, "GET", values)
        self._admit(question)
        return question

    def _admit(self, question: Question) -> None:
        endpoint = question.endpoint
        if self.actor.is_anonymous and (endpoint.guard.needs_user or endpoint.method != "GET"):
            raise Unauthorized
        if endpoint.flag is not None and not is_on_for(question, endpoint.flag):
            raise NotFound
        if endpoint.guard_first:
            endpoint.guard.admit(question)
        question.params = endpoint.params.parse({**question.values, **question.path})
        if not endpoint.guard_first:
            endpoint.guard.admit(question)
        if endpoint.tier is not None and not self.services.settings.has_tier(endpoint.tier):
            raise NotFound

    def _run(self, question: Question) -> Any:
        endpoint = question.endpoint
        try:
            self._admit(question)
            result = endpoint.handler(question)
            if not endpoint.is_async:
                return result
            # What a form starts may wait for another server, as the test of a web hook does.
            return completed(result) if self.is_read else asyncio.run(result)
        finally:
            question.close()

    def _question(self, address: str, method: str, values: dict[str, object]) -> Question:
        given = {name: value for name, value in values.items() if value is not None}
        segments = []
        for part in address.strip("/").split("/"):
            if part == ":id" and "id" not in given:
                segments.append(self._own_id())
            elif part.startswith(":"):
                segments.append(_segment(given.pop(part[1:])))
            else:
                segments.append(part)
        match = self.services.router.match(segments)
        if match is None or method not in match.methods:
            raise NotFound
        question = Question(self.request, match.methods[method], match.values[method], self.services)
        question.actor, question.rows_first, question.told = self.actor, self.rows_first, self.told
        question.columns, question.left_out, question.rows, question.counts = (), (), (), None
        question.values = {name: _wire_value(value) for name, value in given.items()}
        question.request_id = self.request_id
        if self.is_read:
            question.borrow(self.conn)
        return question

    def read_long(self, result: Pieces | LongRecord) -> Any:
        """A long list as plain data, cut to what a page can show."""
        return cut_texts(result)

    def _plain(self, result: object) -> Any:
        if isinstance(result, Reply):
            result = result.body
        if isinstance(result, Page):
            result = result.items
        if isinstance(result, msgspec.Raw):
            return msgspec.json.decode(result)
        return self.read_long(result) if isinstance(result, Pieces | LongRecord) else msgspec.to_builtins(result)

    @property
    def own_root(self) -> str:
        """What the addresses of the project's or group's own pages begin with."""
        if self.project_or_none is not None:
            return f"/{self.project.full_path}/-"
        return f"/groups/{self.group.full_path}/-"

    def _own_id(self) -> str:
        if self.project_or_none is not None:
            return str(self.project.id)
        if self.group_or_none is not None:
            return str(self.group.id)
        return self.path["id"]


# Any: values of columns, by name.
def _named_columns(call: Question, rows: Sequence[object]) -> list[dict[str, Any]]:
    return [{name: getattr(row, name) for name in call.columns} for row in rows]


def completed(work: Coroutine[object, None, T]) -> T:
    """The result of an `async` handler whose blocking parts run at once, so that it never waits."""
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    work.close()
    raise RuntimeError("the handler of this endpoint waits for something, and a page cannot")


def pieces_of(response: Response) -> Iterator[bytes]:
    """The body of an answer, also of one that is streamed."""
    if not isinstance(response, StreamingResponse):
        yield bytes(response.body)
        return
    stream = aiter(response.body_iterator)
    while (piece := completed(_next(stream))) is not None:
        yield piece.encode() if isinstance(piece, str) else bytes(piece)


async def _next(stream: AsyncIterator[object]) -> Any:
    return await anext(stream, None)


def _segment(value: object) -> str:
    text = str(value)
    if not text:
        raise NotFound  # the address without it is another endpoint
    return text


def _wire_value(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else value


def _number(text: str | None) -> int | None:
    return int(text) if text else None
