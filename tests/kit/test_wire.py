from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingot.kit import wire
from ingot.kit.errors import Malformed, ParamError
from ingot.kit.request_limits import MAX_JSON_VALUES, MAX_PARAMETERS, TooDeep, TooManyParameters, TooManyValues


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"a=1&b=2", {"a": "1", "b": "2"}),
        (b"a=1&a=2", {"a": "2"}),
        (b"a[]=1&a[]=2", {"a": ["1", "2"]}),
        (b"not[labels]=x&not[state]=y", {"not": {"labels": "x", "state": "y"}}),
        (b"not[labels][]=x&not[labels][]=y", {"not": {"labels": ["x", "y"]}}),
        (b"v[][k]=a&v[][w]=b&v[][k]=c", {"v": [{"k": "a", "w": "b"}, {"k": "c"}]}),
        (b"v[0][k]=a&v[1][k]=b", {"v": {"0": {"k": "a"}, "1": {"k": "b"}}}),
        (b"upload%5Burl%5D=http%3A%2F%2Fx", {"upload": {"url": "http://x"}}),
        (b"a+b=c+d", {"a b": "c d"}),
        (b"q=a%2Bb", {"q": "a+b"}),
        (b"q=a;b&c=1", {"q": "a;b", "c": "1"}),
        (b"flag", {"flag": ""}),
        (b"&&a=1&", {"a": "1"}),
        (b"a=1&a[]=2", {"a": ["2"]}),
        (b"[x]=1", {"[x]": "1"}),
        (b"", {}),
    ],
)
def test_names_with_brackets_nest(raw: bytes, expected: dict[str, Any]) -> None:
    assert wire.nest(wire.pairs(raw)) == expected


@pytest.mark.parametrize("raw", [b"a=%00", b"%00=a", b"a=%ff", b"%c3%28=1"])
def test_bytes_that_nobody_can_read_are_malformed(raw: bytes) -> None:
    with pytest.raises(Malformed):
        wire.nest(wire.pairs(raw))


@pytest.mark.parametrize("body", [b"{", b"{a: 1}", b'{"a": "\\u0000"}', b'{"a": ["x\\u0000"]}', b"\xff", b'"\\ud800"'])
def test_json_that_nobody_can_read_is_malformed(body: bytes) -> None:
    with pytest.raises(Malformed):
        wire.json_values(body)


def test_names_nest_to_a_limited_depth() -> None:
    with pytest.raises(TooDeep):
        wire.nest(wire.pairs(b"a" + b"[x]" * 40 + b"=1"))
    with pytest.raises(TooDeep):
        wire.json_values(b'{"a":' * 40 + b"1" + b"}" * 40)


def test_a_form_has_a_limited_number_of_parameters() -> None:
    assert len(wire.pairs(b"&".join(b"a=1" for _ in range(MAX_PARAMETERS)))) == MAX_PARAMETERS
    for raw in (b"&".join(b"a=1" for _ in range(MAX_PARAMETERS + 1)), b"&" * (MAX_PARAMETERS + 1)):
        with pytest.raises(TooManyParameters):
            wire.pairs(raw)


@pytest.mark.parametrize(
    "body",
    [
        b'{"a":[' + b",".join([b"1"] * MAX_JSON_VALUES) + b"]}",
        b"{" + b",".join(b'"k%d":1' % number for number in range(MAX_JSON_VALUES + 1)) + b"}",
        b'{"a":[' + b",".join([rb'"\",","""'] * MAX_JSON_VALUES) + b"]}",
        b'{"a":' + b"[" * (MAX_JSON_VALUES + 1),
        b'{"a":' + b'""' * (3 * MAX_JSON_VALUES) + b"," * MAX_JSON_VALUES,
    ],
)
def test_json_has_a_limited_number_of_values(body: bytes) -> None:
    with pytest.raises(TooManyValues):
        wire.json_values(body)


@pytest.mark.parametrize("text", [",[{" * MAX_JSON_VALUES, '\\",[{' * MAX_JSON_VALUES, '"' * MAX_JSON_VALUES])
def test_text_in_json_may_have_any_number_of_commas(text: str) -> None:
    body = msgspec.json.encode({"content": text, "other": [1, 2]})

    assert wire.json_values(body) == {"content": text, "other": [1, 2]}


@pytest.mark.parametrize("body", [b"[]", b"1", b'"text"', b"null", b"true"])
def test_json_without_an_object_carries_no_parameters(body: bytes) -> None:
    assert wire.json_values(body) == {}


@pytest.mark.parametrize(
    ("raw", "segments"),
    [
        (b"/api/v4/projects/a%2Fb", ["", "api", "v4", "projects", "a/b"]),
        (b"/x/a%2eb%25", ["", "x", "a.b%"]),
        (b"/x/%E4%BD%A0", ["", "x", "你"]),
        (b"//x/", ["", "", "x", ""]),
    ],
)
def test_encoded_slashes_stay_in_their_segment(raw: bytes, segments: list[str]) -> None:
    assert wire.path_segments(raw) == segments


@pytest.mark.parametrize("raw", [b"/x/%", b"/x/%2", b"/x/%zz", b"/x/%00", b"/x/%ff"])
def test_paths_that_nobody_can_read_are_malformed(raw: bytes) -> None:
    with pytest.raises(Malformed):
        wire.path_segments(raw)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_query_is_a_tree_or_malformed(raw: bytes) -> None:
    with suppress(Malformed, ParamError):
        assert isinstance(wire.nest(wire.pairs(raw)), dict)


_KEYS = st.text("ab[]0", min_size=1, max_size=12)


@settings(deadline=None)
@given(st.lists(st.tuples(_KEYS, st.text("xy", max_size=2)), max_size=8))
def test_any_brackets_are_a_tree(items: list[tuple[str, str]]) -> None:
    assert isinstance(wire.nest(items), dict)
