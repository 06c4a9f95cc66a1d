"""The charts of the Combat Sequence and of spellcasting; the Combat Turn is in `turn/turn_chart.py`.

Box numbers are those of the gamemaster's screen: 1, 2, 3A to 3C, 4A to 4C, 5 and 6 of the Combat Sequence, 1 to 6 of
the Combat Turn, 1 to 7 of Spellcasting By The Numbers. A small letter marks a part of a printed step, where the walk
rests more than once or the step does several things. Charts that others run: `edge_chart.py` after every roll,
`harm_chart.py` for steps 4 to 6 and their consequences, `other_chart.py` for lesser actions and table tests.
"""

from machines.contract.chart import Ask, Chart, Choose, Do, End, Roll, Run
from machines.shadowrun_4e.attack import attack, outcome
from machines.shadowrun_4e.harm import barrier, blast, damage, injury
from machines.shadowrun_4e.harm.harm_chart import AFTERMATH, DAMAGE, DRAIN
from machines.shadowrun_4e.magic import drain, spellcasting
from machines.shadowrun_4e.success_tests.edge_chart import EDGE

# fmt: off
COMBAT = Chart(
    "attack", "Combat Sequence",
    Do    ("1",  "Declare attack",                        attack.declare_attack,           choice="1b", plain="2",
           see="SR4S Combat Sequence 1, SR4 142 Firing Modes, 149 Called Shots"),
    Choose("1b", "With what the defender defends",        attack.offer_defense,            goto="2", see="SR4S Combat Sequence 3B"),
    Do    ("2",  "Apply situational modifiers",           attack.apply_modifiers,          goto="3A", see="SR4S Combat Sequence 2, 3A, 3B"),
    Roll  ("3A", "Attacker rolls",                        ask=attack.attack_roll, read=attack.read_attack, goto="3Ab", see="SR4S Combat Sequence 3A"),
    Run   ("3Ab", "Edge after the roll",                  EDGE,                            goto="3B", see="SR4 67"),
    Roll  ("3B", "Defender rolls",                        ask=attack.defense_roll, read=attack.read_defense, goto="3Bb",
           see="SR4S Combat Sequence 3B, Defense Modifiers Table"),
    Run   ("3Bb", "Edge after the roll",                  EDGE,                            goto="3C", see="SR4 67"),
    Do    ("3C", "More hits for the attacker?",           attack.compare,
           hit="4A", disarm="3D", graze="3G", miss="7", area="3E", see="SR4S Combat Sequence 3C, SR4 139 Grazing Hits"),
    Do    ("3D", "Knocked out of their hands",            outcome.disarm,                  goto="7", see="SR4 149 Called Shots"),
    Roll  ("3E", "Scatter",                               ask=blast.scatter_rolls, read=blast.read_scatter, goto="3F",
           see="SR4S Scatter Table, Scatter Diagram"),
    Do    ("3F", "Who is caught",                         blast.goes_off,                  someone="4A", nobody="7", see="SR4S Grenade Damage Table"),
    Do    ("3G", "A grazing hit",                         outcome.graze,                   shock="4A", contact="7", see="SR4 139 Grazing Hits"),
    Do    ("4A", "Base DV + net hits = Modified Damage Value", damage.modified_dv,         goto="4B", see="SR4S Combat Sequence 4A"),
    Do    ("4B", "Armor +/- AP = Modified Armor Value",   barrier.modified_armor,          plain="4C", through="4E",
           see="SR4S Combat Sequence 4B, SR4 154 Electricity Damage, 157 Barriers"),
    Do    ("4E", "A barrier that is shot through",        barrier.strike_barrier,          goto="4F", see="SR4 157 Barriers, SR4S Damaging Barriers Table"),
    Run   ("4F", "What it suffers",                       DAMAGE,                          goto="4G", see="SR4S Damaging Barriers Table"),
    Do    ("4G", "The target behind it",                  barrier.strike_target,           goto="4C", see="SR4 157 Barriers"),
    Do    ("4C", "Stun rather than Physical?",            damage.compare_armor,
           resists="5", barrier="4D", bounces="6c", see="SR4S Combat Sequence 4C, SR4A 295 Hardened Armor, SR4 157 Barriers"),
    Do    ("4D", "What it does to a barrier",             damage.damage_barrier,           goto="5", see="SR4S Damaging Barriers Table"),
    Do    ("5",  "Damage Resistance Test",                damage.prepare_resist,           goto="5a", see="SR4S Combat Sequence 5, SR4 153 Wound Modifiers"),
    Roll  ("5a", "Defender rolls attribute + armor",      ask=damage.resist_roll, read=damage.read_resist, goto="5b",
           see="SR4S Combat Sequence 5, SR4 157 Barriers"),
    Run   ("5b", "Edge after the roll",                   EDGE,                            goto="5c", see="SR4 67"),
    Do    ("5c", "Each hit takes one from the DV",        damage.boxes_left,               goto="6", see="SR4S Combat Sequence 5, 6"),
    Do    ("6",  "Apply damage",                          injury.apply_damage,             harmed="6b", unharmed="6b", see="SR4S Combat Sequence 6"),
    Run   ("6b", "What follows from it",                  AFTERMATH,                       goto="6c", see="SR4 151"),
    Do    ("6c", "Another who is caught?",                outcome.next_caught,             someone="4A", nobody="7", see="SR4S Grenade Damage Table"),
    Ask   ("7",  "Did it go wrong?",                      outcome.has_glitched,            yes="7b", no="7d", see="SR4 62 Glitches"),
    Choose("7b", "What the glitch leads to",              outcome.offer_glitch,            goto="7c", see="SR4 62 Glitches"),
    Do    ("7c", "It happens",                            outcome.suffer_glitch,           goto="7", see="SR4 62 Glitches"),
    Do    ("7d", "Another target, a second weapon?",      attack.next_strike,              choice="1b", plain="2", nobody="8",
           see="SR4S Melee Modifiers Table, Ranged Combat Modifiers Table"),
    Do    ("8",  "How it ended",                          outcome.sum_up,                  hit="hit", graze="graze", miss="miss", see="SR4S Combat Sequence"),
    End   ("miss",  "The attack fails",                   outcome="miss"),
    End   ("graze", "A grazing hit",                      outcome="grazing hit"),
    End   ("hit",   "The attack succeeds",                outcome="hit"),
    source="SR4S Combat Sequence",
)

