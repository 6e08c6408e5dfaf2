"""Which addresses of the internet may be called for somebody: the public ones and no others.

Python's ``is_global`` says another thing from one version to the next, and of some of these what
helps a router and not what is safe to call. So the registries' special blocks stand here.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_SPECIAL = tuple(
    ip_network(block)
    for block in (
        "0.0.0.0/8",  # this network; unspecified
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carriers' NAT
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's own service for its machines, of a public block
        "169.254.0.0/16",  # link-local, and most clouds' services for their machines
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocols
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved; broadcast
    )
)
_UNICAST = ip_network("2000::/3")
"""The part of IPv6 that is handed out. Outside lie loopback, mapped and translated IPv4 (``::/8``,
``64:ff9b::/32``), segments, local, site and link addresses, and multicast."""
_SPECIAL_6 = tuple(
    ip_network(block)
    for block in (
        "2001::/23",  # protocols: Teredo (which holds an IPv4 address), benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which holds an IPv4 address
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)
_ISATAP = (0x00005EFE, 0x02005EFE)
"""In the third quarter of an address: the last one is an IPv4 address."""


def is_public(text: str) -> bool:
    """True if an address, as a resolver writes it, belongs to the public internet."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _SPECIAL)
    return _is_public_6(address)


def _is_public_6(address: IPv6Address) -> bool:
    return (
        address.scope_id is None
        and address in _UNICAST
        and not any(address in block for block in _SPECIAL_6)
        and (int(address) >> 32) & 0xFFFFFFFF not in _ISATAP
    )
