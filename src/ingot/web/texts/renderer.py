"""One rendering process and its answers: known ones from memory, others from processes that were asked before, or new.

A question holds everything that its answer depends on, so whoever can ask it may have the answer.
"""

import hashlib
import os
import selectors
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from time import monotonic, sleep
from typing import Self

import msgspec

from ingot.kit.blobs.shared_cache import SharedCache
from ingot.web.texts.version import renderer_version

PATIENCE = 20.0  # seconds; the process limits its own processor time long before
LONGEST_QUEUE = 2.0  # seconds
ENTRY_BYTES = 256  # an answer's place in memory, beside the answer
SHARED = "texts"  # the kind of what is shared
NO_ANSWER = b",null]"  # the end of what is said where the text was too hard


class Question(msgspec.Struct, frozen=True):
    """A text to render, as the process reads it."""

    sent: bytes
    key: bytes

    @classmethod
    def about(cls, text: str, kind: str, **more: object) -> Self:
        """Encode it, once for all who look for its answer."""
        sent = msgspec.json.encode({"kind": kind, "text": text, **more})
        return cls(sent, hashlib.sha256(sent).digest())


class Renderer:
    """One process, started when the first text comes, started anew when it fails."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()  # of what is kept
        self._busy = threading.Lock()  # of the process
        self._ahead = threading.BoundedSemaphore(4)  # of threads that answer ahead
        self._process: subprocess.Popen[bytes] | None = None
        self._has_answered = False  # since it started, which takes its time
        self._answers: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0

    def ask(self, question: Question) -> tuple[object, float]:
        """The answer, or None, and the seconds that it cost; what is known already costs nothing."""
        answer = self.find(question)
        if answer is None:
            # Slow texts must not block other pages or waiting threads.
            if not self._busy.acquire(timeout=LONGEST_QUEUE if self._has_answered else PATIENCE):
                return None, LONGEST_QUEUE
            try:
                answer = self.find(question) or self._answer(question.sent)  # somebody else may have asked the same
            finally:
                self._busy.release()
            if answer is None:
                return None, PATIENCE
            self._keep(question, answer)
            seconds, result = msgspec.json.decode(answer)
            return result, seconds
        return msgspec.json.decode(answer)[1], 0.0

    def ask_sharing(self, question: Question, shared: SharedCache) -> tuple[object, float]:
        """As `ask`; another process may have the answer, and others may have this one's."""
        if self.find(question) is not None or self._recall([question], shared):
            return self.ask(question)
        result = self.ask(question)
        self._share([question], shared)
        return result

    def find(self, question: Question) -> bytes | None:
        """What the process said, in JSON: the seconds that it took, and the answer or null. None if it is not known."""
        with self._lock:
            answer = self._answers.get(question.key)
            if answer is not None:
                self._answers.move_to_end(question.key)
            return answer

    def ask_ahead(
        self, questions: Sequence[Question], patience: float, longest: float, shared: SharedCache | None
    ) -> None:
        """Answer for whoever asks next, and wait a moment; where many are being answered, these are dropped."""
        if not questions or not self._ahead.acquire(blocking=False):
            return
        given = (questions, longest, shared)
        thread = threading.Thread(target=self._ask_all, args=given, name="colours", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the process has no room for another
            self._ahead.release()
        else:
            thread.join(patience)

    def _ask_all(self, questions: Sequence[Question], longest: float, shared: SharedCache | None) -> None:
        end = monotonic() + longest
        try:
            if shared is not None and self._recall(questions, shared):
                return
            for question in questions:
                if monotonic() > end:
                    break
                self.ask(question)
                sleep(0.001)  # others have their turn
            if shared is not None:
                self._share(questions, shared)
        finally:
            self._ahead.release()

    def _recall(self, questions: Sequence[Question], shared: SharedCache) -> bool:
        """Take over what another process was answered. All questions of a page are one object: one read is enough."""
        stored = shared.find(SHARED, _shared_name(questions))
        if stored is None:
            return False
        for question, answer in zip(questions, msgspec.json.decode(stored, type=list[msgspec.Raw]), strict=True):
            self._keep(question, bytes(answer))
        return True

    def _share(self, questions: Sequence[Question], shared: SharedCache) -> None:
        """Let other processes have the answers, if all are there; what was too hard may be easy for them."""
        answers = [answer for question in questions if (answer := self.find(question))]
        if len(answers) == len(questions) and not any(answer.endswith(NO_ANSWER) for answer in answers):
            shared.put(SHARED, _shared_name(questions), b"[" + b",".join(answers) + b"]")

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

    def _keep(self, question: Question, answer: bytes) -> None:
        with self._lock:
            if question.key in self._answers:  # somebody else asked the same
                return
            self._answers[question.key] = answer
            self._bytes += ENTRY_BYTES + len(answer)
            while self._bytes > self._most_bytes:
                _, oldest = self._answers.popitem(last=False)
                self._bytes -= ENTRY_BYTES + len(oldest)

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


def _shared_name(questions: Sequence[Question]) -> bytes:
    return b"".join((renderer_version(), *(question.key for question in questions)))
