"""Large JSON texts are decoded in short steps, to the same values as at once."""

import random

import msgspec
import pytest

from ingot.kit.errors import ApiError, Malformed, TooLarge
from ingot.kit.large_json import LARGE, LONG, MOST_BESIDE, PART, PIECE, decode_large
from ingot.kit.request_limits import MAX_JSON_VALUES, MAX_TEXT, TooDeep, TooManyValues
from ingot.kit.turns import Turns
from ingot.kit.wire import json_values

UNITS = ("a", "\\n", '\\"', "\\\\", "\\u00e9", "\\ud83d\\ude00", "\u00e9", "\U0001f600", "\\/", ",", "{", "[")
CASES = range(40)


@pytest.mark.parametrize("seed", CASES)
def test_the_value_is_the_same(seed: int) -> None:
    chance = random.Random(seed)
    unit = "".join(chance.choices(UNITS, k=chance.randint(1, 5)))
    # Pieces end before, inside and after every kind of character.
    text = "x" * chance.randint(0, 13) + unit * (chance.choice([9, 300, PIECE + 20, 3 * PIECE]) // len(unit))
    body = f'{{"{"k" * 200}": ["{text}", 1, {{"b": "{text}"}}], "c": null, "d": "short"}}'.encode()

    assert decode_large(body, Turns()) == msgspec.json.decode(body)


# Arrays and objects whose parts are smaller, larger and much larger than what is decoded at once.
LARGE_VALUES: list[object] = [
    list(range(40_000)),
    {f"key {number}": [number, None, True] for number in range(10_000)},
    [[f"short {number}"] * 5 for number in range(8_000)],
    ["x", list(range(20_000)), {"a": list(range(20_000)), "b": {}}, "y" * PART, [], "z"],
    {"a": {"b": [{"c": [1.5] * 20_000, "d": "\u00e9" * LONG}, *["\u00e9"] * 20_000]}},
]


@pytest.mark.parametrize("value", LARGE_VALUES, ids=range(len(LARGE_VALUES)))
def test_large_values_are_the_same(value: object) -> None:
    body = b"  " + msgspec.json.encode({"value": value, "text": "x" * LARGE, "last": [1]}) + b"\n"

    assert decode_large(body, Turns()) == msgspec.json.decode(body)


@pytest.mark.parametrize(
    "end",
    [b"\\ud83d", b"\xff" * 20, b"\\q", b"\\u12", b"\n"],
    ids=["half a pair", "no UTF-8", "no escape", "half an escape", "a bare line end"],
)
@pytest.mark.parametrize("before", [200, PIECE - 3, PIECE, 2 * PIECE])
def test_what_is_no_text_is_refused(before: int, end: bytes) -> None:
    body = b'{"a": "' + b"x" * before + end + b'", "b": "' + b"y" * LARGE + b'"}'
    with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
        msgspec.json.decode(body)

    with pytest.raises(Malformed):
        json_values(body)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b'{"a": "' + b"x" * LARGE, Malformed),
        (b'{"a": "' + b"x" * LARGE + b'\\u0000"}', Malformed),
        (b'{"a": ' + b" " * MOST_BESIDE + b"1}", TooLarge),
        (b'{"a": [' + b"1," * PART + b'1 1], "b": "' + b"x" * LARGE + b'"}', Malformed),
        (b'{"a": [' + b'"\\u0000",' * PART + b'1], "b": "' + b"x" * LARGE + b'"}', Malformed),
        (b"[" * 40 + b"1," * PART + b'"' + b"x" * LARGE + b'"' + b"]" * 40, TooDeep),
        (b'{"a": "' + b"x" * MAX_TEXT + b'\\u00e9"}', TooLarge),
        (b'{"a": "' + b"x" * LARGE + b'"' + b'""' * 3 * MAX_JSON_VALUES, TooManyValues),
        (b'{"a": ' * 40 + b'"' + b"x" * LARGE + b'"' + b"}" * 40, TooDeep),
    ],
    ids=["no end", "a NUL", "blanks", "no comma", "many NUL", "deep list", "wide", "many strings", "deep"],
)
def test_too_much_is_refused(body: bytes, error: type[ApiError]) -> None:
    with pytest.raises(error):
        json_values(body)


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_text_of_a_file_is_spooled(unit: str) -> None:
    text = unit * (MAX_TEXT // len(unit.encode()) + 1)
    body = f'{{"files": [{{"content" : "{text}", "name": "content"}}], "text": "{unit * 50}"}}'.encode()

    values = json_values(body, spooled={"content"})

    spool = values["files"][0].pop("content")
    assert b"".join(spool.pieces()) == msgspec.json.decode(f'"{text}"').encode()
    assert spool.size == len(b"".join(spool.pieces()))
    assert values == {"files": [{"name": "content"}], "text": msgspec.json.decode(f'"{unit * 50}"')}


@pytest.mark.parametrize(
    "before", [b'{"a": ', b'{"a": ["content", ', b'{"content": [', b'{"content": "b", "a": ', b'{"content ": ']
)
def test_no_other_text_is_spooled(before: bytes) -> None:
    with pytest.raises(TooLarge):
        json_values(before + b'"%b"' % (b"x" * (MAX_TEXT + 1)), spooled={"content"})


def test_a_name_is_not_spooled() -> None:
    text = b"x" * (LARGE + 1)

    assert json_values(b'{"%b": "b"}' % text, spooled={"content"}) == {text.decode(): "b"}
    with pytest.raises(Malformed):
        json_values(b'{"content": "%b": "b"}' % text, spooled={"content"})
