"""Conflicts as rows: both sides, with some lines around them."""

from ingot.gitstore.hunks import Hunk
from ingot.web.conflict_rows import AROUND, conflict_rows

LINES = b"".join(b"line %d\n" % number for number in range(1, 41))
SIDES = Hunk("k", b"of fix\n", b"of main\n")


def test_lines_far_from_conflicts_are_counted() -> None:
    rows = conflict_rows([LINES, SIDES, LINES, SIDES, LINES], "fix", "main")
    counted = [row.text for row in rows if row.text.endswith("more lines that both have")]
    assert counted == [f"{40 - around} more lines that both have" for around in (AROUND, 2 * AROUND, AROUND)]
    sides = [(row.kind, row.number, row.text) for row in rows if row.kind in ("add", "del")]
    assert sides == [("add", 42, "of fix"), ("del", 44, "of main"), ("add", 87, "of fix"), ("del", 89, "of main")]
    words = [row.text for row in rows if row.kind == "hunk" and row.text not in counted]
    assert words == ["fix has", "main has", "Both have"] * 2
    assert [(row.number, row.text) for row in rows if row.kind == "choice"] == [(1, "k"), (2, "k")]


def test_short_texts_are_shown_whole() -> None:
    short = b"".join(LINES.splitlines(keepends=True)[:9])
    rows = conflict_rows([b"a\n", SIDES, short, Hunk("e", b"", b"\n"), b"b"], "fix", "main")
    shown = [(row.kind, row.number, row.text) for row in rows if row.kind not in ("hunk", "choice")]
    assert [number for _, number, _ in shown] == [1, 3, 5, *range(7, 16), 18, 20]
    assert shown[-2:] == [("del", 18, ""), ("", 20, "b")]
    assert "fix has no lines here" in [row.text for row in rows]
