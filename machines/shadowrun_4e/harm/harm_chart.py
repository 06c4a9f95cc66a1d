"""The charts of damage outside attacks, the consequences of a blow, Drain, blasts, suppressive fire and dumpshock."""

from machines.contract.chart import Chart, Do, End, Roll, Run
from machines.shadowrun_4e.attack import suppressive_fire
from machines.shadowrun_4e.harm import damage, explosion, injury
from machines.shadowrun_4e.magic import drain
from machines.shadowrun_4e.success_tests.edge_chart import EDGE

# fmt: off
DAMAGE = Chart(
    "damage", "Damage against armor",
    Do    ("4A", "Modified Damage Value",                 damage.modified_dv,              goto="4B", see="SR4S Combat Sequence 4A"),
    Do    ("4B", "Modified Armor Value",                  damage.modified_armor,           goto="4C",
           see="SR4S Combat Sequence 4B, SR4 154 Electricity Damage"),
    Do    ("4C", "Stun rather than Physical?",            damage.compare_armor,
           resists="5", barrier="4D", direct="5c", bounces="none", see="SR4S Combat Sequence 4C, SR4A 295 Hardened Armor, SR4 157 Barriers"),
    Do    ("4D", "What it does to a barrier",             damage.damage_barrier,           goto="5", see="SR4S Damaging Barriers Table"),
    Do    ("5",  "Damage Resistance Test",                damage.prepare_resist,           goto="5a", see="SR4S Combat Sequence 5, SR4 153 Wound Modifiers"),
    Roll  ("5a", "Attribute + armor",                     ask=damage.resist_roll, read=damage.read_resist, goto="5b",
           see="SR4S Combat Sequence 5, SR4 157 Barriers"),
    Run   ("5b", "Edge after the roll",                   EDGE,                            goto="5c", see="SR4 67"),
    Do    ("5c", "Each hit takes one from the DV",        damage.boxes_left,               goto="6", see="SR4S Combat Sequence 5, 6"),
    Do    ("6",  "Apply damage",                          injury.apply_damage,             harmed="harmed", unharmed="none", see="SR4S Combat Sequence 6"),
    End   ("none",   "Nothing gets through"),
    End   ("harmed", "Harmed"),
    source="SR4S Combat Sequence 4 to 6",
)

AFTERMATH = Chart(
    "aftermath", "What follows from a blow",
    Do    ("a1", "Knocked down?",                         injury.aftermath,                shock="a2", thrown="a6", over="over",
           see="SR4 151 Knockdown, 154 Electricity Damage, 237 Dumpshock"),
    Do    ("a2", "Electricity",                           injury.prepare_shock,            goto="a3", see="SR4 154 Electricity Damage"),
    Roll  ("a3", "Body + Willpower + half of the armor",  ask=injury.shock_roll, read=injury.read_shock, goto="a4", see="SR4 154 Electricity Damage"),
    Run   ("a4", "Edge after the roll",                   EDGE,                            goto="a5", see="SR4 67"),
    Do    ("a5", "Incapacitated, or two dice less",       injury.suffer_shock,             goto="over", see="SR4 154 Electricity Damage"),
    Do    ("a6", "Thrown out of the Matrix",              injury.throw_out,                goto="a7", see="SR4 237 Dumpshock"),
    Run   ("a7", "Dumpshock",                             DAMAGE,                          goto="a8", see="SR4 237"),
    Do    ("a8", "Disoriented",                           injury.dumpshocked,              goto="over", see="SR4 237 Dumpshock"),
    End   ("over", "It is over"),
    source="SR4 151 Knockdown, 154 Electricity Damage, 237 Dumpshock",
)

DRAIN = Chart(
    "drain", "Drain",
    Do    ("d1", "Willpower and the tradition's attribute", drain.prepare_drain,           goto="d2", see="SR4 173 Drain, SR4S Spellcasting By The Numbers 6"),
    Roll  ("d2", "Resist Drain",                          ask=drain.drain_roll, read=drain.read_drain, goto="d3",
           see="SR4 173 Drain, SR4S Spellcasting By The Numbers 6"),
    Run   ("d3", "Edge after the roll",                   EDGE,                            goto="d4", see="SR4 67"),
    Do    ("d4", "What is left is boxes",                 drain.suffer_drain,              goto="over", see="SR4 173 Drain"),
    End   ("over", "It is over"),
    source="SR4 173 Drain",
)

EXPLOSION = Chart(
    "explosion", "A blast, or other harm without an attacker",
    Do    ("1",  "Who is caught",                         explosion.next_caught,           someone="2", nobody="over", see="SR4S Grenade Damage Table"),
    Run   ("2",  "Steps 4 to 6 of combat",                DAMAGE,                          goto="3", see="SR4S Combat Sequence"),
    Run   ("3",  "What follows from it",                  AFTERMATH,                       goto="1", see="SR4 151"),
    End   ("over", "It is over"),
    source="SR4S Grenade Damage Table",
)

SUPPRESSED = Chart(
    "suppressed", "Under suppressive fire",
    Do    ("1",  "Reaction + Edge against the hits",      suppressive_fire.prepare_dive,        goto="2", see="SR4 143 Suppressive Fire"),
    Roll  ("2",  "Getting clear",                         ask=suppressive_fire.dive_roll, read=suppressive_fire.read_dive, goto="3",
           see="SR4 143 Suppressive Fire"),
    Run   ("3",  "Edge after the roll",                   EDGE,                            goto="4", see="SR4 67"),
    Do    ("4",  "Struck?",                               suppressive_fire.is_caught,           hit="5", miss="miss", see="SR4 143 Suppressive Fire"),
    Run   ("5",  "Steps 4 to 6 of combat",                DAMAGE,                          goto="6", see="SR4S Combat Sequence"),
    Run   ("6",  "What follows from it",                  AFTERMATH,                       goto="hit", see="SR4 151"),
    End   ("miss", "Clear of it",                         outcome="miss"),
    End   ("hit",  "Struck",                              outcome="hit"),
    source="SR4 143 Suppressive Fire",
)

DUMPSHOCK = Chart(
    "dumpshock", "Thrown out of the Matrix",
    Do    ("1",  "Cut off",                               explosion.cut_off,               goto="2", see="SR4 237 Dumpshock"),
    Run   ("2",  "Dumpshock",                             DAMAGE,                          goto="3", see="SR4 237"),
    Do    ("3",  "Disoriented",                           injury.dumpshocked,              goto="over", see="SR4 237 Dumpshock"),
    End   ("over", "Back in the body"),
    source="SR4 237 Dumpshock",
)
# fmt: on
