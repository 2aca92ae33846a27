"""Filters of the templates: times, sizes, letters of a name, Markdown, paths inside this server."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from markupsafe import Markup, escape

from ingot.archives.pace import GROUPS
from ingot.kit.clock import today
from ingot.web.cron_words import cron_words
from ingot.web.file_views import shown_name
from ingot.web.suggestion_places import around_suggestions

if TYPE_CHECKING:
    from ingot.web.file_tree import FileTree
    from ingot.web.shown_files import FileDiff

LEVELS = {5: "Minimal", 10: "Guest", 15: "Planner", 20: "Reporter", 30: "Developer", 40: "Maintainer", 50: "Owner"}
UNFINISHED = ("opened", "active")
STEPS = ("bytes", "KiB", "MiB", "GiB")
STATUS_KINDS = {
    "success": "ok", "passed": "ok", "merged": "info", "opened": "ok", "active": "ok", "running": "info",
    "failed": "bad", "closed": "bad", "canceled": "muted", "skipped": "muted", "pending": "warn", "created": "muted",
    "preparing": "warn", "available": "ok", "stopped": "muted", "stopping": "warn",
    "waiting_for_resource": "warn", "manual": "muted", "scheduled": "muted", "blocked": "bad",
    "verified": "ok", "finished": "ok", "done": "ok", "error": "bad", "canceling": "muted",
}  # fmt: skip
STATUS_WORDS = {
    "success": "Passed", "opened": "Open", "waiting_for_resource": "Waiting", "active": "Open", "canceled": "Cancelled",
    "canceling": "Cancelling",
}  # fmt: skip
STATUS_ICONS = {
    "success": "check", "failed": "cross", "running": "ring", "merged": "merge", "opened": "open", "closed": "cross",
    "canceled": "slash", "canceling": "slash", "manual": "play", "active": "open", "verified": "check",
    "finished": "check", "done": "check", "error": "cross", "pending": "pause", "waiting_for_resource": "pause",
    "skipped": "skip", "scheduled": "clock", "stopped": "stop", "blocked": "lock",
}  # fmt: skip

ABBREVIATIONS = {
    word.lower(): word for word in (
        "API", "CI", "CD", "DevOps", "CSS", "DSA", "ECDSA", "FIFO", "HTML", "HTTP", "HTTPS", "ID", "IP", "LDAP", "LFS",
        "LinkedIn", "MR",
        "NPM", "NuGet", "OAuth", "OIDC", "PWA", "PyPI", "RSA", "SAML", "SCIM", "SSH", "TLS", "TTL", "UI", "URL", "URLs",
        "YAML",
    )
}  # fmt: skip


def moment(text: str | None) -> Markup:
    """A time with date and minute, in words that a program can read too."""
    if not text:
        return Markup("")
    when = datetime.fromisoformat(text)
    is_day = len(text) == len("2026-11-18")
    return Markup('<time datetime="{}">{}</time>').format(text, text if is_day else when.strftime("%Y-%m-%d %H:%M"))


def day(text: str | None) -> str:
    """The date alone."""
    return (text or "")[:10]


def is_overdue(record: Mapping[str, object]) -> bool:
    """An issue or milestone that is still open after the day on which it was due."""
    due = record.get("due_date")
    return bool(due) and record.get("state") in UNFINISHED and date.fromisoformat(str(due)) < today()


def size(number: float) -> str:
    """A number of bytes for display."""
    for step in STEPS:
        if number < 1024 or step == STEPS[-1]:
            return f"{number:.0f} {step}" if step == "bytes" else f"{number:.1f} {step}"
        number /= 1024
    return ""


def duration(seconds: float | None) -> str:
    """Seconds for display."""
    if seconds is None:
        return ""
    if 0 < seconds < 1:
        return "under 1 s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    if minutes:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{rest} s"


def letters(name: str | None) -> str:
    """The initials shown instead of a missing avatar."""
    words = (name or "?").split()
    return "".join(word[0] for word in words[:2]).upper() or "?"


def hue(name: str | None) -> int:
    """One of eight background colours for the initials, the same for the same name."""
    return sum(map(ord, name or "")) % 8


def path_part(text: str) -> str:
    """A text inside an address; slashes stay."""
    return quote(str(text), safe="/")


def marked(line: str, words: str) -> Markup:
    """A line that a search has found, with what was searched for marked; words such as `path:src` only narrow it."""
    phrase = " ".join(word for word in words.split() if ":" not in word).strip('"').lower()
    small = line.lower()
    if not phrase or len(small) != len(line):  # some letters have small forms of two
        return escape(line)
    result, start = Markup(), 0
    while (place := small.find(phrase, start)) >= 0:
        end = place + len(phrase)
        result += escape(line[start:place]) + Markup("<mark>{}</mark>").format(line[place:end])
        start = end
    return result + escape(line[start:])


def local(url: str | None) -> str:
    """The path of one of our own addresses."""
    parts = urlsplit(url or "")
    return parts.path + (f"#{parts.fragment}" if parts.fragment else "")


def foreign(url: str | None) -> str:
    """An address elsewhere that may be linked; nothing for those of another kind, such as scripts."""
    return url if url and url.lower().startswith(("https://", "http://")) else ""


def badge(status: str) -> Markup:
    """A state as icon and word."""
    kind, sign = STATUS_KINDS.get(status, "muted"), icon(STATUS_ICONS.get(status, "dot"))
    return Markup('<span class="badge {}">{}{}</span>').format(kind, sign, word_of(status))


def job_badge(job: Mapping[str, object]) -> Markup:
    """The state of a job; a failure that its pipeline passes over looks less serious."""
    if _is_passed_over(job):
        return Markup('<span class="badge warn">{}{}</span>').format(icon("cross"), job_word(job))
    return badge(str(job["status"]))


def request_of(ref: str) -> str:
    """The number of the merge request whose pipeline runs at this ref; empty for branches and tags."""
    parts = ref.split("/")
    return parts[2] if parts[:2] == ["refs", "merge-requests"] and len(parts) == 4 else ""


def job_word(job: Mapping[str, object]) -> str:
    """The state of a job in words."""
    return "Failed, allowed" if _is_passed_over(job) else word_of(str(job["status"]))


def job_dot(job: Mapping[str, object]) -> Markup:
    """The icon of a job's state, beside its word."""
    status = str(job["status"])
    kind = "warn" if _is_passed_over(job) else STATUS_KINDS.get(status, "muted")
    return Markup('<span class="state-dot {}">{}</span>').format(kind, icon(STATUS_ICONS.get(status, "dot")))


