"""Parses receive-pack's answer: the result of each ref, with room for our own lines at its end."""

from __future__ import annotations

import msgspec

from ingot.gitstore.pkt_line import DATA, FLUSH, packet_length
from ingot.gitstore.push import Push, RefCommand


class RefResult(msgspec.Struct, frozen=True):
    command: RefCommand
    error: str | None
    """None when the ref was updated."""

    @property
    def is_done(self) -> bool:
        return self.error is None


class ReportReader(msgspec.Struct):
    """Feed it the output; it gives back all but the closing flush packet, which the caller sends last."""

    push: Push
    _pending: bytearray = msgspec.field(default_factory=bytearray)
    _report: bytearray = msgspec.field(default_factory=bytearray)
    _begun: bool = False
    _closed: bool = False

    def feed(self, chunk: bytes) -> bytes:
        self._begun = True
        if not self.push.has_side_band:
            self._report += chunk
            return chunk
        self._pending += chunk
        return self._complete_packets()

    def closing(self) -> bytes:
        """The end of the answer: the held flush packet, or trailing bytes."""
        return (FLUSH if self._closed else b"") + bytes(self._pending)

    @property
    def is_cut_off(self) -> bool:
        """Whether an answer that has begun lacks its end: a client would wait for it, also after the last byte."""
        if self.push.has_side_band:
            return self._begun and not self._closed
        return self._begun and not self._report.endswith(FLUSH)

    def results(self) -> list[RefResult] | None:
        """None when there was no report: the client asked for none, or receive-pack died."""
        reasons: dict[str, str | None] = {}
        report, at = bytes(self._report), 0
        while at + 4 <= len(report):
            try:
                length = packet_length(report[at : at + 4])
            except ValueError:
                return None
            if length == 0:
                break
            line = report[at + 4 : at + length].decode("utf-8", "surrogateescape").rstrip("\n")
            at += length
            word, _, rest = line.partition(" ")
            if word == "ok":
                reasons[rest] = None
            elif word == "ng":
                ref, _, reason = rest.partition(" ")
                reasons[ref] = reason or "failed"
        if not reasons:
            return None
        return [RefResult(command, reasons.get(command.ref, "not reported")) for command in self.push.commands]

    def _complete_packets(self) -> bytes:
        ready = bytearray()
        while len(self._pending) >= 4:
            try:
                length = packet_length(bytes(self._pending[:4]))
            except ValueError:
                ready += self._pending
                self._pending.clear()
                break
            if length == 0:
                self._closed = True
                del self._pending[:4]
                continue
            if len(self._pending) < length:
                break
            packet = bytes(self._pending[:length])
            del self._pending[:length]
            if packet[4:5] == bytes([DATA]):
                self._report += packet[5:]
            ready += packet
        return bytes(ready)
