"""Kills writers of one SQLite file at random moments, then looks at what is left."""

from long.part import Failed, Part, Task, ceiling

PART = Part(
    title="storms of kills: SQLite",
    minutes=6,
    grace=2,
    why=(
        "Two cores make 5 to 8 kills a second, so 6 minutes make some 2,000. Where those find nothing, fewer than one kill "
        "in 700 does harm (rule of three, 95 %)."
    ),
)

_WRITERS = 4
_KILLS = 24
"""Between two looks at a ledger."""
_LOOKS = 4
"""At one ledger; then there is a new one, since a look takes longer the more there is."""
_SHARP = 500
"""Kills of which at least one must have come between a commit and its acknowledgment."""


def run(task: Task) -> str:
    """Runs storms until the time is up; returns what was done."""
    from long.storms.claims import Tally
    from long.storms.sqlite import Ledger

    kills = ledgers = sessions = 0
    tally = Tally()
    for number in task.rounds():
        with Ledger(task, number) as ledger:
            for _ in task.rounds(most=_LOOKS):
                ledger.storm(_WRITERS, _KILLS)
                kills += _KILLS
        ledgers += 1
        sessions += ledger.sessions
        tally.add(ledger.tally)
    if kills >= _SHARP and not tally.unheard:
        raise Failed("no kill came between a commit and its acknowledgment: the storm misses what it is for")
    return (
        f"{kills:,} SIGKILLs of {_WRITERS} writers on {ledgers} files: 0 lost, torn or doubled; {tally}; "
        f"{sessions:,} sessions begun; {ceiling(kills)}"
    )
