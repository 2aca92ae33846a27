"""Lists of addresses and networks, as settings name them."""

from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network


def parse_networks(text: str) -> list[Network]:
    """`10.0.0.0/8, ::1` as networks; raises ValueError for what is none."""
    return [ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip()]


def contains(networks: list[Network], host: str) -> bool:
    """One of the networks contains this address; an invalid address is in none."""
    try:
        address = ip_address(host)
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address.version == network.version and address in network for network in networks)


@lru_cache(maxsize=1000)
def subscriber_of(host: str) -> str:
    """Whom to count by: the address, or for IPv6 the network of 64 bits, all of whose addresses one caller has."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 4 or address.ipv4_mapped is not None:
        return str(getattr(address, "ipv4_mapped", None) or address)
    return str(ip_network((address, 64), strict=False))


def is_loopback(host: str) -> bool:
    """An address of this machine that nobody outside can use."""
    return contains(LOOPBACK, host)


LOOPBACK = parse_networks("127.0.0.0/8, ::1")
