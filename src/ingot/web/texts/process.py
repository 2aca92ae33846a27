"""The process that renders texts: reads a question, answers it, within a limit of processor time."""

import signal
import sys
import time
from collections.abc import Callable

import msgspec

SECONDS = 0.6  # of a text: with the rest of the request below a second
SECONDS_OF_COLOURS = 2.0  # for which no page waits


class TooHard(Exception):
    """The text took too much time."""


def serve() -> None:
    """Answer until the input ends."""
    signal.signal(signal.SIGVTALRM, _stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    while len(head := incoming.read(4)) == 4:
        question = msgspec.json.decode(incoming.read(int.from_bytes(head, "big")))
        started = time.process_time()
        answer = _answer(question)
        answer = msgspec.json.encode([time.process_time() - started, answer])
        outgoing.write(len(answer).to_bytes(4, "big") + answer)
        outgoing.flush()


def _answer(question: dict[str, object]) -> object:
    read, seconds = _reader_of(str(question["kind"]))  # what it imports does not count
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return read(question)
    except TooHard:
        pass
    except Exception:  # noqa: BLE001 - a fault of a lexer costs the colours, never the page
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def _reader_of(kind: str) -> tuple[Callable[[dict[str, object]], object], float]:
    """What answers questions of a kind, and its seconds; each kind has a process, which loads what it needs."""
    if kind == "markdown":
        from ingot.web.texts.markdown import render

        def read_text(question: dict[str, object]) -> object:
            links, place, words = (question[name] for name in ("links", "place", "words"))
            if not isinstance(links, dict) or not isinstance(place, dict) or not isinstance(words, dict):
                return None
            return render(str(question["text"]), links, place, words)

        return read_text, SECONDS
    from ingot.web.texts.code import colour_diff, colour_lines

    colour = colour_diff if kind == "diff" else colour_lines
    return lambda question: colour(str(question["text"]), str(question["name"])), SECONDS_OF_COLOURS


def _stop(*_: object) -> None:
    raise TooHard


if __name__ == "__main__":
    serve()
