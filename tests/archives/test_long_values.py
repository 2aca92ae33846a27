"""Long records of archives are decoded in short steps, to the same values as at once."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingot.archives.lines import LARGE_LINE, MOST_VALUES, Pieces, read_document, read_lines
from ingot.archives.long_values import STEP
from ingot.archives.unpack import ArchiveRefused
from ingot.kit.request_limits import MAX_TEXT

LONG = 'é\n"\\ \U0001f600 text ' * (STEP // 10)
VALUES: dict[str, Any] = {
    "text": LONG,
    "numbers": list(range(60_000)),
    "texts": [f"text {number}, with a comma" for number in range(20_000)],
    "objects": [{"id": number, "inner": {"a": [1, None, True]}} for number in range(10_000)],
    "mixed": ["short", LONG, [LONG, 1], {"long": LONG, "short": {}}, [], "last"],
    "nested": {"a": {"b": {"c": list(range(50_000)), LONG: "x"}}, "d": [[[LONG]]]},
    "empty": [[], {}, "", [[]]],
}


def lines(folder: Path, *texts: bytes) -> list[dict[str, Any]]:
    file = folder / "records.ndjson"
    file.write_bytes(b"".join(text + b"\n" for text in texts))
    return [record for _, record in read_lines(file)]


@pytest.mark.parametrize("blanks", [b"", b" \r\t"])
def test_the_record_is_the_same(tmp_path: Path, blanks: bytes) -> None:
    record = {**VALUES, "again": "x" * LARGE_LINE}
    text = msgspec.json.encode(record)
    if blanks:
        text = blanks + msgspec.json.format(text, indent=1).replace(b"\n", b" ") + blanks

    assert lines(tmp_path, text, b'{"next": 1}') == [record, {"next": 1}]

    (tmp_path / "whole.json").write_bytes(text)
    assert read_document(tmp_path / "whole.json") == record


def test_notes_come_piece_by_piece(tmp_path: Path) -> None:
    chance = random.Random(5)
    notes = [
        {"note": "n" * chance.choice([1, 100, 1000, STEP + 1] if number % 100 == 0 else [1, 200])}
        for number in range(9_000)
    ]

    [record] = lines(tmp_path, msgspec.json.encode({"iid": 1, "notes": notes, "x": "y" * LARGE_LINE}))

    assert isinstance(record["notes"], Pieces)
    assert len(record["notes"]) == 9_000
    assert list(record["notes"]) == list(record["notes"]) == notes


def test_a_text_is_cut_where_nothing_may_be_as_long(tmp_path: Path) -> None:
    [record] = lines(tmp_path, b'{"a": "%b\\u0000", "b": 1}' % (b"x" * 3 * MAX_TEXT))

    assert MAX_TEXT < len(record["a"]) < MAX_TEXT + LARGE_LINE
    assert record["b"] == 1


FILL = b'"' + b"x" * LARGE_LINE + b'"'
WRONG = {
    "no end": b'{"a": ' + FILL,
    "more after the end": b'{"a": ' + FILL + b"} 1",
    "no comma": b'{"a": [1 ' + FILL + b"]}",
    "a comma at the end": b'{"a": [' + FILL + b",]}",
    "a comma at the end of the record": b'{"a": ' + FILL + b",}",
    "a comma at the beginning": b'{"a": [,' + FILL + b"]}",
    "no name": b"{" + FILL + b"}",
    "no colon": b'{"a" ' + FILL + b"}",
    "another bracket": b'{"a": [' + FILL + b"}]",
    "no escape": b'{"a": "\\q' + FILL[1:] + b"}",
    "no UTF-8": b'{"a": "\xff' + FILL[1:] + b"}",
    "deep": b'{"a":' * 20 + FILL + b"}" * 20,
    "many values": b'{"a": [' + b"1," * MOST_VALUES + b'1], "b": ' + FILL + b"}",
    "a list": b"[" + FILL + b"]",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_record_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ArchiveRefused):
        lines(tmp_path, WRONG[name])
