"""Parts of logs: lines are whole, and what is found is cut."""

from typing import Any

import pytest
from lxml import html

from ingot.web.log_index import STEP, LogIndex
from ingot.web.log_rows import log_rows
from ingot.web.logs import LONGEST_LINE, WINDOW_BYTES, find_lines, window, window_from


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


def test_sections_have_their_lines_and_seconds() -> None:
    text = (
        b"a\nsection_start:100:build[collapsed=true]\rBuild\nb\nsection_start:101:inner\r\nc\n"
        b"section_end:103:inner\rsection_end:110:build\rd\nsection_start:120:open\rOn\n"
    )

    sections = window([text]).sections

    build, inner, still_open = (sections[number] for number in (2, 4, 7))
    assert (build.name, build.last, build.seconds, build.is_folded) == ("build", 6, 10, True)
    assert (inner.last, inner.seconds, inner.is_folded) == (6, 2, False)
    assert (still_open.name, still_open.last) == ("open", 0)


def outline(rows: str) -> list[Any]:
    """Numbers of lines; a section is its number, whether it is open, its time and what is in it."""

    def of(element: Any) -> list[Any]:
        parts: list[Any] = []
        for child in element:
            if child.get("class") == "line":
                parts.append(int(child.get("id")[1:]))
            elif child.get("class") == "section":
                details = child.find("details")
                took = details.find("summary/span[@class='took']")
                is_open = details.get("open") is not None
                parts.append((int(child.get("id")[1:]), is_open, None if took is None else took.text, of(details)))
        return parts

    return of(html.fragment_fromstring(rows, create_parent="div"))


def test_sections_are_inside_each_other_and_fold_where_they_say_so() -> None:
    text = (
        b"a\nsection_start:100:build[collapsed=true]\rBuild\nb\nsection_start:101:inner\r\nc\nsection_end:103:inner\r\n"
        b"section_end:110:build\rsection_start:110:test\rTest\nd\nsection_end:180:test\rAfter\n"
        b"section_start:200:empty\rNothing\nsection_end:200:empty\rsection_start:200:runs[collapsed=true]\rOn\n"
    )

    rows = log_rows(window([text]), "/raw")

    assert outline(rows) == [
        1, (2, False, "10 s", [3, (4, True, "2 s", [5, 6])]), (7, True, "1 min 10 s", [8]), 9, 10, (11, True, None, []),
    ]  # fmt: skip
    assert '<summary id="L4"><span>inner</span>' in rows


def test_sections_that_cross_or_begin_before_the_part_are_closed_with_it() -> None:
    crossed = b"section_start:1:a\rA\nx\nsection_start:2:b\rB\ny\nsection_end:3:a\r\nz\nsection_end:4:b\r\nend\n"
    assert outline(log_rows(window([crossed]), "/raw")) == [(1, True, "2 s", [2, (3, True, "2 s", [4, 5])]), 6, 7, 8]

    assert outline(log_rows(window_from([crossed], 2), "/raw")) == [2, (3, True, "2 s", [4, 5, 6, 7]), 8]


def test_sections_without_end_do_not_go_deeper_and_deeper() -> None:
    text = b"".join(b"section_start:1:n%d\rN\n" % number for number in range(100))

    rows = log_rows(window([text]), "/raw")

    assert (rows.count("<details"), rows.count("</details>"), rows.count('class="line"')) == (20, 20, 80)


def test_lines_are_escaped_and_lead_to_the_whole_line() -> None:
    text = b"<b>&\n" + b"x" * (LONGEST_LINE + 1) + b"\nsection_start:1:a\r<i>\n"

    rows = log_rows(window([text]), '/raw"')

    assert "&lt;b&gt;&amp;" in rows
    assert "&lt;i&gt;" in rows
    assert '<a href="/raw&#34;">… view the full line in the raw log</a>' in rows


def test_long_lines_that_are_found_are_cut() -> None:
    ((number, line),), is_cut = find_lines([b"a\nneedle", b"x" * 100_000, b"\n"], "NEEDLE")

    assert (number, len(line.striptags()), is_cut) == (2, LONGEST_LINE, False)