SPELLCASTING = Chart(
    "cast", "Spellcasting by the numbers",
    Do    ("1",  "Choose a spell",                        spellcasting.choose_spell,              goto="2", see="SR4S Spellcasting By The Numbers 1"),
    Do    ("2",  "Choose the Force",                      spellcasting.choose_force,              goto="3",
           see="SR4S Spellcasting By The Numbers 2, SR4 172 Overcasting"),
    Do    ("3",  "Choose a target",                       spellcasting.prepare_cast,              goto="4",
           see="SR4S Spellcasting By The Numbers 4, SR4 173 Spellcasting"),
    Roll  ("4",  "Roll Magic + Spellcasting",             ask=spellcasting.cast_roll, read=spellcasting.read_cast, goto="4b",
           see="SR4S Spellcasting By The Numbers 4, SR4 173 Spellcasting"),
    Run   ("4b", "Edge after the roll",                   EDGE,                            goto="5", see="SR4 67"),
    Do    ("5",  "Determine effect",                      spellcasting.determine_effect,          resisted="5b", object="5e", plain="5e",
           see="SR4S Spellcasting By The Numbers 5"),
    Do    ("5b", "What the target resists with",          spellcasting.prepare_target,            goto="5c", see="SR4 173 Spellcasting, 175 Counterspelling"),
    Roll  ("5c", "The target rolls",                      ask=spellcasting.target_roll, read=spellcasting.read_target, goto="5d", see="SR4 173 Spellcasting"),
    Run   ("5d", "Edge after the roll",                   EDGE,                            goto="5e", see="SR4 67"),
    Do    ("5e", "Net hits",                              spellcasting.compare_spell,             harms="5f", works="5h", fails="5h",
           see="SR4 173 Spellcasting, SR4S Spellcasting By The Numbers 5"),
    Run   ("5f", "Steps 4 to 6 of combat",                DAMAGE,                          goto="5g", see="SR4S Combat Sequence"),
    Run   ("5g", "What follows from it",                  AFTERMATH,                       goto="5h", see="SR4 151"),
    Do    ("5h", "Another target?",                       spellcasting.next_target,               someone="5", nobody="6", see="SR4 173 Spellcasting"),
    Do    ("6",  "The Drain",                             drain.find_drain,                goto="6b", see="SR4S Spellcasting By The Numbers 6, SR4 173 Drain"),
    Run   ("6b", "Roll Willpower + attribute to resist Drain", DRAIN,                      goto="7", see="SR4S Spellcasting By The Numbers"),
    Do    ("7",  "Determine ongoing effects",             drain.ongoing,                   works="works", fails="fails",
           see="SR4S Spellcasting By The Numbers 7"),
    End   ("works", "The spell works",                    outcome="works"),
    End   ("fails", "The spell does nothing",             outcome="fails"),
    source="SR4S Spellcasting By The Numbers",
)
# fmt: on