def job_sign(job: Mapping[str, object]) -> Markup:
    """The icon of its state, in its colour, for pictures whose words stand elsewhere."""
    status = str(job["status"])
    kind = "warn" if _is_passed_over(job) else STATUS_KINDS.get(status, "muted")
    return Markup('<g class="{}">{}</g>').format(kind, icon(STATUS_ICONS.get(status, "dot")))


def _is_passed_over(job: Mapping[str, object]) -> bool:
    return job["status"] == "failed" and bool(job["allow_failure"])


def dot(status: str, words: str = "", has_warnings: bool = False) -> Markup:
    """A state as an icon alone, which is named for those who point at it and for those who listen."""
    word, kind, sign = word_of(status), STATUS_KINDS.get(status, "muted"), STATUS_ICONS.get(status, "dot")
    if has_warnings and status == "success":
        word, kind, sign = "Passed with warnings", "warn", "alert"
    name = f"{words}: {word.lower()}" if words else word
    return Markup('<span class="state-dot {}" title="{}">{}<span class="hidden">{}</span></span>').format(
        kind, name, icon(sign), name
    )


def word_of(status: str) -> str:
    """A state in words."""
    return STATUS_WORDS.get(status) or status.replace("_", " ").capitalize()


def icon(name: str) -> Markup:
    """A glyph of the sprite; the text beside it says what it means."""
    from ingot.web import assets

    return Markup('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>').format(
        assets.address("icons.svg"), name
    )


