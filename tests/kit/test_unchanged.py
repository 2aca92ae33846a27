"""Records are given again only while all their parts are equal."""

from ingot.kit.entity import Entity
from ingot.kit.unchanged import LONGEST, MOST, Unchanged, json_of


def test_a_record_is_given_again_while_its_parts_are_equal() -> None:
    records: Unchanged[list[str]] = Unchanged()
    record = records.keep(1, ("title", ["label"]), ["shown"], "title")

    assert records.find(1, ("title", ["label"])) is record
    assert records.find(1, ("title", ["other"])) is None
    assert records.find(2, ("title", ["label"])) is None


def test_records_with_long_texts_are_not_kept() -> None:
    records: Unchanged[str] = Unchanged()
    text = "x" * (LONGEST + 1)

    assert records.keep(1, (text,), "shown", text) == "shown"
    assert records.find(1, (text,)) is None


def test_no_more_records_are_kept_than_the_most() -> None:
    records: Unchanged[int] = Unchanged()
    for number in range(MOST + 1):
        records.keep(number, (number,), number, None)

    assert records.find(0, (0,)) is None
    assert records.find(MOST, (MOST,)) == MOST


class _Record(Entity):
    title: str


def test_the_json_of_a_record_that_is_given_again_is_its_own() -> None:
    records: Unchanged[_Record] = Unchanged()
    for number in range(3):
        records.keep(number, (number,), _Record(title=str(number)), None)
    shown = [records.find(number, (number,)) for number in range(3)]
    changed = records.keep(1, ("changed",), _Record(title="changed"), None)

    assert [json_of(record) for record in shown] == [b'{"title":"0"}', b'{"title":"1"}', b'{"title":"2"}']
    assert json_of(changed) == b'{"title":"changed"}'
    assert json_of(records.find(1, ("changed",))) == b'{"title":"changed"}'
