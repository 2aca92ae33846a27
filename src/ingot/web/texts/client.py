"""Texts as pages show them; what takes too long is shown unformatted.

What was rendered is kept in memory, and shared with other processes where the caller has a cache for that.
"""

import atexit
from collections.abc import Sequence

import msgspec
from markupsafe import Markup, escape

from ingot.kit.blobs.shared_cache import SharedCache
from ingot.web.texts.renderer import Question, Renderer

LONGEST_CODE, MOST_LINES = 512 * 1024, 10_000
LONGEST_MARKDOWN = 256 * 1024
SHARED_FROM = 8 * 1024  # signs of a Markdown text; shorter ones are rendered as fast as a store answers
COLOURED_ON_A_PAGE = 5000  # lines of diffs: each word is an element, and browsers take their time for those
PATIENCE_OF_PAGES = 0.15  # seconds
LONGEST_AHEAD = 5.0  # seconds for a page; hostile texts cost what the process grants each of them
COLOURS_BYTES, TEXTS_BYTES = 32 << 20, 16 << 20  # in memory; 16 MB more are for the last commits of folders

_texts = Renderer(TEXTS_BYTES)
_colours = Renderer(
    COLOURS_BYTES
)  # another process: a page waits for its text, and not behind the colours of long files
for _one in (_texts, _colours):
    atexit.register(_one.close)


def highlighted_lines(text: str, name: str, shared: SharedCache | None = None) -> list[Markup]:
    """As `highlighted_files`, of one."""
    return highlighted_files([(text, name)], shared)[0]


def highlighted_files(
    files: Sequence[tuple[str, str]],
    shared: SharedCache | None = None,
    patience: float = PATIENCE_OF_PAGES,
    longest: float = LONGEST_AHEAD,
) -> list[list[Markup]]:
    """The highlighted lines of files, given with their names; plain where they are too long or not ready.

    A page waits a moment for all of them. What is not ready then has its colours at the next visit.
    """
    plain_lines = [_lines_of(text) for text, _ in files]
    questions: list[Question | None] = [
        Question.about(text, "code", name=name) if len(text) <= LONGEST_CODE and len(lines) <= MOST_LINES else None
        for (text, name), lines in zip(files, plain_lines, strict=True)
    ]
    result = []
    for lines, coloured in zip(plain_lines, _coloured(questions, shared, patience, longest), strict=True):
        is_whole = coloured is not None and len(coloured) == len(lines)
        result.append(coloured if coloured is not None and is_whole else [escape(line) for line in lines])
    return result


def highlighted_diffs(
    diffs: Sequence[tuple[str, str]],
    shared: SharedCache | None = None,
    patience: float = PATIENCE_OF_PAGES,
    longest: float = LONGEST_AHEAD,
) -> list[list[Markup] | None]:
    """The highlighted lines of diffs, given with the names of their files; None for those that stay plain.

    A page waits a moment. What is not ready then has its colours at the next visit.
    """
    questions: list[Question | None] = []
    left = COLOURED_ON_A_PAGE
    for text, name in diffs:
        count = text.count("\n") + 1
        is_taken = count <= left and len(text) <= LONGEST_CODE
        questions.append(Question.about(text, "diff", name=name) if is_taken else None)
        left -= count if is_taken else 0
    return _coloured(questions, shared, patience, longest)


def _lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def _coloured(
    questions: Sequence[Question | None], shared: SharedCache | None, patience: float, longest: float
) -> list[list[Markup] | None]:
    """The answers that are known after a moment; the others are found out for whoever asks next."""
    asked = [question for question in questions if question is not None]
    if any(_colours.find(question) is None for question in asked):
        _colours.ask_ahead(asked, patience, longest, shared)
    return [None if question is None else _lines(_colours.find(question)) for question in questions]


def _lines(answer: bytes | None) -> list[Markup] | None:
    lines = answer and msgspec.json.decode(answer)[1]
    # Escaped piece by piece by the renderer.
    return [Markup(line) for line in lines] if isinstance(lines, list) else None  # noqa: S704


def rendered_markdown(
    text: str,
    links: dict[str, str],
    place: dict[str, str],
    words: dict[str, str] | None = None,
    shared: SharedCache | None = None,
) -> tuple[Markup, float]:
    """The HTML of a Markdown text and the seconds that it cost.

    `links` are its references, `words` what some of them are shown as, `place` is where its relative addresses start.
    """
    question = Question.about(text, "markdown", links=links, place=place, words=words or {})
    is_long = len(text) >= SHARED_FROM
    answer, seconds = _texts.ask_sharing(question, shared) if shared and is_long else _texts.ask(question)
    if isinstance(answer, str):
        return Markup(answer), seconds  # noqa: S704 - sanitised by the renderer
    return plain(text), seconds


def plain(text: str) -> Markup:
    """A text that is not rendered."""
    return Markup("<pre>{}</pre>").format(text)
