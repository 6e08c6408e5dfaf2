"""The origin of a request."""

from __future__ import annotations

import ipaddress

from allauth.account.adapter import get_adapter
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Where the request comes from, for counting; it believes as many proxies as the settings name.

    Of IPv6 it is the network (``/64``) that a household has to itself.
    """
    address = str(get_adapter(request).get_client_ip(request))
    try:
        network = ipaddress.IPv6Network((address, 64), strict=False)
    except ValueError:  # IPv4
        return address
    mapped = ipaddress.IPv6Address(address).ipv4_mapped
    return str(mapped or network)
