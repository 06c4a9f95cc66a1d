"""Charts of the Action Turn (EP2 03/03-04): ambush, Initiative, moments, and extra actions.

Moments are run by the Action Turn and by interruptions.
"""

from machines.contract.action import menu
from machines.contract.chart import Ask, Chart, Choose, Do, End, Roll, Run
from machines.eclipse_phase.family.ambush import any_ambusher_left, begin_free_moment, is_ambush, surprise_rolls
from machines.eclipse_phase.family.turn import begin_moment, initiative_rolls, prepare_initiative
from machines.eclipse_phase.second.actions import actions
from machines.eclipse_phase.second.actions.menu import IN_MOMENT, ask_action
from machines.eclipse_phase.second.harm.wounds_chart import WOUNDS
from machines.eclipse_phase.second.success_tests.pool_chart import POOL
from machines.eclipse_phase.second.turn import confusion, initiative, surprise, turn

# fmt: off
MOMENT = Chart(
    "moment", "Declare and resolve actions",
    Ask   ("1",  "An action lost by a critical?",        confusion.has_lost_it,           yes="1b", no="2", see="EP2 03/01 Criticals"),
    Do    ("1b", "It is lost",                           confusion.lose_it,               goto="3n", see="EP2 03/01 Criticals"),
    Ask   ("2",  "Confused?",                            confusion.is_confused,           yes="2b", no="3a", see="EP2 12/21 Conditions"),
    Do    ("2b", "A COG Check, -30",                     confusion.prepare_sense,         goto="2c", see="EP2 12/21 Conditions"),
    Roll  ("2c", "To make sense of it",                  ask=confusion.sense_roll, read=confusion.read_sense, goto="2d", see="EP2 12/21 Conditions"),
    Run   ("2d", "A pool after the roll",                POOL,                            goto="2e", see="EP2 03/05"),
    Ask   ("2e", "Does it make sense?",                  confusion.makes_sense,           yes="3a", no="2f", see="EP2 12/21 Conditions"),
    Roll  ("2f", "What the confused does",               ask=confusion.confusion_roll, read=confusion.be_confused, goto="3a", see="EP2 12/21 Conditions"),
    *menu ("3a", "Declare an action",                    ask_action, IN_MOMENT,           end="3n", see="EP2 03/03 Action Turns, 03/04 Extra Actions"),
    Do    ("3n", "Their moment is over",                 actions.end_moment,               goto="over", see="EP2 03/03 Action Turns, 12/04 Aiming"),
    End   ("over", "Their moment is over"),
    source="EP2 03/03 Actions and Time",
)

TURN = Chart(
    "turn", "The Action Turn",
    Ask   ("0",  "An ambush?",                           is_ambush,                       yes="0b", no="1", see="EP2 12/21 Surprise"),
    Do    ("0b", "Infiltrate against Perceive",          surprise.prepare_surprise,       goto="0c", see="EP2 12/21 Surprise"),
    Roll  ("0c", "Who notices?",                         ask=surprise_rolls,          read=surprise.read_surprise, goto="0d", see="EP2 12/21 Surprise"),
    Run   ("0d", "A pool after the roll",                POOL,                            goto="0e", see="EP2 03/05"),
    Do    ("0e", "The ambush is sprung",                 surprise.spring,                 surprised="0f", noticed="1", see="EP2 12/21 Surprise"),
    Ask   ("0f", "An ambusher who has not acted?",       any_ambusher_left,               yes="0g", no="1", see="EP2 12/21 Surprise"),
    Do    ("0g", "Their action begins",                  begin_free_moment,               goto="0h", see="EP2 12/21 Surprise"),
    Run   ("0h", "Declare and resolve actions",          MOMENT,                          goto="0f", see="EP2 12/21"),
    Do    ("1",  "An Action Turn begins",                turn.begin_turn,                 goto="1b", see="EP2 03/03 Action Turns, 12/16 Bleeding Out, 12/21 Surprise"),
    Ask   ("1b", "Has every combatant rolled Initiative?", initiative.have_all_rolled, yes="2", no="1c", see="EP2 03/04 Initiative Order"),
    Do    ("1c", "What counts for Initiative",           prepare_initiative,              goto="1d", see="EP2 03/04 Initiative Order, 12/16 Wound Effects, 12/18 Trauma Effects, 12/21 Surprise"),
    Roll  ("1d", "Roll Initiative",                      ask=initiative_rolls,            read=initiative.read_initiative, goto="1e", see="EP2 03/04 Initiative Order"),
    Ask   ("1e", "A tie to be rolled off?",              initiative.is_tied,              yes="1f", no="2", see="EP2 03/04 Initiative Order"),
    Roll  ("1f", "Roll-off",                             ask=initiative.roll_offs, read=initiative.read_roll_offs, goto="1e", see="EP2 03/04 Initiative Order"),
    Ask   ("2",  "Is a combatant on fire?",              turn.is_anyone_burning,         yes="2b", no="4", see="EP2 12/06 Plasma Rifle, Torch"),
    Roll  ("2b", "Flames",                               ask=turn.fire_roll, read=turn.burn, harmed="2c", unharmed="2", see="EP2 12/06 Plasma Rifle, Torch"),
    Run   ("2c", "Wounds",                               WOUNDS,                          goto="2", see="EP2 12/16"),
    Do    ("3",  "Their moment begins",                  begin_moment,                    goto="3b", see="EP2 03/04 Initiative Order, 12/21 Full Defense"),
    Run   ("3b", "Declare and resolve actions",          MOMENT,                          goto="4", see="EP2 03/04"),
    Ask   ("4",  "Who is next?",                         turn.next_up,                    someone="3", extras="5", nobody="over", see="EP2 03/04 Initiative Order, Extra Actions"),
    Ask   ("5",  "May any combatant act again?",         turn.can_anyone_act_again,      yes="5a", no="1", see="EP2 03/04 Extra Actions"),
    Do    ("5a", "The next combatant is asked",          turn.ask_next,                   goto="5b", see="EP2 03/04 Extra Actions"),
    Choose("5b", "An extra action?",                     turn.offer_extra,                goto="5c", none="5d", see="EP2 03/04 Extra Actions"),
    Do    ("5c", "The extra action begins",              turn.take_extra,                 goto="5e", see="EP2 03/04 Extra Actions, 03/05 Insight, Vigor"),
    Do    ("5d", "None",                                 turn.decline_extra,              goto="5", see="EP2 03/04 Extra Actions"),
    Run   ("5e", "Declare and resolve actions",          MOMENT,                          goto="5", see="EP2 03/04"),
    End   ("over", "No combatant is left"),
    source="EP2 03/03 Actions and Time, 03/04 Initiative and Order of Actions",
)

ACT = Chart(
    "act", "A delayed action",
    Do    ("1", "Everything else waits",                 turn.act_now,                    goto="2", see="EP2 03/04 Delaying Actions"),
    Run   ("2", "Declare and resolve actions",           MOMENT,                          goto="done", see="EP2 03/04"),
    End   ("done", "The others go on"),
    source="EP2 03/04 Delaying Actions",
)

TAKE_INITIATIVE = Chart(
    "take_initiative", "Taking the initiative",
    Do    ("1", "A point to go first",                   turn.act_first,                  goto="2", see="EP2 03/04 Taking the Initiative, 03/05 Insight, Vigor"),
    Run   ("2", "Declare and resolve actions",           MOMENT,                          goto="done", see="EP2 03/04"),
    End   ("done", "The others go on"),
    source="EP2 03/04 Taking the Initiative",
)
# fmt: on
