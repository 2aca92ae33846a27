"""The framing of git's wire protocol: length-prefixed lines, flush packets, side-bands."""

from __future__ import annotations

FLUSH, DELIMITER = b"0000", b"0001"
MAX_PAYLOAD = 65516
DATA, PROGRESS = 1, 2


def pkt(payload: bytes) -> bytes:
    return b"%04x%s" % (len(payload) + 4, payload)


def side_band(band: int, payload: bytes) -> bytes:
    """Payload of any length in packets of one band."""
    size = MAX_PAYLOAD - 1
    pieces = (payload[start : start + size] for start in range(0, len(payload), size))
    return b"".join(pkt(bytes([band]) + piece) for piece in pieces)


def remote_lines(lines: list[str]) -> bytes:
    """Lines that the git client prints behind `remote: `."""
    return b"".join(side_band(PROGRESS, f"{line}\n".encode("utf-8", "replace")) for line in lines)


def packet_length(header: bytes) -> int:
    """Length in a packet's first four bytes, header included; 0 for a flush. ValueError when it is none."""
    if len(header) != 4 or not all(byte in b"0123456789abcdefABCDEF" for byte in header):
        raise ValueError("not a packet")
    length = int(header, 16)
    if length in (1, 2, 3):
        raise ValueError("not a packet of this protocol")
    return length
