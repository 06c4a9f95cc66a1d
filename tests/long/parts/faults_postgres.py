"""Lets faults of PostgreSQL happen while writers write, straight into the store and over HTTP."""

from long.part import Part, Task, ceiling

PART = Part(
    title="faults of PostgreSQL",
    minutes=7,
    grace=3,
    why=(
        "A fault with what follows takes 1 to 3 seconds, so 7 minutes make some 200 of five kinds, 40 of each: crash, absence, "
        "connections ended, waiting for a lock ended, a process of the server killed. Where those find nothing, fewer than "
        "one fault in 65 does harm (rule of three, 95 %), and of each kind fewer than one in 13."
    ),
)

_WRITERS = 3
_FAULTS = 6
"""After which the ledger is looked at."""


def run(task: Task) -> str:
    """Lets faults happen until the time is up; returns what was done."""
    from long.storms.claims import Tally
    from long.storms.faults import Round
    from long.storms.postgres import postgres

    tally, happened = Tally(), dict[str, int]()
    requests = unheard = 0
    with postgres() as server:
        for number in task.rounds():
            made = Round(task, server, number)
            made.run(writers=_WRITERS, faults=_FAULTS)
            tally.add(made.tally)
            requests, unheard = requests + made.storm.requests, unheard + made.storm.unheard
            for kind, count in made.happened.items():
                happened[kind] = happened.get(kind, 0) + count
            task.say(f"{sum(happened.values())} faults, {tally}")
    total = sum(happened.values())
    shown = ", ".join(f"{count} {kind}" for kind, count in sorted(happened.items()))
    return (
        f"{total} faults of PostgreSQL ({shown}): 0 lost, torn or doubled; store: {tally}; server: {requests:,} acknowledged "
        f"requests, {unheard:,} attempts without their answer; {ceiling(total)}"
    )
