"""The keys that sign tokens: listed by their fingerprints, added, retired; a key itself is never shown."""

import json
import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from replays.server.callers.keys import BadKeys, add_key, fingerprint, retire_key
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


@pytest.mark.parametrize("text", ["", "0d", "30", "soon", "-1d", "1y", "1.5h", "999999d"])
def test_a_lifetime_that_is_none_is_refused(affray: Any, text: str) -> None:
    assert "token/lifetime" in affray("token", "--expires", text, code=2)
    assert not Path("affray.keys").exists()


def kept_keys(*texts: str) -> Path:
    file = Path("affray.keys")
    file.write_text("".join(f"{text}\n" for text in texts))
    file.chmod(0o600)
    return file


def test_keys_that_are_added_at_the_same_time_are_all_kept() -> None:
    file, made = kept_keys("a" * 40), list[str]()
    threads = [threading.Thread(target=lambda: made.append(add_key(file))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 8
    assert {fingerprint(key) for key in keys()} == {*made, fingerprint("a" * 40)}


def test_a_key_that_is_there_twice_is_the_only_key() -> None:
    file = kept_keys("a" * 40, "a" * 40)
    with pytest.raises(BadKeys):
        retire_key(file, fingerprint("a" * 40))
    assert keys() == ["a" * 40] * 2


def test_a_key_that_is_there_twice_is_listed_where_it_is_last(affray: Any) -> None:
    kept_keys("a" * 40, "b" * 40, "a" * 40)
    assert affray("keys", "list") == f"{fingerprint('b' * 40)}  valid\n{fingerprint('a' * 40)}  signs\n"


def test_a_link_to_the_keys_remains_one() -> None:
    kept_keys("a" * 40)
    link = Path("link.keys")
    link.symlink_to("affray.keys")
    add_key(link)
    assert link.is_symlink()
    assert len(keys()) == 2


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give a file away")
def test_keys_that_root_changes_still_belong_to_the_user_of_the_server() -> None:
    file = kept_keys("a" * 40)
    os.chown(file, 65534, 65534)
    add_key(file)
    assert (file.stat().st_uid, stat.S_IMODE(file.stat().st_mode)) == (65534, 0o600)
