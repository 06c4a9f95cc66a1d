"""Finds the addresses at which other devices of the network reach a server of this machine."""

import socket
from ipaddress import ip_address

_SOMEWHERE = ("192.0.2.1", 9)
"""An address for documentation. To look up the way there sends nothing, and finds the address of this machine."""


def own_address() -> str:
    """Returns the address by which other devices of the network reach this machine; its name if it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(_SOMEWHERE)
            return str(way.getsockname()[0])
        except OSError:
            return socket.gethostname()


def reachable(host: str, port: int) -> tuple[str, ...]:
    """Returns the origins at which other devices reach a server that listens; none if it listens to this machine alone.

    Args:
        host: The address at which it listens; ``0.0.0.0`` and ``::`` are all addresses of this machine.
        port: The port.
    """
    try:
        address = ip_address(host)
    except ValueError:  # a name
        return () if host in ("", "localhost") else (f"http://{host}:{port}",)
    if address.is_loopback:
        return ()
    if address.is_unspecified:
        return (f"http://{own_address()}:{port}",)
    return (f"http://[{host}]:{port}" if address.version == 6 else f"http://{host}:{port}",)
