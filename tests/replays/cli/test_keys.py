"""The keys that sign tokens: listed by their fingerprints, added, retired; a key itself is never shown."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from replays.server.callers.tokens import BadToken, Signer


def keys(file: str = "affray.keys") -> list[str]:
    return Path(file).read_text().split()


def test_keys_are_added_listed_and_retired(affray: Any) -> None:
    token = affray("token").split()[-1]
    (first,) = keys()
    added = json.loads(affray("keys", "add", "--json"))["added"]
    assert stat.S_IMODE(Path("affray.keys").stat().st_mode) == 0o600
    assert [path.name for path in Path().glob("affray.keys*")] == ["affray.keys"]
    old, new = json.loads(affray("keys", "list", "--json"))
    assert (old["signs"], new) == (False, {"fingerprint": added, "signs": True})
    assert affray("keys", "list") == f"{old['fingerprint']}  valid\n{added}  signs\n"
    assert first not in affray("keys", "list")
    assert Signer(keys()).read(token)
    assert "keys/unconfirmed" in affray("keys", "retire", old["fingerprint"], code=2)
    assert len(keys()) == 2
    affray("keys", "retire", old["fingerprint"], "--yes")
    assert [each["fingerprint"] for each in json.loads(affray("keys", "list", "--json"))] == [added]
    with pytest.raises(BadToken):
        Signer(keys()).read(token)


def test_what_cannot_be_retired_is_refused_and_nothing_is_written(affray: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "server/keys" in affray("keys", "list", code=2)
    affray("keys", "add")
    before = Path("affray.keys").read_bytes()
    (only,) = json.loads(affray("keys", "list", "--json"))
    assert "only key" in affray("keys", "retire", only["fingerprint"], "--yes", code=2)
    assert only["fingerprint"] in affray("keys", "retire", "00000000", "--yes", code=2)
    monkeypatch.setenv("AFFRAY_KEYS", "x" * 40)
    for words in (("add",), ("retire", only["fingerprint"], "--yes")):
        assert "AFFRAY_KEYS" in affray("keys", *words, code=2)
    assert Path("affray.keys").read_bytes() == before


@pytest.mark.parametrize(("text", "seconds"), [("45m", 2_700), ("12h", 43_200), ("30d", 2_592_000)])
def test_the_hosts_token_may_expire(affray: Any, text: str, seconds: int) -> None:
    token = json.loads(affray("token", "--expires", text, "--json"))["token"]
    assert Signer(keys()).read(token).lifetime == seconds


@pytest.mark.parametrize("text", ["0d", "30", "soon", "-1d", "1y", "1.5h", "999999d"])
def test_a_lifetime_that_is_none_is_refused(affray: Any, text: str) -> None:
    assert "token/lifetime" in affray("token", "--expires", text, code=2)
    assert not Path("affray.keys").exists()
