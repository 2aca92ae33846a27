"""How log lines are written: as JSON for programs, as a short sentence for a person at a terminal."""

import json
import logging
import sys
import time

import msgspec


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    fields = ("request_id", "method", "path", "route", "status", "ms", "user_id", "statements", "parts", "job", "step")

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name in self.fields:
            if hasattr(record, name):
                entry[name] = getattr(record, name)
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        try:
            return msgspec.json.encode(entry, enc_hook=str).decode()
        except (TypeError, ValueError, OverflowError):
            return json.dumps(entry, ensure_ascii=False, default=str)  # half a surrogate pair, a very large number


class ShortLines(logging.Formatter):
    """One line that a person reads while it passes by; what a request carries beyond that is for the JSON lines."""

    def format(self, record: logging.LogRecord) -> str:
        words = [time.strftime("%H:%M:%S", time.localtime(record.created))]
        if record.levelno >= logging.WARNING:
            words.append(f"{record.levelname.lower()}:")
        request = [getattr(record, name, None) for name in ("method", "path", "status")]
        words += [str(part) for part in request] if all(request) else [self._sentence(record)]
        if hasattr(record, "ms"):
            words.append(f"in {record.ms:.0f} ms")
        if record.exc_info:
            words.append(f"\n{self.formatException(record.exc_info)}")
        # What somebody put into an address cannot move the cursor.
        return "".join(one if one.isprintable() or one == "\n" else "?" for one in " ".join(words))

    @staticmethod
    def _sentence(record: logging.LogRecord) -> str:
        known = [
            f"{name}={getattr(record, name)}" for name in ("route", "path", "job", "step") if hasattr(record, name)
        ]
        return " ".join([record.getMessage(), *known])


def log_to_stderr(level: str) -> None:
    """Write what the program logs to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(ShortLines() if sys.stderr.isatty() else JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("ingot").setLevel(level.upper())
