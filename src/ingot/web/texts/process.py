"""The process that renders texts: reads a question, answers it, within a limit of processor time."""

import signal
import sys
import time

import msgspec

SECONDS = 0.6  # with the rest of the request below a second


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
    from ingot.web.texts.code import colour_diff, colour_lines
    from ingot.web.texts.markdown import render

    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        if question["kind"] == "code":
            return colour_lines(str(question["text"]), str(question["name"]))
        if question["kind"] == "diff":
            return colour_diff(str(question["text"]), str(question["name"]))
        links, place = question["links"], question["place"]
        if isinstance(links, dict) and isinstance(place, dict):
            return render(str(question["text"]), links, place)
    except TooHard:
        pass
    except Exception:  # noqa: BLE001 - a fault of a lexer costs the colours, never the page
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def _stop(*_: object) -> None:
    raise TooHard


if __name__ == "__main__":
    serve()
