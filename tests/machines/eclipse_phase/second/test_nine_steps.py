"""Compares the attack of the second edition with its nine printed steps."""

from charts.eclipse_phase_2e import STEPS

from machines.contract.chart import End
from machines.eclipse_phase.second.chart import ATTACK

PRINTED: dict[str, set[str]] = {
    "1": {"2"}, "2": {"3"}, "3": {"4"}, "4": {"5"}, "5": {"6", "end"}, "6": {"7"}, "7": {"8", "end"}, "8": {"9"}, "9": {"end"},
}  # fmt: skip
"""The steps as EP2 12/01 prints them: each leads to the next; what misses, and what armor stops, ends the attack."""
BESIDE = {
    ("1", "end"): "an attack that is not possible",
    ("1", "7"): "a blow at the helpless, EP2 12/15",
    ("5", "7"): "a round that explodes beside the target, EP2 12/09",
    ("5", "8"): "what a critical failure does to an async, EP2 14/04",
    ("6", "end"): "what does no damage, EP2 12/02, 12/15",
    ("9", "1"): "a further target",
    ("9", "5"): "likewise",
    ("8", "end"): "stress goes on elsewhere, EP2 12/18",
}
"""Exits of the transcribed steps that the nine do not print, and where they come from."""
UNPRINTED = {
    **dict.fromkeys(("1b", "1c", "1d", "1e", "1f", "1g"), "blind attacks, EP2 12/15"),
    "2d": "somebody may break in before the dice, EP2 03/04",
    "4b": "a pool after the roll, EP2 03/05",
    "5n": "rounds that explode beside the target, EP2 12/09",
    **dict.fromkeys(("9b", "9c", "9d", "9e", "9f", "9g"), "called shots, further targets, scatter, infection"),
}
"""Boxes that the nine steps do not print, and where they come from."""
DETOURS = {
    ("1b", "yes"): "looking for the target by another sense comes back to step 2",
    ("2d", "no"): "whoever was put out meanwhile does not go on: ruling EP2-N5",
    ("5n", "goto"): "what explodes beside the target has a damage of its own, and goes on at step 7",
    ("9c", "someone"): "the next target is another attack of the same steps",
}
"""Exits of such boxes that the steps know nothing of."""
LATER = {"7": {"8"}, "8": {"9", "end"}}
"""Whether armor stops it is printed in step 7 and found where the damage is applied: box 8 has the exit of step 7."""


def under(number: str) -> str:
    """Returns the printed step of a transcribed one; the end for steps outside the attack and for the next target."""
    return "end" if number in {"end", "A10"} or STEPS[number].section != "ATTACK" else STEPS[number].printed


def transcribed() -> dict[str, set[str]]:
    """Returns the next printed steps of each printed step, by the transcription."""
    found: dict[str, set[str]] = {}
    for step in STEPS.values():
        if step.section == "ATTACK":
            found.setdefault(step.printed, set()).update({under(there) for there in step.exits} - {step.printed})
    return found


def printed(number: str) -> str:
    """Returns the printed number of a box: 2b is a part of 2; all ends of the attack are 'end'."""
    return "end" if isinstance(ATTACK[number], End) else number.rstrip("abcdefghijklmnopqrstuvwxyz")


def onto(number: str) -> set[str]:
    """Returns the next printed boxes of a box of the attack, skipping unprinted ones."""
    if number not in UNPRINTED:
        return {printed(number)}
    ways = [exit_to for label, exit_to in ATTACK[number].exits.items() if (number, label) not in DETOURS]
    return {there for exit_to in ways for there in onto(exit_to)}


def test_the_nine_steps_were_transcribed_with_their_exits() -> None:
    found = transcribed()
    expected = {
        number: exits | {there for step, there in BESIDE if step == number} for number, exits in PRINTED.items()
    }

    assert expected == found


def test_the_nine_steps_of_the_attack_have_their_printed_exits() -> None:
    expected = PRINTED | LATER

    found: dict[str, set[str]] = {}
    for box in ATTACK.boxes.values():
        if box.number not in UNPRINTED and not isinstance(box, End):
            here = printed(box.number)
            there = {each for number in box.exits.values() for each in onto(number)}
            found[here] = found.get(here, set()) | there - {here}

    assert expected == found


def test_the_nine_steps_of_the_attack_stand_in_printed_order() -> None:
    expected = list(PRINTED)

    found = [printed(number) for number in ATTACK.boxes if number not in UNPRINTED]

    assert expected == list(dict.fromkeys(number for number in found if number != "end"))


def test_unprinted_boxes_and_their_exits_exist() -> None:
    expected = set(UNPRINTED), set(DETOURS)

    found = {(number, label) for number in UNPRINTED for label in ATTACK[number].exits}

    assert expected[0] <= set(ATTACK.boxes)
    assert expected[1] <= found
