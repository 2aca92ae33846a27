"""Parts of logs: lines are whole, and what is found is cut."""

from ingot.web.logs import LONGEST_LINE, WINDOW_BYTES, find_lines, window_from


def test_the_next_part_begins_with_the_line_that_did_not_fit() -> None:
    text = b"".join(b"%06d %s\n" % (number, b"x" * 300) for number in range(1, 5001))
    pieces = [text[start : start + 65536] for start in range(0, len(text), 65536)]

    first = window_from(pieces, 1)
    number = first.first + len(first.lines)
    second = window_from(pieces, number)

    assert (first.first, first.total, second.total) == (1, 5000, 5000)
    assert all(len(line) == 307 for line in [*first.lines, *second.lines])
    assert second.lines[0].startswith(f"{number:06d} ")


def test_a_line_that_fills_the_part_is_shown() -> None:
    assert len(window_from([b"y" * WINDOW_BYTES, b"y\nz\n"], 1).lines) == 1
    assert [str(line) for line in window_from([b"y" * WINDOW_BYTES, b"y\nz\n"], 2).lines] == ["z"]


def test_long_lines_that_are_found_are_cut() -> None:
    ((number, line),), is_cut = find_lines([b"a\nneedle", b"x" * 100_000, b"\n"], "NEEDLE")

    assert (number, len(line), is_cut) == (2, LONGEST_LINE, False)
