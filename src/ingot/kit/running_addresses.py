"""Addresses that a browser runs as the page on which they stand."""

SCHEMES = ("javascript:", "data:", "vbscript:")


def runs_in_browser(address: str) -> bool:
    """Following the address runs a text; browsers leave blanks and control characters before and in a scheme out."""
    return "".join(sign for sign in address if sign > " ").lower().startswith(SCHEMES)
