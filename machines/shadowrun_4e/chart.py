"""Shadowrun, fourth edition: the Combat Sequence, the Combat Turn, spellcasting. Read this first.

Numbers are the screen's: 1, 2, 3A to 3C, 4A to 4C, 5, 6 of the Combat Sequence, 1 to 6 of the Combat Turn, 1 to 7 of
Spellcasting By The Numbers; small letters are parts of one step, where the table stops more than once or a step names
several things in a row. What all of it runs into has charts of its own: `edge_chart` after every roll, `harm_chart`
(steps 4 to 6 for whatever else strikes, and what follows), `other_chart` (lesser actions, the tests of the tables).
"""

from machines.contract.chart import Ask, Chart, Choose, Do, End, Roll, Run
from machines.shadowrun_4e.actions import actions
from machines.shadowrun_4e.actions import other_chart as other
from machines.shadowrun_4e.attack import attack, outcome
from machines.shadowrun_4e.harm import blast, damage, injury
from machines.shadowrun_4e.harm.harm_chart import AFTERMATH, DAMAGE, DRAIN
from machines.shadowrun_4e.magic import drain, spellcasting
from machines.shadowrun_4e.success_tests.edge_chart import EDGE
from machines.shadowrun_4e.turn import initiative, surprise, turn

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
    Do    ("3F", "Whom it catches",                       blast.goes_off,                  someone="4A", nobody="7", see="SR4S Grenade Damage Table"),
    Do    ("3G", "A grazing hit",                         outcome.graze,                   shock="6b", contact="7", see="SR4 139 Grazing Hits"),
    Do    ("4A", "Base DV + net hits = Modified Damage Value", damage.modified_dv,         goto="4B", see="SR4S Combat Sequence 4A"),
    Do    ("4B", "Armor +/- AP = Modified Armor Value",   damage.modified_armor,           goto="4C",
           see="SR4S Combat Sequence 4B, SR4 154 Electricity Damage"),
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

PHASE = Chart(
    "phase", "Action Phase",
    Ask   ("3",  "Given up for full defense?",            actions.gives_up_phase,           yes="3y", no="3A", see="SR4 151 Full Defense"),
    Do    ("3y", "It went into full defense",             actions.give_up,                  goto="3z", see="SR4 151 Full Defense"),
    Choose("3A", "Declare actions",                       actions.offer_actions,
           attack="3B", cast="3Bb", aim="3Bc", simple="3Bd", complex="3Be", free="3Bf", move="3Bg", reload="3Bh", shift="3Bi",
           summon="3Bj", suppress="3Bk", delay="3Bl", full_defense="3Bm", end="3z", see="SR4S Combat Turn Sequence 3A"),
    Run   ("3B",  "Resolve: attack",                      COMBAT,                          goto="3A", see="SR4S Combat Sequence"),
    Run   ("3Bb", "Cast a spell",                         SPELLCASTING,                    goto="3A", see="SR4S Spellcasting By The Numbers"),
    Run   ("3Bc", "Take aim",                             other.AIM,                       goto="3A", see="SR4 137"),
    Run   ("3Bd", "Simple Action",                        other.SIMPLE,                    goto="3A", see="SR4S Combat Turn Sequence"),
    Run   ("3Be", "Complex Action",                       other.COMPLEX,                   goto="3A", see="SR4S Combat Turn Sequence"),
    Run   ("3Bf", "Free Action",                          other.FREE,                      goto="3A", see="SR4S Combat Turn Sequence"),
    Run   ("3Bg", "Move",                                 other.MOVE,                      goto="3A", see="SR4S Movement Rate Table"),
    Run   ("3Bh", "Reload",                               other.RELOAD,                    goto="3A", see="SR4 136"),
    Run   ("3Bi", "Go to another plane",                  other.SHIFT,                     goto="3A", see="SR4 181"),
    Run   ("3Bj", "Summon",                               other.SUMMON,                    goto="3A", see="SR4 179"),
    Run   ("3Bk", "Suppressive fire",                     other.SUPPRESS,                  goto="3A", see="SR4 143"),
    Run   ("3Bl", "Delay",                                other.DELAY,                     goto="3z", see="SR4 134"),
    Run   ("3Bm", "Full defense",                         other.FULL_DEFENSE,              goto="3A", see="SR4 151"),
    Do    ("3z", "Their Action Phase is over",            turn.end_phase,                  goto="over", see="SR4S Combat Turn Sequence 3"),
    End   ("over", "Their Action Phase is over"),
    source="SR4S Combat Turn Sequence",
)

