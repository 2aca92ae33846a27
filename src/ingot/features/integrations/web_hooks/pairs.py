"""Named secrets of a hook: variables of its URL and headers of its deliveries. Names are shown, values are sealed."""

from collections.abc import Callable, Iterable, Mapping

from ingot.features.integrations.web_hooks.params import Pair
from ingot.kit.outbound import CONNECTION_HEADERS
from ingot.kit.patterns import pattern
from ingot.kit.sealing import seal, unseal
from ingot.kit.services import Services

_KEY = pattern(r"[A-Za-z]+[0-9]*(?:[._-][A-Za-z0-9]+)*")
LONGEST = 2048
MOST = 20


def is_valid(key: str, value: str) -> bool:
    """Whether the pair may be stored; a line break would make a header two."""
    is_text = value.isprintable() or not any(sign in value for sign in "\r\n\0")
    return len(key) <= 255 and _KEY.fullmatch(key) is not None and 1 <= len(value) <= LONGEST and is_text


def is_valid_header(key: str, value: str) -> bool:
    """Whether deliveries may carry the header; those that say how a message is sent are not the hook's."""
    return is_valid(key, value) and key.lower() not in CONNECTION_HEADERS


def merged(
    services: Services, stored: Mapping[str, str], given: Iterable[Pair], is_valid: Callable[[str, str], bool]
) -> dict[str, str] | None:
    """The stored pairs with the given ones, sealed; None where one is not valid or they are too many."""
    result = dict(stored)
    for pair in given:
        if not is_valid(pair.key, pair.value):
            return None
        result[pair.key] = seal(services, pair.value)
    return result if len(result) <= MOST else None


def opened(services: Services, stored: Mapping[str, str]) -> dict[str, str]:
    """The pairs with their clear values."""
    return {key: unseal(services, value) for key, value in stored.items()}
