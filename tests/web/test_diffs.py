"""Lines of diffs: those that differ by white space only, the words that changed, and colours."""

import difflib
import time

from markupsafe import Markup

from ingot.web.diff_context import widened
from ingot.web.diff_words import changed_words, mark_words
from ingot.web.diffs import rows_of, spaces_of
from ingot.web.split_diffs import split_rows
from ingot.web.texts import highlighted_diffs, highlighted_files
from ingot.web.texts.client import COLOURED_ON_A_PAGE, MOST_LINES
from tests.support.processor_time import slowness
from tests.support.waiting import until


def shown(old: list[str], new: list[str]) -> list[str]:
    """The lines that count as changed."""
    lines = ["@@ -1 +1 @@", *(f"-{line}" for line in old), *(f"+{line}" for line in new), " end"]
    equal = spaces_of("\n".join(lines))
    return [line for number, line in enumerate(lines[1:-1], 1) if number not in equal]


def test_lines_are_paired_in_their_order() -> None:
    assert shown(["if a:", "b", "", "c", ""], ["if  a:", "  b", "", " cc", ""]) == ["-c", "+ cc"]
    assert shown(["}", "}", "}"], [" }", " }", " }", " }"]) == ["+ }"]
    assert shown(["a", "b", "c"], ["c ", "a ", "b "]) == ["-c", "+c "]
    assert shown(["x", "one", "x"], ["new", " x", " one", "x "]) == ["+new"]
    assert shown(["gone"], ["come"]) == ["-gone", "+come"]


def test_hostile_lines_cost_what_their_number_says() -> None:
    """Equal lines between different ones, of which each could be paired with each."""
    old = ["x" if number % 2 else f"y{number}" for number in range(5000)]
    new = [" x" if number % 2 else f"z{number}" for number in range(5000)]
    begun = time.process_time()
    assert len(shown(old, new)) >= 5000
    assert time.process_time() - begun < 5 * slowness()


def test_more_lines_around_the_changed_ones() -> None:
    old = [f"l{number}" for number in range(1, 61)]
    new = [*old[:29], "changed", "added", *old[30:50], *old[51:]]

    def diff(context: int) -> str:
        return "\n".join([*list(difflib.unified_diff(old, new, lineterm="", n=context))[2:], ""])

    content = "\n".join(new)
    assert widened(diff(3), f"{content}\n", 5) == diff(8)
    assert widened(diff(3), content, None) == diff(100)
    assert split_rows(diff(3), "a")[1:] == rows_of(diff(3), "a")[1:] == (2, 2)


def test_words_that_changed_are_marked_whole() -> None:
    lines = [
        "@@ -1,3 +1,3 @@",
        "-    wait(three)",
        "-alone",
        "+    wait(thirty)",
        "+else",
        " end",
        "-left",
        "+",
        "+two",
    ]
    assert changed_words(lines) == {1: (9, 14), 3: (9, 15)}
    assert changed_words(["-same", "\\ No newline at end of file", "+same again"]) == {2: (4, 10)}


def test_marks_do_not_cut_elements_or_references() -> None:
    line = '<span class="k">if</span> a &lt; &amp;b:'
    assert mark_words(line, 1, 6) == (
        '<span class="k">i<mark>f</mark></span><mark> a &lt;</mark> &amp;b:'
    )  # fmt: skip
    assert mark_words("&lt;x", 0, 1) == "<mark>&lt;</mark>x"


def colours_of(text: str) -> list[Markup] | None:
    until(lambda: highlighted_diffs([(text, "a.py")])[0] is not None)
    return highlighted_diffs([(text, "a.py")])[0]


def test_each_side_of_a_diff_has_the_colours_of_its_language() -> None:
    text = '@@ -1,2 +1,2 @@\n-"""open\n+x = "a<b"  # why\n y\n@@ -9 +9 @@\n+def f():\n\\ No newline at end of file'
    rows, added, removed = rows_of(text, "f", coloured=colours_of(text))
    assert (added, removed) == (2, 1)
    assert '<span class="s">"a&lt;b"</span>' in rows
    assert '<span class="k">def</span>' in rows
    assert '<td data-sign=" ">y</td>' in rows


def test_many_lines_have_their_colours_at_the_next_visit() -> None:
    long = "@@ -0,0 +1 @@\n" + "+x = 1\n" * 3000
    too_long = "@@ -0,0 +1 @@\n" + "+y = 1\n" * COLOURED_ON_A_PAGE
    until(lambda: highlighted_diffs([(too_long, "b.py"), (long, "a.py")])[1] is not None)
    assert highlighted_diffs([(long, "a.py"), (too_long, "b.py")])[1] is None


def test_a_lone_carriage_return_moves_no_line() -> None:
    assert colours_of("@@ -0,0 +1,2 @@\n+a\rb\n+c") == ["", "a\rb", "c"]


def test_marks_of_a_file_with_a_byte_order_mark_stay_in_their_place() -> None:
    text = '@@ -1 +1 @@\n-\ufeffx = "1"\n+\ufeffx = "2"'
    rows, _, _ = rows_of(text, "f", coloured=colours_of(text))
    assert '<span class="s">"<mark>2</mark>"</span>' in rows


def test_a_page_of_hard_diffs_does_not_keep_the_renderer_for_ever() -> None:
    diffs = [(f"@@ -0,0 +1 @@\n+late = {number}", "a.py") for number in range(3)]
    assert highlighted_diffs(diffs, patience=60, longest=-1) == [None] * 3


def test_files_are_plain_until_their_colours_are_ready() -> None:
    files = [("late = <1>\n", "a.py"), ("\n" * (MOST_LINES + 1), "b.py")]
    assert highlighted_files(files, patience=60, longest=-1) == [["late = &lt;1&gt;"], [""] * (MOST_LINES + 1)]
    until(lambda: '<span class="m">1</span>' in highlighted_files(files)[0][0])
