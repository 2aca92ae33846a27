"""The lines of a log as HTML: numbered lines, and sections that fold, also inside each other.

A section that began before the shown part is not marked there; one that goes on is open at the end.
"""

from markupsafe import Markup, escape

from ingot.web.filters import duration
from ingot.web.logs import LogSection, LogWindow

DEEPEST = 20  # sections inside each other


def log_rows(log: LogWindow, raw: str) -> Markup:
    """All lines; those that are cut lead to the raw log."""
    rows: list[str] = []
    ends: list[int] = []  # the last lines of the sections that are open
    for number, line in log.rows:
        while ends and number > ends[-1]:
            rows.append("</details></div>")
            ends.pop()
        text = str(line)  # a plain string, which rows are made of faster
        if number in log.cut:
            text += f' <a href="{escape(raw)}">… view the full line in the raw log</a>'
        section = log.sections.get(number)
        if section is None:
            rows.append(_line(number, text, log))
            continue
        text = text or str(escape(section.name.replace("_", " ")))
        end = min(_end(log, number, section), ends[-1] if ends else log.total)
        if len(ends) == DEEPEST or (end == number and section.last):
            rows.append(_line(number, text, log))
            continue
        rows.append(_head(number, text, section, log))
        ends.append(end)
    rows += ["</details></div>"] * len(ends)
    return Markup("".join(rows))  # noqa: S704 - lines are escaped where they are coloured


def _line(number: int, text: str, log: LogWindow) -> str:
    time = _time(number, log)
    return f'<div class="line" id="L{number}"><a href="#L{number}">{number}</a>{time}<span>{text}</span></div>\n'


def _head(number: int, text: str, section: LogSection, log: LogWindow) -> str:
    # The number stands beside the head, not in it: what folds and what links are two things.
    is_open = "" if section.is_folded and section.last else " open"
    took = f' <span class="took">{duration(section.seconds)}</span>' if section.last else ""
    return (
        f'<div class="section" id="S{number}"><a href="#L{number}">{number}</a>{_time(number, log)}<details{is_open}>'
        f'<summary id="L{number}"><span>{text}</span>{took}</summary>\n'
    )


def _time(number: int, log: LogWindow) -> str:
    return f"<time>{log.times.get(number, '')}</time>" if log.times else ""


def _end(log: LogWindow, number: int, section: LogSection) -> int:
    """The last line of a section. A line that ends it and says more, or begins another, is behind it."""
    if not section.last:
        return log.total
    is_behind = section.last in log.sections or log.lines[section.last - log.first]
    return max(number, section.last - 1 if is_behind else section.last)
