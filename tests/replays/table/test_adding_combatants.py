"""Combatants are added in few words: like a ready sheet, with values that differ, under another name."""

from typing import Any

import pytest

from ledger.commands import Join
from ledger.entry import Seat, Who
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from machines.contract.ruleset import ruleset
from machines.registry import installed
from replays.api.session import Session
from replays.table.language.grammar import words
from replays.table.language.joining import joins
from replays.table.language.known_sheets import KnownSheets
from replays.table.start import NewFight, create
from replays.table.table import Table
from replays.table.verbs import VERBS

GM = Who("gm", Seat.GM)


def added(game: str, line: str) -> list[Join]:
    """Returns the combatants that a line adds."""
    return joins(KnownSheets(ruleset(game)), words(line), (), VERBS)


def differences(game: str, line: str, like: str) -> dict[str, Any]:
    """Returns what the only combatant of a line has that a ready sheet has not."""
    (join,) = added(game, line)
    return {field: value for field, value in join.sheet.items() if value != ruleset(game).sheets[like].get(field)}


def test_like_a_ready_sheet_with_another_name_and_values() -> None:
    (kira,) = added("gurps_3e", "like Swordsman ST=13 Broadsword=16 as kira")

    assert (kira.who, kira.name) == ("kira", "kira")
    assert kira.sheet["st"] == 13
    assert kira.sheet["skills"] == {"broadsword": 16, "shield": 13, "knife": 12}
    assert [join.name for join in added("gurps_3e", 'guard as "Kira Voss"')] == ["Kira Voss"]


def test_a_new_name_may_be_followed_by_the_player_and_the_side() -> None:
    (zed,) = added("gurps_3e", "like swordsman st=13 as zed@zoe/heroes")

    assert (zed.who, zed.name, zed.player, zed.side) == ("zed", "zed", "zoe", "heroes")
    assert zed.sheet["st"] == 13
    assert [join.player for join in added("gurps_3e", 'guard as "Kira Voss@kim" guard as bob')] == ["kim", "gm"]


def test_several_with_another_weapon() -> None:
    thugs = added("eclipse_phase_1e", '4 thug pistol="Heavy Pistol" "kinetic weapons"=60 som=25')

    assert [thug.who for thug in thugs] == ["thug-1", "thug-2", "thug-3", "thug-4"]
    assert thugs[3].sheet["weapons"] == ["heavy pistol", "knife", "club", "thrown bottle", "unarmed"]
    assert (thugs[3].sheet["skills"]["kinetic weapons"], thugs[3].sheet["aptitudes"]["som"]) == (60, 25)
    assert [join.who for join in added("shadowrun_4e", '2 ganger pistol="ares predator iv" as goon mage')] == [
        "goon-1", "goon-2", "mage",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "line", "like", "expected"),
    [
        ("shadowrun_4e", 'ganger pistol="Ares Predator IV"', "ganger", {"weapons": ["ares predator iv", "club"]}),
        ("shadowrun_4e", 'ganger gun="ares predator iv"', "ganger",
         {"weapons": ["colt america l36", "club", "ares predator iv"]}),
        ("shadowrun_4e", "ganger metatype=Ork ballistic=9", "ganger", {"metatype": "ork", "armor": {"ballistic": 9, "impact": 3}}),
        ("gurps_3e", "fencer high-pain-threshold=yes karate=12", "fencer",
         {"high_pain_threshold": True, "skills": {"fencing": 15, "karate": 12}}),
        ("gurps_3e", 'fencer rapier="Broadsword Swing"', "fencer", {"weapons": {}, "arms": ["broadsword swing"]}),
        ("gurps_3e", "fencer weapons.rapier.damage=2d skills.stealth=11", "fencer",
         {"skills": {"fencing": 15, "stealth": 11},
          "weapons": {"rapier": {"skill": "fencing", "damage": "2d", "type": "impaling", "thrust": True}}}),
        ("eclipse_phase_1e", "thug traits=medichines,ambidextrous", "thug", {"traits": ["medichines", "ambidextrous"]}),
        ("eclipse_phase_2e", 'reaper "railgun assault rifle"="plasma rifle" vigor=2', "reaper",
         {"pools": {"insight": 1, "vigor": 2, "flex": 2},
          "weapons": {"plasma rifle": "plasma rifle", "railgun submachine gun": "railgun submachine gun",
                      "seeker armband": "seeker armband",
                      "pneumatic limb": {"kind": "melee", "skill": "melee", "damage": "3d6", "innate": True}}}),
    ],
)  # fmt: skip
def test_values_by_plain_names(game: str, line: str, like: str, expected: dict[str, Any]) -> None:
    assert differences(game, line, like) == expected


