"""Records with more notes than one would hold: read piece by piece, and written so."""

import json
from pathlib import Path

import msgspec
import pytest

from ingot.archives.lines import LARGE_LINE, Pieces, read_lines
from ingot.archives.pack import Stream, encoded
from ingot.archives.unpack import ArchiveRefused


def long_line(folder: Path, notes: str) -> Path:
    """A file of one record that is long enough to be read in pieces."""
    place = folder / "merge_requests.ndjson"
    place.write_text(
        f'{{"iid":1,"filler":"{"x" * LARGE_LINE}","notes":{notes},"labels":[1]}}\n{{"iid":2,"notes":[]}}\n'
    )
    return place


def test_notes_of_a_long_record_are_read_one_by_one(tmp_path: Path) -> None:
    sizes: list[int] = []

    notes = [{"note": f"a {number}"} for number in range(30_000)]
    (first, one), (second, two) = read_lines(long_line(tmp_path, json.dumps(notes)), sizes.append)

    assert (first, second, one["iid"], one["labels"], two) == (0, 1, 1, [1], {"iid": 2, "notes": []})
    assert isinstance(one["notes"], Pieces)
    assert len(one["notes"]) == 30_000
    assert [list(one["notes"]) for _ in range(2)] == [notes] * 2
    assert sizes[0] > LARGE_LINE > sizes[1]


@pytest.mark.parametrize("notes", ["null", "{}", '"text"'])
def test_notes_that_are_no_list_are_read_as_they_are(tmp_path: Path, notes: str) -> None:
    result = dict(read_lines(long_line(tmp_path, notes)))

    assert result[0]["notes"] == json.loads(notes)


@pytest.mark.parametrize("notes", ["[{]", "[1,", f"[{'[' * 200}{']' * 200}]"])
def test_broken_and_deep_pieces_are_refused(tmp_path: Path, notes: str) -> None:
    place = long_line(tmp_path, notes)

    with pytest.raises(ArchiveRefused, match="Incorrect JSON format"):
        _ = [list(record["notes"]) for _, record in read_lines(place)]


@pytest.mark.parametrize("rest", [{}, {"iid": 1, "b": [2]}])
@pytest.mark.parametrize("notes", [[], [{"a": 1}], [{"a": 1}, {"b": 'x"'}]])
def test_streams_are_written_as_lists(rest: dict[str, object], notes: list[dict[str, object]]) -> None:
    record = {**rest, "notes": Stream(msgspec.json.encode(note) for note in notes)}

    assert json.loads(b"".join(encoded(record))) == {**rest, "notes": notes}
