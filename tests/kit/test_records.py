import msgspec

from ingot.kit.records import learn_records

looked_at: list[str] = []


def number() -> type:
    looked_at.append("number")
    return int


Record = msgspec.defstruct("Record", [("value", "number()")], module=__name__)


def test_types_are_looked_at_before_anybody_reads_them() -> None:
    learn_records()
    assert looked_at == ["number"]

    assert msgspec.convert({"value": 1}, Record) == Record(1)
    assert looked_at == ["number"]