TURN = Chart(
    "turn", "Combat Turn Sequence",
    Ask   ("0",  "Surprise?",                             surprise.is_surprise,            yes="0b", no="1", see="SR4 155 Surprise"),
    Do    ("0b", "Reaction + Intuition",                  surprise.prepare_surprise,       goto="0c", see="SR4 155 Surprise"),
    Roll  ("0c", "Who is surprised?",                     ask=surprise.surprise_rolls, read=surprise.read_surprise, goto="0d", see="SR4 155 Surprise"),
    Run   ("0d", "Edge after the roll",                   EDGE,                            goto="0e", see="SR4 67"),
    Do    ("0e", "By each who has more hits",             surprise.spring,                 goto="1", see="SR4 155 Surprise"),
    Do    ("1",  "A Combat Turn begins",                  turn.begin_turn,                 goto="1b", see="SR4S Combat Turn Sequence 6"),
    Do    ("1b", "Initiative attribute",                  initiative.prepare_initiative,   goto="1c",
           see="SR4S Combat Turn Sequence 1, SR4 153 Wound Modifiers"),
    Roll  ("1c", "Roll Initiative",                       ask=initiative.initiative_rolls, read=initiative.read_initiative, goto="1d",
           see="SR4S Combat Turn Sequence 1"),
    Run   ("1d", "Edge after the roll",                   EDGE,                            goto="1e", see="SR4 67"),
    Do    ("1e", "Initiative Score = attribute + hits",   initiative.score,                goto="2",
           see="SR4S Combat Turn Sequence 1, 5, SR4 153 Wound Modifiers"),
    Do    ("2",  "Begin first Initiative Pass",           turn.begin_first_pass,           goto="4", see="SR4S Combat Turn Sequence 2"),
    Do    ("3",  "Begin Action Phase",                    turn.begin_phase,                goto="3b", see="SR4S Combat Turn Sequence 3"),
    Run   ("3b", "Declare and resolve actions",           PHASE,                           goto="4", see="SR4S Combat Turn Sequence"),
    Ask   ("4",  "Actions of the remaining characters",   turn.who_is_next,                someone="3", nobody="5", see="SR4S Combat Turn Sequence 4"),
    Ask   ("5",  "Has somebody one more pass?",           turn.is_there_another_pass,      yes="5b", no="6", see="SR4S Combat Turn Sequence 5"),
    Do    ("5b", "Begin next Initiative Pass",            turn.begin_next_pass,            goto="4", see="SR4S Combat Turn Sequence 5, SR4 155 Surprise"),
    Ask   ("6",  "Begin new Combat Turn?",                turn.does_it_go_on,              yes="1", no="over", see="SR4S Combat Turn Sequence 6"),
    End   ("over", "Nobody is left"),
    source="SR4S Combat Turn Sequence",
)

ACT = Chart(
    "act", "A delayed action",
    Do    ("1", "Everything else waits",                  turn.act_now,                    goto="2", see="SR4 134 Delayed Actions"),
    Run   ("2", "Declare and resolve actions",            PHASE,                           goto="done", see="SR4 134"),
    End   ("done", "The others go on"),
    source="SR4 134 Delayed Actions",
)
# fmt: on
