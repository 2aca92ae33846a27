"""Reading a request: query, form, multipart and JSON bodies become one tree of raw values.

Names with brackets nest (`not[labels]`, `a[]`, `v[][k]`, `v[0][k]`); the body wins over the query.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from io import BytesIO
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes

import msgspec
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from ingot.kit.errors import Malformed, ParamError, TooLarge
from ingot.kit.large_json import LARGE, decode_large
from ingot.kit.params import UploadedFile
from ingot.kit.patterns import pattern
from ingot.kit.request_limits import (
    MAX_BODY,
    MAX_DEPTH,
    MAX_PARAMETERS,
    MAX_TEXT,
    TooDeep,
    TooManyParameters,
    check_json,
    check_parameters,
)
from ingot.kit.turns import Turns

T = TypeVar("T")
Body = TypeVar("Body", bytes, bytes | mmap)

# A larger body is decoded in a thread: on the event loop everybody would wait for it.
INLINE_BODY = 32 * 1024
# How much of a multipart body is parsed before others get their turn.
SLICE = 8 * 1024
_BRACKETS = pattern(r"\[([^\[\]]*)\]")
_HEX = frozenset(b"0123456789abcdefABCDEF")


class UnsupportedType(ParamError):
    """The body's content type is none that the API reads."""

    status = 415

    def __init__(self, content_type: str) -> None:
        super().__init__(f"The provided content-type '{content_type}' is not supported.")


def decode(raw: bytes) -> str:
    """Percent-decoded text; NUL bytes and invalid UTF-8 make the whole request malformed."""
    try:
        text = (_unquoted(raw) if b"%" in raw else raw).decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed from None
    if "\x00" in text:
        raise Malformed
    return text


def _unquoted(raw: bytes) -> bytes:
    """Without percent signs. Splitting a long text at once would need ten times its size."""
    if len(raw) <= INLINE_BODY:
        return unquote_to_bytes(raw)
    parts, start = [], 0
    while start < len(raw):
        end = start + INLINE_BODY
        sign = raw.rfind(b"%", end - 2, end)  # not between a sign and its digits
        end = end if sign < 0 else sign + 3
        parts.append(unquote_to_bytes(raw[start:end]))
        start = end
    return b"".join(parts)


def path_segments(raw_path: bytes) -> list[str]:
    """The decoded segments of a path; an encoded slash stays inside its segment."""
    if any(len(part) < 2 or part[0] not in _HEX or part[1] not in _HEX for part in raw_path.split(b"%")[1:]):
        raise Malformed
    return [decode(part) for part in raw_path.split(b"/")]


def pairs(raw: bytes) -> list[tuple[str, str]]:
    """Name and value pairs of a query string or form body."""
    check_parameters(raw)
    result = []
    for part in raw.split(b"&"):
        if not part:
            continue
        name, _, value = part.replace(b"+", b" ").partition(b"=")
        result.append((decode(name), decode(value)))
    return result


def nest(items: Iterable[tuple[str, object]]) -> dict[str, Any]:
    """Build the tree that bracketed names describe."""
    tree: dict[str, Any] = {}
    for name, value in items:
        head, bracket, _ = name.partition("[")
        keys = [head, *_BRACKETS.findall(name[len(head) :])] if bracket and head else [name]
        if len(keys) > MAX_DEPTH:
            raise TooDeep
        _place(tree, keys, value)
    return tree


def _place(tree: Mapping[str, object], keys: list[str], value: object) -> None:
    at: Any = tree
    for index, key in enumerate(keys):
        last = index == len(keys) - 1
        following = None if last else keys[index + 1]
        fresh: Any = value if last else ([] if following == "" else {})
        if isinstance(at, list):
            at = _place_in_list(at, following, fresh, keys[index + 1 :], last=last)
            if at is None:
                return
            continue
        if last:
            at[key] = value
            return
        if not isinstance(at.get(key), type(fresh)):
            at[key] = fresh
        at = at[key]


def _place_in_list(at: list[object], following: str | None, fresh: object, rest: list[str], *, last: bool) -> Any:
    """`v[][k]`: a repeated key starts the next element."""
    if last:
        at.append(fresh)
        return None
    tail = at[-1] if at else None
    if not isinstance(tail, type(fresh)) or (isinstance(tail, dict) and len(rest) == 1 and following in tail):
        at.append(fresh)
    return at[-1]


def base_url(request: Request) -> str:
    """The address of this server as the client spelt it, without a slash at the end."""
    scope = request.scope
    for name, value in scope["headers"]:
        if name == b"host":
            root = scope.get("app_root_path", scope.get("root_path", ""))
            return f"{scope['scheme']}://{value.decode('latin-1')}{root}".rstrip("/")
    return str(request.base_url).rstrip("/")


def query_values(request: Request) -> dict[str, Any]:
    """The query string as a tree."""
    if not request.scope["query_string"]:
        return {}
    return nest(pairs(request.scope["query_string"]))


