"""GURPS, third edition: the combat flowchart of 56 boxes. Read this first; the turn around it is in `turn/turn_chart`.

Numbers are the page's, Compendium II 48-51, exits its own; a letter stands behind a number where the table stops twice in one
box. What the page does not print, or what cannot go on as it is printed, is a `Mend`: nobody left to be struck (F8), the opportunity fire
whose figure includes the snap shot (F1), and what is left of an attack when a blow has ended (F9, F11). The
critical miss tables, which box 16 looks up for whoever attacks and box 27 for whoever parries, are in `fumble_chart`; the
other maneuvers in `maneuver_chart`.
"""

from machines.contract.chart import Ask, Chart, Choose, Do, End, Mend, Roll, Run
from machines.gurps_3e.attack import critical, ending, missing, modifiers, to_hit
from machines.gurps_3e.attack.fumble_chart import CRITICAL_MISS
from machines.gurps_3e.defense import active_defense, defense_outcome
from machines.gurps_3e.harm import damage, dying, full_damage, injury, shields

# fmt: off
ATTACK = Chart(
    "attack", "Combat flowchart",
    Do    ("1",  "Unmodified weapon skill",                modifiers.start,                   goto="2", see="CII 48-51 Flowchart"),
    Do    ("2",  "Environmental modifiers",                modifiers.environment,             goto="3", see="B 107"),
    Do    ("3",  "Personal modifiers",                     modifiers.personal,                goto="4", see="B 117"),
    Ask   ("4",  "Wild swing, or a random blow?",          modifiers.strikes_at_random,       yes="5", no="6", see="B 109"),
    Roll  ("5",  "Hit location",                           ask=modifiers.location_roll, read=modifiers.read_location, goto="6", side="5b", see="B 203"),
    Roll  ("5b", "Near or far?",                           ask=modifiers.side_roll, read=modifiers.read_side, goto="6", see="B 203"),
    Do    ("6",  "Target modifiers",                       modifiers.target_modifiers,        goto="7", see="B 118"),
    Ask   ("7",  "A ranged attack?",                       to_hit.is_ranged,               yes="8", no="14", see="CII 48-51 Flowchart"),
    Do    ("8",  "Ranged modifiers",                       to_hit.ranged_modifiers,        goto="9", see="B 201"),
    Do    ("9",  "Opportunity fire over more than a hex, or a pop-up?", to_hit.is_sudden,   yes="12", no="10", see="B 118",
           mend=Mend("G3-F1", included="14")),
    Ask   ("10", "Aimed a turn, or successive groups?",    to_hit.is_aimed,                yes="13", no="11", see="B 116"),
    Ask   ("11", "Modified skill above SS?",               to_hit.is_above_ss,             yes="14", no="12", see="B 115"),
    Do    ("12", "Snap shot",                              to_hit.snap_shot,               goto="14", see="B 115"),
    Do    ("13", "Acc, sights, further aim, brace",        to_hit.accuracy,                goto="14", see="B 115"),
    Do    ("14", "Effective skill, at most 9 for some",    to_hit.effective_skill,         goto="14b", see="B 114"),
    Roll  ("14b", "Roll to hit",                           ask=to_hit.to_hit_roll, read=to_hit.read_to_hit, hit="21", miss="15", see="B 86"),
    Ask   ("15", "Critical miss?",                         missing.is_critical_miss,       yes="16", no="17", see="B 110"),
    Run   ("16", "Critical miss table",                    CRITICAL_MISS,                  lost="52", oneself="28", goes_on="19", see="B 202"),
    Ask   ("17", "Missed by exactly 1?",                   missing.missed_by_one,          yes="18", no="19", see="CII 48-51 Flowchart"),
    Do    ("18", "What a near miss still strikes",         missing.what_saves_it,          group="23", location="23", neither="19", see="B 120"),
    Ask   ("19", "A missile, or into close combat?",       missing.may_strike_another,     yes="20", no="52", see="CII 48-51 Flowchart"),
    Roll  ("20", "Somebody else in the way?",              ask=missing.wrong_target_roll, read=missing.find_wrong_target, yes="1", see="B 117",
           mend=Mend("G3-F8", no="52")),
    Ask   ("21", "Critical hit?",                          critical.is_critical_hit,       yes="22", no="23", see="B 109"),
    Roll  ("22", "Critical hit table",                     ask=critical.critical_roll, read=critical.read_critical, goto="28", see="B 202"),
    Do    ("23", "Active defense, or passive alone?",      active_defense.can_choose,           chooses="23b", plain="23c", see="B 98"),
    Choose("23b", "How to defend",                         active_defense.offer_defense,        goto="23c", see="B 98"),
    Do    ("23c", "What modifies the defense",             active_defense.prepare_defense,      goto="23d", see="B 108"),
    Roll  ("23d", "Roll to defend",                        ask=active_defense.defense_roll, read=active_defense.read_defense,
           fails="26", succeeds="24", second="23b", see="B 98", mend=Mend("G3-N22", shield="23e")),
    Roll  ("23e", "The blow strikes the shield",           ask=shields.shield_roll, read=shields.strike_shield, holds="24", pierced="26", see="B 120"),
    Ask   ("24", "Critical success, not against a missile?", defense_outcome.is_critical_defense, yes="16", no="25", see="CII 48-51 Flowchart"),
    Ask   ("25", "Was it a dodge?",                        defense_outcome.was_a_dodge,          yes="19", no="52", see="CII 48-51 Flowchart"),
    Ask   ("26", "Critical failure of the defense?",       defense_outcome.failed_critically,    yes="27", no="28", see="CII 48-51 Flowchart"),
    Do    ("27", "Falls, shield unready, or a parry gone wrong", defense_outcome.suffer_failure, goto="28", parries="27b", see="B 202"),
    Run   ("27b", "Critical miss table, for the parry",    CRITICAL_MISS,                  goto="28", see="B 202"),
    Roll  ("28", "A hit: basic damage",                    ask=damage.damage_roll, read=damage.basic_damage, goto="29", see="B 73"),
    Do    ("29", "Extra damage, critical multiplier",      full_damage.full_damage,        goto="30", see="B 105"),
    Ask   ("30", "A kind that does not knock back?",       damage.no_knockback,            yes="33", no="31", see="B 106"),
    Do    ("31", "Knocked back a hex or more?",            damage.knockback,               yes="32", no="33", see="B 106"),
    Roll  ("32", "DX or fall",                             ask=damage.stand_roll, read=damage.read_stand, goto="33", see="B 106"),
    Do    ("33", "DR at the place, armor divisors",        damage.damage_resistance,       goto="34", see="CII 55"),
    Do    ("34", "Damage less DR",                         damage.penetrate,               through="36", stopped="35", bounces="53", see="CII 48-51 Flowchart"),
    Do    ("35", "Blunt trauma through flexible armor",    damage.blunt_trauma,            harmed="36", vital="39", nothing="53", see="B 211"),
    Do    ("36", "Factor of the type, or of the place",    damage.injure,                  goto="37", see="B 74"),
    Do    ("37", "Blow-through",                           damage.blow_through,            goto="38", see="B 109"),
    Do    ("38", "Hit points and shock",                   injury.take_damage,             goto="39", see="B 126"),
    Ask   ("39", "Special effects of the place?",          injury.is_special,              yes="40", no="41", see="CII 53"),
    Do    ("40", "Stun, knockout, crippling, instant death", injury.special_effect,        dead="56", plain="41", rolls="40b", see="CII 53"),
    Roll  ("40b", "The HT roll that the place calls for",  ask=injury.effect_roll, read=injury.read_effect, dead="56", goto="41", see="CII 53"),
    Ask   ("41", "More than HT/2?",                        injury.is_major_wound,          yes="42", no="44", see="B 127"),
    Do    ("42", "Stunned",                                injury.be_stunned,              goto="43", see="B 127"),
    Roll  ("43", "HT or knocked down",                     ask=injury.knockdown_roll, read=injury.read_knockdown, goto="44", see="B 127"),
    Ask   ("44", "More than 3 hit points left?",           injury.has_enough_left,         yes="54", no="45", see="CII 48-51 Flowchart"),
    Do    ("45", "Half Move and Dodge",                    injury.be_slowed,               goto="46", see="B 126"),
    Ask   ("46", "Brought to 0 hit points or less?",       dying.brought_to_nothing,       yes="47", no="48", see="B 126"),
    Do    ("47", "HT with Will, or unconscious",           dying.stay_conscious,           goto="47b", see="B 126"),
    Roll  ("47b", "Stay conscious",                        ask=dying.consciousness_roll, read=dying.read_consciousness, goto="48", see="B 126"),
    Ask   ("48", "Brought to -HT or less?",                dying.at_minus_health,          yes="49", no="55", see="B 126"),
    Do    ("49", "HT or die, for each threshold reached",  dying.rolls_for_life,           goto="49b", see="B 126"),
    Roll  ("49b", "Stay alive",                            ask=dying.death_rolls, read=dying.read_death, dead="56", alive="50", see="B 126"),
    Do    ("50", "Brought to -5 x HT?",                    dying.is_beyond_help,           yes="56", no="51", see="B 126"),
    End   ("51", "Critically injured",  outcome="critically injured", again=ending.what_is_left, mend=Mend("G3-F9", blow="28", defense="23")),
    End   ("52", "Missed",              outcome="missed",             again=ending.blows_to_come, mend=Mend("G3-F11", blow="28")),
    End   ("53", "No effect but a touch", outcome="no effect",        again=ending.what_is_left, mend=Mend("G3-F9", blow="28", defense="23")),
    End   ("54", "Slightly injured",    outcome="slightly injured",   again=ending.what_is_left, mend=Mend("G3-F9", blow="28", defense="23")),
    End   ("55", "Severely injured",    outcome="severely injured",   again=ending.what_is_left, mend=Mend("G3-F9", blow="28", defense="23")),
    End   ("56", "Dead",                outcome="dead"),
    source="CII 48-51 Flowchart",
)
# fmt: on
