"""Checks the drawn dice of an exported session with Python alone, without Affray: python verify_dice.py FILE.

Exit code 0: every drawn die is computed from the seed; 1: one is not; 2: the seed is not revealed yet.
"""

import hmac
import json
import re
import sys
from collections import Counter
from hashlib import sha256


def throw(share: bytes, key: str, time: int, dice: str) -> list[int]:
    """Returns the faces of a roll; `time` counts earlier throws of the same key."""
    sides = [int(die) for count, die in re.findall(r"(\d+)d(\d+)", dice) for _ in range(int(count))]
    return [face(share, f"{key}\n{time}\n{die}\n{sides[:place].count(die)}", die) for place, die in enumerate(sides)]


def face(share: bytes, die: str, sides: int, attempt: int = 0) -> int:
    """Returns one face, from a number of 256 bits; numbers that would make some faces more likely are rejected."""
    number = int.from_bytes(hmac.digest(share, f"{die}\n{attempt}".encode(), "sha256"), "big")
    if number >= 2**256 - 2**256 % sides:
        return face(share, die, sides, attempt + 1)
    return number % sides + (sides != 100)  # a hundred-sided die reads 00 to 99


def main(path: str) -> int:
    """Checks one file and returns the exit code."""
    with open(path, encoding="utf-8", newline="\n") as file:
        entries = {entry["seq"]: entry for entry in map(json.loads, list(file)[1:])}
    events = [(entry, event) for entry in entries.values() for event in entry["events"]]  # a hidden event is one string
    policies, commitment = next(event[5:7] for _, event in events if event[0] == "session")
    seeds = {event[1] for _, event in events if event[0] == "seed"}
    if not seeds:
        print("the seed is not revealed yet")
        return 2
    seed = bytes.fromhex(min(seeds))
    bad = [] if {sha256(bytes.fromhex(each)).hexdigest() for each in seeds} == {commitment} else ["another seed"]
    nonces = [f"{event[1]}\n{event[2]}" for entry, event in events if event[0] == "nonce" and entry["origin"] is None]
    share = hmac.digest(seed, "\n".join(nonces).encode(), "sha256")
    thrown, times, drawn = Counter[str](), dict[int, list[int]](), 0
    for entry, (key, faces, whence) in ((entry, event[1:4]) for entry, event in events if event[0] == "dice"):
        if entry["seq"] not in times:  # an entry that is performed again repeats its throw; a new throw may be the next
            new = thrown[key] if policies.get("dice") == "fresh" else 0
            times[entry["seq"]] = [*times.get(entry["origin"], ()), new]
            thrown[key] += entry["origin"] is None
        above, dice = entry["after"], ""
        while above and not dice:  # finds the request of this roll among the entries that it follows
            dice = "".join([event[3] for event in entries[above]["events"] if event[:2] == ["roll", key]][-1:])
            above = entries[above]["after"]
        right = [throw(share, key, time, dice) for time in times[entry["seq"]]] if dice else []
        for place, (shown, how) in enumerate(zip(faces, whence, strict=True)):
            drawn += how == "drawn"
            if how == "drawn" and right and shown not in [each[place] for each in right]:
                bad.append(f"entry {entry['seq']}, {key}: die {place + 1} is {shown}, not {right[0][place]}")
    print(*bad, f"{drawn} dice drawn: {'BROKEN' if bad else 'all are computed from the seed'}", sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
