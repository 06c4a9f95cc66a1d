"""Sessions that a crowd writes into, each in its own way: what belongs to a key is asked for once chosen, again and again."""

from collections.abc import Mapping
from typing import Any
from zlib import crc32

import httpx
from server.processes import Table

Asked = Mapping[str, Any]
"""A command as it is sent."""
_MISS = 97


class NotedTable(Table):
    """A table at which notes are taken."""

    def choose(self, client: httpx.Client, key: str) -> Asked:
        """Returns the command that a key is to stand for."""
        return {"type": "Note", "text": key}


class StruckTable(Table):
    """A table at which a blow has been struck; a modifier on its roll makes all that followed be performed again."""

    ROLL = "r1/ann/a1/attack/to-hit"
    _FACES: Mapping[str, int] = {ROLL: 11, "r1/ann/a1/attack/damage": 3}

    def __init__(self, client: httpx.Client, host: Mapping[str, str]) -> None:
        super().__init__(client, host)
        self.brawl()
        self.do({"type": "Declare", "kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist"}})
        while not any(rest["by"] == "ann" and "options" in rest for rest in self.get("rests")):
            self._answer(self.get("rests")[0])

    def _answer(self, rest: Mapping[str, Any]) -> None:
        if "dice" in rest:
            self.do({"type": "TypeDice", "key": rest["key"], "faces": [self._FACES.get(rest["key"], 77)]})
        else:
            self.do({"type": "Choose", "key": rest["key"], "option": rest["options"][0]["option"]})

    def choose(self, client: httpx.Client, key: str) -> Asked:
        """Returns the command that a key is to stand for."""
        return {"type": "ApplyModifier", "key": self.ROLL, "value": crc32(key.encode()) % 61 - 30 or 1, "why": key}


class PlayedTable(Table):
    """A table at which a fight is played that never ends, for every blow misses."""

    def __init__(self, client: httpx.Client, host: Mapping[str, str]) -> None:
        super().__init__(client, host)
        self.brawl()

    def choose(self, client: httpx.Client, key: str) -> Asked:
        """Returns an answer to what the table waits for; another writer may be quicker, and then it is refused."""
        answer = client.get(f"{self.path}/rests", headers=self.as_("gm"))
        if answer.status_code != 200 or not answer.json():
            return {"type": "Note", "text": key}
        rests = answer.json()
        rest = rests[crc32(key.encode()) % len(rests)]
        if "dice" in rest:
            face = _MISS if "d100" in rest["dice"] else 1
            return {"type": "TypeDice", "key": rest["key"], "faces": [face] * int(rest["dice"].partition("d")[0] or 1)}
        if rest.get("default") == "end" and crc32(key.encode()) % 2:
            other = "bob" if rest["by"] == "ann" else "ann"
            return {"type": "Declare", "kind": "attack", "by": rest["by"], "terms": {"at": other, "using": "fist"}}
        return {"type": "Choose", "key": rest["key"], "option": rest.get("default") or rest["options"][0]["option"]}


CrowdTable = NotedTable | StruckTable | PlayedTable
