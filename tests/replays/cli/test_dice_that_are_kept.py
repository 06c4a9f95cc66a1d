"""The command line describes known faces if a modifier asks for more dice."""

from ledger.commands import BeginCombat, Join, TypeDice
from replays.api.session import Session

KEY = "r1/brute/initiative"


def test_dice_that_are_kept_are_not_said_to_be_unused(affray, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = Session.create("sqlite:///affray.db", ruleset="shadowrun_4e")
    for command in (Join("brute", {"reaction": 3, "intuition": 3}), Join("ann", {"reaction": 3, "intuition": 3})):
        session.perform(command)
    session.perform(BeginCombat())
    lie = session.perform(TypeDice(KEY, (1, 2, 3, 4, 5, 6))).seq
    session.close()

    said = affray("--as", "gm", "modify", "brute/initiative", "2", "--why", "fog lifts")

    assert "not performed again" not in said
    assert f"wait for the answers that are asked for now: entries {lie}\n" in said
    assert f"{KEY}: 6 faces are known already, 2 more are needed" in said
