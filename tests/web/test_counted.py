"""What background jobs have counted, in words."""

from ingot.web.filters import counted

PACE = {"what": "records", "since": 1.5, "at": 2.5, "bytes_before": 0}


def test_an_export_tells_its_stage_and_what_is_known_of_it() -> None:
    counters = {
        "label": "merge_requests", "stage": "records", "parts": 3, "parts_total": 21, "records": 312,
        "bytes": 0, "bytes_total": 0, "bytes_written": 2048, **PACE,
    }  # fmt: skip
    assert counted(counters) == [
        ("Current step", "Merge requests"), ("Stage", "Records"), ("Parts", "3 of 21"), ("Records exported", "312"),
        ("Archive size so far", "2.0 KiB"),
    ]  # fmt: skip


def test_sizes_and_numbers_are_told_with_what_they_are_part_of() -> None:
    assert counted({"done": 2, "total": 6, "label": "code index"}) == [
        ("Done", "2 of 6"),
        ("Current step", "Code index"),
    ]
    assert counted({"bytes": 1024, "bytes_total": 4096, **PACE}) == [("Size of this stage", "1.0 KiB of 4.0 KiB")]
    assert counted({"bytes": 0, "bytes_total": 4096}) == [("Size of this stage", "0 bytes of 4.0 KiB")]


def test_what_is_not_known_is_left_out() -> None:
    assert counted({"done": 0, "label": ""}) == [("Done", "0")]
    assert counted(PACE) == []
    assert counted({"parts": 3, "parts_total": 12, "what": "groups", "bytes": 3, "bytes_total": 12}) == [
        ("Parts", "3 of 12")
    ]
