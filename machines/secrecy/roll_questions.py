"""Audiences of questions about a roll that was thrown, such as for a point of Moxie.

A question about a roll reveals its result: its purpose names the dice, and its options are those that help. So the
question and its answer have the audience of the roll and of the roller's sheet. Everyone else sees that a question was
asked: its public twin has the ruleset's words for it (`Ruleset.roll_questions`) and the default as its only option.
If a part of the sum is hidden from the roller, the rules ask by what the roller sees (`is_known`).
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
    """Returns who may see the result of a roll, including dice that were thrown for it later.

    Args:
        roll: The key of the roll.
        sheet: Who may see the roller's sheet.
        rolls: The secret rolls, with the audience of each.
    """
    return shared([sheet, *(seen_by for key, seen_by in rolls.items() if f"{key}/".startswith(f"{roll}/"))])


def of_command(command: Choose, combat: Combat) -> Audience:
    """Returns who may see the answer to a question about a roll; None if everyone may, or if it is no such answer."""
    roll = roll_of(command.key)
    question = next((rest for rest in combat.rests if rest.key == command.key), None)
    if question is None or roll not in combat.rolls.rolls:
        return None
    rolls = {key: thrown.seen_by for key, thrown in combat.rolls.rolls.items()}
    return audience(roll, audience_of_sheet(combat, question.by), rolls)


def twin(question: ChoiceRequested, purpose: str) -> ChoiceRequested:
    """Returns the public twin of a question about a roll."""
    options = tuple(Option(each.option, each.label) for each in question.options if each.option == question.default)
    return ChoiceRequested(question.key, question.by, options, question.default, purpose)


def is_known(combat: Combat, roll: str) -> bool:
    """Returns whether the whole sum of a roll is visible to those who may see the roller's sheet."""
    if combat.session.policies.get(HIDDEN_PARTS) == VALUE:
        return True
    mine = audience_of_sheet(combat, combat.rolls[roll].by)
    hidden = [seen_by for _, seen_by in combat.rolls.hidden.get(roll, ())]
    hidden += [combat.figures.hidden.get(f"{roll} {name}") for name in summed(combat)]
    return all(includes(seen_by, mine) for seen_by in hidden)


def are_public(combat: Combat, *rolls: str) -> bool:
    """Returns whether rolls and their sums are visible to all, so that what follows from them discloses nothing."""
    return all(combat.rolls[key].seen_by is None and is_known(combat, key) for key in rolls)
