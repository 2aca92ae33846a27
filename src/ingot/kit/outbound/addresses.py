"""Which IP addresses are ours or private, and the sentence that refuses them."""

import socket
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address

LOOPBACK = "Requests to loopback addresses are not allowed"
LOCALHOST = "Requests to localhost are not allowed"
LOCAL_NETWORK = "Requests to the local network are not allowed"
LINK_LOCAL = "Requests to the link local network are not allowed"
SHARED = "Requests to the shared address space are not allowed"
BROADCAST = "Requests to the limited broadcast address are not allowed"
MULTICAST = "Requests to multicast addresses are not allowed"
METADATA = "Requests to cloud metadata addresses are not allowed"

# The first match gives the sentence.
_REFUSED = [
    (ip_network(network), reason)
    for network, reason in [
        ("127.0.0.0/8", LOOPBACK),
        ("::1/128", LOOPBACK),
        ("0.0.0.0/8", LOCALHOST),
        ("::/128", LOCALHOST),
        ("255.255.255.255/32", BROADCAST),
        ("224.0.0.0/4", MULTICAST),
        ("ff00::/8", MULTICAST),
        ("169.254.0.0/16", LINK_LOCAL),
        ("fe80::/10", LINK_LOCAL),
        ("100.64.0.0/10", SHARED),
        ("168.63.129.16/32", METADATA),  # a public number, but used by a hypervisor
        ("192.0.0.0/24", LOCAL_NETWORK),
    ]
]

# IPv6 addresses that carry an IPv4 address: the network, and how far right the 32 bits stand from the end.
_CARRIERS = [
    (IPv6Network("::ffff:0:0/96"), 0),  # mapped
    (IPv6Network("::ffff:0:0:0/96"), 0),  # translated
    (IPv6Network("::/96"), 0),  # compatible
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64
    (IPv6Network("2002::/16"), 80),  # 6to4
]
_NAT64 = IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = IPv6Network("2000::/3")


def reason_against(text: str) -> str | None:
    """Why this address must not be called, or None for a public one."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and address not in (IPv6Address("::"), IPv6Address("::1")):
        for carried in _carried(address):
            if (reason := reason_against(str(carried))) is not None:
                return reason
    for network, reason in _REFUSED:
        if address.version == network.version and address in network:
            return reason
    if _is_of_this_machine(address):
        return LOCALHOST
    return None if _is_public(address) else LOCAL_NETWORK


def _carried(address: IPv6Address) -> Iterator[IPv4Address]:
    for network, shift in _CARRIERS:
        if address in network:
            yield IPv4Address((int(address) >> shift) & 0xFFFFFFFF)


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return address.is_global
    if address in _NAT64 or address.ipv4_mapped is not None:
        return True
    return address in _GLOBAL_UNICAST and address.is_global


def _is_of_this_machine(address: Address) -> bool:
    """Binding succeeds only on addresses of our own interfaces, which saves listing them."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True