def test_the_ready_sheets_are_not_changed_and_the_older_forms_are_kept() -> None:
    assert differences("gurps_3e", "fencer", "fencer") == {}
    assert [(join.who, join.player) for join in added("gurps_3e", "ann=guard@kira fencer:2 b=archer")] == [
        ("ann", "kira"), ("fencer-1", "gm"), ("fencer-2", "gm"), ("b", "gm"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "line", "refused"),
    [
        ("gurps_3e", "like swordsman brodsword=16", "sheet/invalid: the sheet has no 'brodsword'; did you mean 'broadsword'?"),
        ("gurps_3e", "like swordsman st=lots", "sheet/invalid: st: lots is not accepted (accepted: a whole number from 1 to 200)"),
        ("eclipse_phase_1e", "soldier weapon=4", "sheet/invalid: the sheet has no 'weapon'; did you mean 'weapons'?"),
        ("eclipse_phase_1e", "thug:-1", "sheet/unknown: '-1' is not a number of combatants (accepted: 1 to 50)"),
        ("eclipse_phase_1e", "0 thug", "sheet/unknown: 0 combatants cannot be added at once (accepted: 1 to 50)"),
        ("eclipse_phase_1e", "soldier bob=thugg@kira", "sheet/unknown: there is no sheet or file 'thugg'; did you mean 'thug'?"),
        ("eclipse_phase_1e", "thugg", "sheet/unknown: there is no sheet or file 'thugg'; did you mean 'thug'?"),
        ("eclipse_phase_1e", "end=thug", "combatant/bad-id: 'end' cannot be an id: it is a word of the table "
         "(accepted: another id, such as thug-end in thug-end=thug)"),
        ("eclipse_phase_1e", "1=thug", "combatant/bad-id: '1' cannot be an id: a number answers a choice or a roll"),
        ("eclipse_phase_1e", "attack=thug", "combatant/bad-id: 'attack' cannot be an id: it is a word of the table"),
        ("eclipse_phase_1e", "thug as draw", "combatant/bad-id: 'draw' cannot be an id: it is a word of the table"),
    ],
)  # fmt: skip
def test_what_cannot_be_added_is_refused_with_the_reason(game: str, line: str, refused: str) -> None:
    with pytest.raises(Refused) as refusal:
        added(game, line)

    assert str(refusal.value).startswith(refused)


def test_a_name_of_several_weapons_is_ambiguous() -> None:
    with pytest.raises(Refused, match="'railgun' is ambiguous: it may mean 2 things"):
        added("eclipse_phase_2e", 'reaper railgun="plasma rifle"')


@pytest.mark.parametrize("game", installed())
def test_every_ready_sheet_can_be_added_by_its_name(game: str) -> None:
    for name in ruleset(game).sheets:
        assert [join.who for join in added(game, name)] == [name]


def test_at_the_table_and_when_a_session_is_created() -> None:
    session = create(MemoryStore(), "gurps_3e", NewFight(), ["like swordsman st=14 as kira", "guard"], GM)
    table = Table(Session(session.log.store, session.id), GM)

    assert not table.submit("add 2 guard dx=9").refused
    refused = table.submit("add undo=guard").refused

    assert [*table.session.combat.roster.who] == ["kira", "guard", "guard-1", "guard-2"]
    assert refused is not None
    assert refused.message == "'undo' cannot be an id: it is a word of the table"
