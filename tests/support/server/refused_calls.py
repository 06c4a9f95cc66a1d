"""Starts a program of which the system refuses some calls, as systemd's unit does:

python refused_calls.py 141,203 PROGRAM ARGUMENT …
"""

import ctypes
import os
import struct
import sys

CALLS = {"setpriority": 141, "sched_setaffinity": 203, "setrlimit": 160}
"""Numbers of system calls on x86-64."""
_NO_NEW_PRIVILEGES, _FILTER = 38, (22, 2)
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOWED, _REFUSED = 0x7FFF0000, 0x00050000 | 1
"""What the system does: it goes on; the call fails with EPERM."""


def refuse(numbers: list[int]) -> None:
    """Has the system refuse these calls of this process, and of what it starts, from now on."""
    checks = [(_EQUAL, len(numbers) - place, 0, number) for place, number in enumerate(numbers)]
    steps = [(_LOAD, 0, 0, 0), *checks, (_RETURN, 0, 0, _ALLOWED), (_RETURN, 0, 0, _REFUSED)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code)))
    library = ctypes.CDLL(None, use_errno=True)
    for number, *arguments in ((_NO_NEW_PRIVILEGES, 1, 0), (*_FILTER, ctypes.addressof(program))):
        if library.prctl(number, *(ctypes.c_ulong(each) for each in arguments), 0, 0):
            raise OSError(ctypes.get_errno(), "the filter was refused")


if __name__ == "__main__":
    refuse([int(number) for number in sys.argv[1].split(",")])
    os.execv(sys.argv[2], sys.argv[2:])
