"""The client of the rendering processes; texts that take too long are shown unformatted."""

import atexit
import hashlib
import os
import selectors
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from time import monotonic, sleep

import msgspec
from markupsafe import Markup, escape

LONGEST_CODE, MOST_LINES = 512 * 1024, 10_000
LONGEST_MARKDOWN = 256 * 1024
PATIENCE = 20.0  # seconds; the process limits its own processor time long before
LONGEST_QUEUE = 2.0  # seconds
CACHED_ANSWERS = 512
COLOURED_ON_A_PAGE = 5000  # lines of diffs: each word is an element, and browsers take their time for those
PATIENCE_OF_PAGES = 0.15  # seconds
LONGEST_AHEAD = 5.0  # seconds for a page; hostile texts cost what the process grants each of them
CACHE_BYTES = 32 << 20


class _Renderer:
    """One process, started when the first text comes, started anew when it fails."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # of what is kept
        self._busy = threading.Lock()  # of the process
        self._ahead = threading.BoundedSemaphore(4)  # of threads that answer ahead
        self._process: subprocess.Popen[bytes] | None = None
        self._has_answered = False  # since it started, which takes its time
        self._answers: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0

    def ask(self, question: dict[str, object]) -> tuple[object, float]:
        """The answer, or None, and the seconds that it cost; what is known already costs nothing."""
        sent = msgspec.json.encode(question)
        key = hashlib.sha256(sent).digest()
        answer = self._find(key)
        if answer is None:
            # Slow texts must not block other pages or waiting threads.
            if not self._busy.acquire(timeout=LONGEST_QUEUE if self._has_answered else PATIENCE):
                return None, LONGEST_QUEUE
            try:
                answer = self._find(key) or self._answer(sent)  # somebody else may have asked the same meanwhile
            finally:
                self._busy.release()
            if answer is None:
                return None, PATIENCE
            self._keep(key, answer)
            seconds, result = msgspec.json.decode(answer)
            return result, seconds
        return msgspec.json.decode(answer)[1], 0.0

    def known(self, question: dict[str, object]) -> object:
        """The answer if it is known, else None."""
        answer = self._find(hashlib.sha256(msgspec.json.encode(question)).digest())
        return None if answer is None else msgspec.json.decode(answer)[1]

    def ask_ahead(self, questions: list[dict[str, object]], patience: float, longest: float) -> None:
        """Answer for whoever asks next, and wait a moment; where many are being answered, these are dropped."""
        if questions and self._ahead.acquire(blocking=False):
            thread = threading.Thread(target=self._ask_all, args=(questions, longest), name="colours", daemon=True)
            thread.start()
            thread.join(patience)

    def _ask_all(self, questions: list[dict[str, object]], longest: float) -> None:
        end = monotonic() + longest
        try:
            for question in questions:
                if monotonic() > end:
                    break
                self.ask(question)
                sleep(0.001)  # others have their turn
        finally:
            self._ahead.release()

    def _find(self, key: bytes) -> bytes | None:
        with self._lock:
            answer = self._answers.get(key)
            if answer is not None:
                self._answers.move_to_end(key)
            return answer

    def close(self) -> None:
        """End the process."""
        self._has_answered = False
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process = None

    def _keep(self, key: bytes, answer: bytes) -> None:
        with self._lock:
            if key in self._answers:  # somebody else asked the same
                return
            self._answers[key] = answer
            self._bytes += len(answer)
            while len(self._answers) > CACHED_ANSWERS or self._bytes > CACHE_BYTES:
                _, oldest = self._answers.popitem(last=False)
                self._bytes -= len(oldest)

    def _answer(self, sent: bytes) -> bytes | None:
        process = self._running()
        if process.stdin is None or process.stdout is None:
            return None
        try:
            process.stdin.write(len(sent).to_bytes(4, "big") + sent)
            process.stdin.flush()
            length = int.from_bytes(self._read(process, 4), "big")
            answer = self._read(process, length)
            self._has_answered = True
            return answer
        except OSError:
            self.close()
            return None

    def _read(self, process: subprocess.Popen[bytes], size: int) -> bytes:
        """Exactly so many bytes, or OSError."""
        if process.stdout is None:
            raise OSError("the renderer has no output")
        number = process.stdout.fileno()
        parts = b""
        with selectors.DefaultSelector() as selector:
            selector.register(number, selectors.EVENT_READ)
            while len(parts) < size:
                if not selector.select(PATIENCE):
                    raise TimeoutError("the renderer is silent")
                part = os.read(number, size - len(parts))
                if not part:
                    raise OSError("the renderer ended")
                parts += part
        return parts

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ingot.web.texts.process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
        return self._process


_texts = _Renderer()
_colours = _Renderer()  # another process: a page waits for its text, and not behind the colours of long files
for _one in (_texts, _colours):
    atexit.register(_one.close)


def highlighted_lines(text: str, name: str) -> list[Markup]:
    """As `highlighted_files`, of one."""
    return highlighted_files([(text, name)])[0]


def highlighted_files(
    files: Sequence[tuple[str, str]], patience: float = PATIENCE_OF_PAGES, longest: float = LONGEST_AHEAD
) -> list[list[Markup]]:
    """The highlighted lines of files, given with their names; plain where they are too long or not ready.

    A page waits a moment for all of them. What is not ready then has its colours at the next visit.
    """
    plain_lines = [_lines_of(text) for text, _ in files]
    questions: list[dict[str, object] | None] = [
        {"kind": "code", "text": text, "name": name} if len(text) <= LONGEST_CODE and len(lines) <= MOST_LINES else None
        for (text, name), lines in zip(files, plain_lines, strict=True)
    ]
    result = []
    for lines, coloured in zip(plain_lines, _coloured(questions, patience, longest), strict=True):
        is_whole = coloured is not None and len(coloured) == len(lines)
        result.append(coloured if coloured is not None and is_whole else [escape(line) for line in lines])
    return result


def highlighted_diffs(
    diffs: Sequence[tuple[str, str]], patience: float = PATIENCE_OF_PAGES, longest: float = LONGEST_AHEAD
) -> list[list[Markup] | None]:
    """The highlighted lines of diffs, given with the names of their files; None for those that stay plain.

    A page waits a moment. What is not ready then has its colours at the next visit.
    """
    questions: list[dict[str, object] | None] = []
    left = COLOURED_ON_A_PAGE
    for text, name in diffs:
        count = text.count("\n") + 1
        is_taken = count <= left and len(text) <= LONGEST_CODE
        questions.append({"kind": "diff", "text": text, "name": name} if is_taken else None)
        left -= count if is_taken else 0
    return _coloured(questions, patience, longest)


def _lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def _coloured(
    questions: Sequence[dict[str, object] | None], patience: float, longest: float
) -> list[list[Markup] | None]:
    """The answers that are known after a moment; the others are found out for whoever asks next."""
    answers = [question and _colours.known(question) for question in questions]
    missing = [question for question, answer in zip(questions, answers, strict=True) if question and answer is None]
    if missing:
        _colours.ask_ahead(missing, patience, longest)
        answers = [question and _colours.known(question) for question in questions]
    return [_trusted(answer) for answer in answers]


def _trusted(answer: object) -> list[Markup] | None:
    # Escaped piece by piece by the renderer.
    return [Markup(line) for line in answer] if isinstance(answer, list) else None  # noqa: S704


def rendered_markdown(
    text: str, links: dict[str, str], place: dict[str, str], words: dict[str, str] | None = None
) -> tuple[Markup, float]:
    """The HTML of a Markdown text and the seconds that it cost.

    `links` are its references, `words` what some of them are shown as, `place` is where its relative addresses start.
    """
    question: dict[str, object] = {
        "kind": "markdown",
        "text": text,
        "links": links,
        "place": place,
        "words": words or {},
    }
    answer, seconds = _texts.ask(question)
    if isinstance(answer, str):
        return Markup(answer), seconds  # noqa: S704 - sanitised by the renderer
    return plain(text), seconds


def plain(text: str) -> Markup:
    """A text that is not rendered."""
    return Markup("<pre>{}</pre>").format(text)
