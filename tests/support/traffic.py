"""Examples for the API reference out of the suite's own traffic: `make examples` records one call of each operation."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

MOMENT = "2026-01-31T12:00:00"
LONGEST_TEXT = 200
LONGEST_LINE = 8_000
LARGEST_ANSWER = 100_000  # bytes; of a larger one the call alone is shown
# What differs from run to run, or belongs to the machine that recorded.
REPLACED = [
    (re.compile(r"https?://127\.0\.0\.1:\d+"), "https://git.example.com"),
    (re.compile(r"127\.0\.0\.1(:\d+)?"), "git.example.com"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"), MOMENT),
    (re.compile(r"\b(gl[a-z]{1,6}-|GR1348941)[\w.-]{8,}"), r"\1example"),
    (re.compile(r'"token":"(?!gl|GR)[^"]+"'), '"token":"example"'),
    (re.compile(r"/tmp/[^\" ]*"), "/var/lib/ingot"),
]


class Traffic:
    """The best call of each operation so far: one that shows something, as short as can be."""

    def __init__(self, file: Path) -> None:
        """Goes on from what the file holds."""
        self._lines: dict[str, tuple[tuple[bool, bool, int], str]] = {}
        for line in file.read_text().splitlines() if file.exists() else ():
            self._offer(json.loads(line), sanitised(line))

    def note(self, operation: str, response: httpx.Response) -> None:
        """Keep the call if it is a better example than the one before."""
        request = response.request
        is_shown = _is_json(response.headers) and 0 < len(response.content) <= LARGEST_ANSWER
        answer = json.loads(response.content) if is_shown else None
        body = json.loads(request.read() or "null") if _is_json(request.headers) else None
        record = {
            "operation": operation,
            "path": request.url.raw_path.decode().removeprefix("/api/v4"),
            "body": body if isinstance(body, dict) else None,
            "status": response.status_code,
            "answer": shortened(answer),
        }
        self._offer(record, sanitised(json.dumps(record, ensure_ascii=False, separators=(",", ":"))))

    def _offer(self, record: dict[str, Any], line: str) -> None:
        rank = not record["answer"], not record["body"], len(line)
        name = record["operation"]
        if len(line) <= LONGEST_LINE and (name not in self._lines or rank < self._lines[name][0]):
            self._lines[name] = rank, line

    def write(self, file: Path) -> None:
        """One line for each operation, sorted."""
        file.write_text("".join(f"{self._lines[name][1]}\n" for name in sorted(self._lines)))


# Set by a run with `--record-examples`.
recording: Traffic | None = None


def sanitised(text: str) -> str:
    """Without addresses, moments, secrets and folders of the run."""
    for pattern, replacement in REPLACED:
        text = pattern.sub(replacement, text)
    return text


def shortened(value: Any) -> Any:
    """One record of a list, and the beginning of a long text."""
    if isinstance(value, dict):
        return dict(_shortened_items(value))
    if isinstance(value, list):
        return [shortened(one) for one in value[:1]]
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"{value[:LONGEST_TEXT]}…"
    return value


def _shortened_items(value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((name, shortened(one)) for name, one in value.items())


def _is_json(headers: httpx.Headers) -> bool:
    return headers.get("content-type", "").startswith("application/json")