def test_what_was_counted_is_not_read_again() -> None:
    text = b"".join(b"%07d %s\n" % (number, b"x" * (number % 90)) for number in range(1, 100_001)) + b"no end"

    def pieces(start: int = 0) -> list[bytes]:
        return [text[place : place + 65536] for place in range(start, len(text), 65536)]

    index = LogIndex()
    whole = window(pieces(), index)
    assert (whole.total, index.total_at(len(text)), index.total_at(len(text) - 1)) == (100_001, 100_001, None)
    start = index.before_offset(len(text) - WINDOW_BYTES)
    assert len(text) - WINDOW_BYTES - STEP - 65536 < start.offset <= len(text) - WINDOW_BYTES
    again = window(pieces(start.offset), index, start)
    assert (again.first, again.lines, again.total) == (whole.first, whole.lines, whole.total)
    for first in (1, 2, 40_000, 99_999, 100_001, 100_005):
        place = index.before_line(first)
        part = window_from(pieces(place.offset), first, place, whole.total)
        expected = window_from(pieces(), first)
        assert (part.first, part.lines, part.total) == (expected.first, expected.lines, expected.total)


def test_a_line_of_which_the_beginning_is_shown_is_named() -> None:
    shown = window([b"short\n", b"z" * (LONGEST_LINE + 1), b"\nshort\n"])
    assert shown.cut == {2}
    assert len(shown.lines[1]) == LONGEST_LINE


@pytest.mark.parametrize(
    ("codes", "colour"),
    [
        ("31", "k1"), ("92", "k2"), ("38;5;3", "k3"), ("38;5;12", "k4"), ("38;5;196", "k1"), ("38;5;250", "k7"),
        ("38;5;236", "k0"), ("38;2;10;120;200", "k6"), ("38;2;30;60;200", "k4"), ("1;38;2;250;250;250", "k7 b"),
        ("32;48;5;31", "q6"), ("32;48;2;31;33;34", "k2"), ("31;7", "q1"), ("7", "q7"), ("3;4;95", "k5 i u"),
        ("1;22;4;24;33", "k3"), ("38;5", "k0"), (f"38;2;{'9' * 5000}", "k1"),
    ],
)  # fmt: skip
def test_colours_of_larger_palettes_become_the_nearest(codes: str, colour: str) -> None:
    (line,) = window([f"\x1b[{codes}mtext\n".encode()]).lines
    assert line == f'<span class="{colour}">text</span>'


def test_a_colour_of_no_palette_is_none() -> None:
    (line,) = window([b"\x1b[38;7mtext\n"]).lines
    assert line == "text"


@pytest.mark.parametrize(
    "written",
    [
        b"\x1b]8;;javascript:x\x07a line\x1b]8;;\x07", b"\x1b]0;title\x1b\\a line", b"\x1b[?25la line\x1b[?25h",
        b"\x1b(Ba line\x1b[2J\x1b[1;1H", b"\x1bPq#0\x1b\\a line", b"a line\x1b", b"a line\x1b[",
        b"a line\x1b]0;not whole", b"\x1b=a line\x1b[4:3m\x1b[0 q",
    ],
)  # fmt: skip
def test_what_only_steers_a_terminal_is_not_shown(written: bytes) -> None:
    assert window([written + b"\n"]).lines == ["a line"]
    ((number, found),), _ = find_lines([written + b"\n"], "a line")
    assert (number, found) == (1, "<mark>a line</mark>")


def test_a_line_may_return_and_change_its_colour_as_often_as_it_likes() -> None:
    (line,) = window([b"first\rlast" + b"\r\x1b[0m" * 20_000 + b"\r\x1b[31m\n"]).lines

    assert line == "last"


@pytest.mark.parametrize("length", [1, 2, 7, 30, 1000])
def test_words_are_found_across_colours_and_pieces_of_a_log(length: int) -> None:
    log = b"one\nTwo\nt\x1b[31mw\x1b[0mo \xc3\xa9\nthree two\rprogress\nsection_start:1:two\rx\nend t\x1b[Kwo"
    pieces = [log[place : place + length] for place in range(0, len(log), length)]
    hits, is_cut = find_lines(pieces, "TWO")
    assert [number for number, _ in hits] == [2, 3, 6]
    assert not is_cut
    assert find_lines(pieces, "É")[0][0][0] == 3
