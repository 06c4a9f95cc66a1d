"""Audiences of questions about a roll that was thrown, such as for a point of Moxie.

A question about a roll tells what it came to: its purpose names the dice, and the options are those that are of use.
So the question and its answer are as secret as the roll and the sheet of whoever rolls. Everybody else sees that it was
asked: its public twin has the ruleset's words for it (`Ruleset.roll_questions`) and the default as its only option.
Where a part of the sum is hidden from whoever rolls, the rules ask by what they see (`is_known`).
"""

from collections.abc import Mapping

from ledger.audience import includes, shared
from ledger.commands import Choose
from ledger.events import Audience, ChoiceRequested, Option
from machines.secrecy.part_sources import audience_of_sheet, summed
from projections.combat import Combat
from projections.session import HIDDEN_PARTS, VALUE


def roll_of(question: str) -> str:
    """Returns the key of the roll that a question is about."""
    return question.rpartition("/")[0]


def audience(roll: str, sheet: Audience, rolls: Mapping[str, Audience]) -> Audience:
    """Returns who may see what a roll came to, with the dice that were thrown for it afterwards.

    Args:
        roll: Its key.
        sheet: Who may see the sheet of whoever rolls.
        rolls: The secret rolls, with those who may see each.
    """
    return shared([sheet, *(seen_by for key, seen_by in rolls.items() if f"{key}/".startswith(f"{roll}/"))])


def of_command(command: Choose, combat: Combat) -> Audience:
    """Returns who may see the answer to a question about a roll; None where it is about none, or everybody may."""
    roll = roll_of(command.key)
    asked = next((rest for rest in combat.rests if rest.key == command.key), None)
    if asked is None or roll not in combat.rolls.rolls:
        return None
    rolls = {key: one.seen_by for key, one in combat.rolls.rolls.items()}
    return audience(roll, audience_of_sheet(combat, asked.by), rolls)


def twin(question: ChoiceRequested, purpose: str) -> ChoiceRequested:
    """Returns what everybody sees of a question about a roll."""
    options = tuple(Option(each.option, each.label) for each in question.options if each.option == question.default)
    return ChoiceRequested(question.key, question.by, options, question.default, purpose)


def is_known(combat: Combat, roll: str) -> bool:
    """Returns whether the sum of a roll is shown whole to those who see the sheet of whoever rolls."""
    if combat.session.policies.get(HIDDEN_PARTS) == VALUE:
        return True
    mine = audience_of_sheet(combat, combat.rolls[roll].by)
    hidden = [seen_by for _, seen_by in combat.rolls.hidden.get(roll, ())]
    hidden += [combat.figures.hidden.get(f"{roll} {name}") for name in summed(combat)]
    return all(includes(seen_by, mine) for seen_by in hidden)