def plural(number: int, word: str, many: str = "") -> str:
    """`3 commits`."""
    return f"{number:,} {word if number == 1 else many or word + 's'}"


LONG_LINE, FEW_ROWS, MANY_ROWS = 40, 3, 12


def rows(text: str) -> int:
    """How many rows show a text that somebody wrote, also where lines are short."""
    needed = sum(1 + len(line) // LONG_LINE for line in text.splitlines())
    return min(max(needed, FEW_ROWS), MANY_ROWS)


# What background jobs count, in words. What they note to tell their pace, and nobody reads, is not here.
COUNTERS = {
    "label": "Current step", "stage": "Stage", "parts": "Parts", "records": "Records exported",
    "bytes": "Size of this stage", "bytes_written": "Archive size so far",
}  # fmt: skip


def counted(counters: Mapping[str, object]) -> list[tuple[str, str]]:
    """What a background job has counted so far: names and values in words; what is not known is left out."""
    words = []
    if isinstance(counters.get("done"), int):
        words.append(("Done", _of(str(counters["done"]), str(counters.get("total") or ""))))
    for name, text in COUNTERS.items():
        value, total = counters.get(name), counters.get(f"{name}_total")
        if name == "bytes" and counters.get("what") == GROUPS:
            continue
        if isinstance(value, str) and value:
            words.append((text, label(value)))
        elif isinstance(value, int) and (value or total):
            shown = size if name.startswith("bytes") else str
            words.append((text, _of(shown(value), shown(total) if isinstance(total, int) and total else "")))
    return words


def _of(value: str, total: str) -> str:
    return f"{value} of {total}" if total else value


def level(number: int) -> str:
    """The name of a role."""
    return LEVELS.get(number, "No access")


def label(name: str) -> str:
    """The name of a field or state in words: `ci_config_path` is `CI config path`."""
    words = [ABBREVIATIONS.get(word, word) for word in name.split("_")]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]]).replace("CI CD", "CI/CD")


def lines(text: str) -> Markup:
    """Plain text with its line breaks."""
    return Markup("<br>").join(escape(line) for line in text.splitlines())


def with_code(text: str) -> Markup:
    """A sentence whose words between backticks are code."""
    parts = str(text).split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return Markup().join(
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part) for place, part in enumerate(parts)
    )


REASONS = {
    "assigned": "{} assigned this to you", "mentioned": "{} mentioned you", "build_failed": "The pipeline failed",
    "marked": "You added this", "approval_required": "Your approval is needed",
    "unmergeable": "Can no longer be merged",
    "directly_addressed": "{} mentioned you directly", "merge_train_removed": "Removed from the merge train",
    "review_requested": "{} requested your review", "member_access_requested": "{} requested access",
    "review_submitted": "{} reviewed this",
}  # fmt: skip


def reason(action: str, name: str | None) -> str:
    """Why something is to do, in words."""
    return REASONS.get(action, f"{{}} · {label(action)}").format(name or "Someone")


def file_tree_of(files: Sequence["FileDiff"]) -> "FileTree":
    """The files of a page, in their folders."""
    from ingot.web.file_tree import Places, file_tree

    return file_tree(files, None, Places())


FILTERS: dict[str, Callable[..., object]] = {
    "around_suggestions": around_suggestions,
    "badge": badge, "counted": counted, "cron_words": cron_words, "day": day, "dot": dot,
    "duration": duration, "file_tree": file_tree_of, "foreign": foreign,
    "hue": hue, "icon": icon, "is_overdue": is_overdue, "job_badge": job_badge,
    "job_dot": job_dot, "job_sign": job_sign, "job_word": job_word, "label": label, "letters": letters,
    "level": level, "lines": lines, "local": local, "marked": marked, "moment": moment, "path_part": path_part,
    "plural": plural,
    "reason": reason, "request_of": request_of, "rows": rows, "shown_name": shown_name, "size": size,
    "with_code": with_code, "word_of": word_of,
}  # fmt: skip