def media_type(request: Request) -> str:
    """The body's type without its parameters, in lower case."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def has_body(request: Request) -> bool:
    """A body is announced; its length may be unknown."""
    return request.headers.get("content-length", "0") not in ("0", "") or "transfer-encoding" in request.headers


FORM = ("", "application/x-www-form-urlencoded")
READABLE = (*FORM, "application/json", "multipart/form-data")


async def body_values(request: Request, limit: int, spooled: Collection[str] = ()) -> Mapping[str, Any]:
    """The body as a tree; what the API cannot read is refused with 415 or 400.

    In JSON, long texts of the names in `spooled` become spools.
    """
    kind = media_type(request)
    if kind == "multipart/form-data":
        return await _multipart(request, limit)
    limit = min(limit, MAX_BODY)
    if kind in FORM:
        return await beside_the_loop(form_values, await read_body(request, min(limit, MAX_TEXT)))
    if kind in READABLE or kind.endswith("+json"):
        return await beside_the_loop(partial(json_values, spooled=spooled), await _read_long_body(request, limit))
    is_empty = True
    async for chunk in _limited(request, limit):
        is_empty = is_empty and not chunk
    if not is_empty:
        raise UnsupportedType(kind)
    return {}


async def beside_the_loop(read: Callable[[Body], T], body: Body) -> T:
    """Apply the function to the body; in a thread for a large one."""
    return read(body) if len(body) <= INLINE_BODY else await asyncio.to_thread(read, body)


def form_values(body: bytes) -> Mapping[str, Any]:
    """The fields of a form."""
    return {} if body.isspace() else nest(pairs(body))


async def read_body(request: Request, limit: int) -> bytes:
    """The whole body, at most `limit` bytes."""
    # The buffer becomes the result; pieces and their sum would take twice the memory.
    body = BytesIO()
    try:
        async for chunk in _limited(request, limit):
            body.write(chunk)
    except ClientDisconnect:
        raise Malformed from None
    return body.getvalue()


async def _read_long_body(request: Request, limit: int) -> bytes | mmap:
    """As `read_body`. Memory of its own does not move while it fills, which would hold up everybody."""
    announced = int(request.headers.get("content-length", limit))
    if announced <= LARGE:
        return await read_body(request, limit)
    body = mmap(-1, min(announced, limit), flags=MAP_PRIVATE | MAP_ANONYMOUS)
    async for chunk in _limited(request, len(body)):
        body.write(chunk)
    if body.tell() <= LARGE:
        return body[: body.tell()]
    body.resize(body.tell())
    return body


async def _limited(request: Request, limit: int) -> AsyncGenerator[bytes, None]:
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > limit:
            raise TooLarge
        yield chunk


def json_values(body: bytes | mmap, spooled: Collection[str] = ()) -> Mapping[str, Any]:
    """A JSON object; arrays and scalars carry no parameters."""
    if not body or (isinstance(body, bytes) and body.isspace()):
        return {}
    turns = Turns()
    check_json(body, turns)
    try:
        if isinstance(body, bytes) and len(body) < LARGE:
            result = msgspec.json.decode(body)
            _refuse_nul(result, 0)
        else:
            result = decode_large(body, turns, spooled)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise Malformed from None
    return result if isinstance(result, dict) else {}


def _refuse_nul(value: object, depth: int) -> None:
    if isinstance(value, str):
        if "\x00" in value:
            raise Malformed
    elif depth > MAX_DEPTH:
        raise TooDeep
    elif isinstance(value, dict):
        for key, inner in value.items():
            _refuse_nul(key, depth + 1)
            _refuse_nul(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _refuse_nul(inner, depth + 1)


class _Parser(MultiPartParser):
    """Texts are UTF-8, whatever charset is claimed; the parser itself would read the rest as Latin-1."""

    def on_part_begin(self) -> None:
        self._charset = "utf-8"
        super().on_part_begin()

    def on_part_end(self) -> None:
        if self._current_part.file is None:
            bytes(self._current_part.data).decode("utf-8")
        super().on_part_end()


async def _sliced(request: Request, limit: int) -> AsyncGenerator[bytes, None]:
    """The body in small pieces: a chunk of many tiny parts would hold up everybody."""
    async for chunk in _limited(request, limit):
        for start in range(0, len(chunk), SLICE):
            yield chunk[start : start + SLICE]
            await asyncio.sleep(0)


async def _multipart(request: Request, limit: int) -> Mapping[str, Any]:
    parser = _Parser(
        request.headers, _sliced(request, limit), max_files=100, max_fields=MAX_PARAMETERS, max_part_size=MAX_TEXT
    )
    try:
        form = await parser.parse()
    except BaseException as error:
        for file in parser._files_to_close_on_error:  # noqa: SLF001 - it closes them for its own errors only
            file.close()
        if isinstance(error, MultiPartException) and error.message.startswith("Too many fields"):
            raise TooManyParameters from None
        if isinstance(error, _UNREADABLE):
            raise Malformed from None
        raise
    items: list[tuple[str, Any]] = []
    for name, value in form.multi_items():
        if isinstance(value, str):
            items.append((name, value))
        else:
            kind = value.content_type or "application/octet-stream"
            items.append((name, UploadedFile(value.filename or "", kind, value.file, value.size or 0)))
    if any("\x00" in name or (isinstance(value, str) and "\x00" in value) for name, value in items):
        close_uploads([value for _, value in items])
        raise Malformed
    try:
        tree = nest(items)
    except ParamError:
        close_uploads([value for _, value in items])
        raise
    used_files = {id(upload.file) for upload in _uploads(tree)}
    # A repeated name keeps its last file, an incomplete part none; nobody else would close the others.
    for file in parser._files_to_close_on_error:  # noqa: SLF001 - as above
        if id(file) not in used_files:
            file.close()
    return tree


_UNREADABLE = (MultiPartException, ClientDisconnect, KeyError, UnicodeDecodeError, AssertionError)


def close_uploads(values: object) -> None:
    """Close every uploaded file in a tree of values."""
    for upload in _uploads(values):
        upload.file.close()


def uploads(request: Request, values: object) -> list[UploadedFile]:
    """The files of a body. Only a multipart body has some; the 50,000 values of others are not looked at."""
    return list(_uploads(values)) if media_type(request) == "multipart/form-data" else []


def _uploads(values: object) -> Iterator[UploadedFile]:
    if isinstance(values, UploadedFile):
        yield values
    elif isinstance(values, dict | list):
        for inner in values.values() if isinstance(values, dict) else values:
            yield from _uploads(inner)
