"""Kills servers, and single processes of theirs, while a crowd writes and reads; on SQLite and on PostgreSQL."""

from long.part import Failed, Part, Task, ceiling

PART = Part(
    title="storms of kills: servers",
    minutes=10,
    grace=3,
    why=(
        "A kill with its restart takes 1.5 to 3 seconds, so 10 minutes make some 200: 50 each for one process and two, on "
        "SQLite and on PostgreSQL. Where those find nothing, fewer than one kill in 65 does harm (rule of three, 95 %); "
        "the order of writing itself is hit two thousand times by storms_sqlite."
    ),
)

_KILLS = 6
"""In one storm, after which the ledger is looked at."""
_SHARP = 20
"""Kills of which at least one must have left a request without its answer."""


def run(task: Task) -> str:
    """Runs storms in turn on both stores, with one process and two; returns what was done."""
    from long.storms.postgres import postgres
    from long.storms.serving import ServerStorm, storming

    kills = {"SQLite": 0, "PostgreSQL": 0}
    requests = entries = repeated = unheard = 0
    with postgres() as database:
        for number in task.rounds():
            store, processes, chance = [*kills][number % 2], 1 + number // 2 % 2, task.random("storm", number)
            folder = task.folder / f"storm-{number}"
            ledger = database.database() if store == "PostgreSQL" else f"sqlite:///{folder}/affray.db"
            with storming(lambda: ServerStorm(folder, ledger, chance, processes=processes)) as storm:  # noqa: B023
                for _ in task.rounds(most=_KILLS):
                    storm.go_on()
                    storm.kill()
                    kills[store] += 1
                storm.go_on()
            requests, entries = requests + storm.requests, entries + storm.entries
            repeated, unheard = repeated + storm.repeated, unheard + storm.unheard
            task.say(f"{store}, {processes} processes: {sum(kills.values())} kills, {requests} requests")
    total = sum(kills.values())
    if total >= _SHARP and not unheard:
        raise Failed("no request was ever left without its answer: the storm misses what it is for")
    shown = ", ".join(f"{count} on {store}" for store, count in kills.items())
    return (
        f"{total} SIGKILLs of servers or their processes ({shown}): 0 lost, torn or doubled; {requests:,} acknowledged "
        f"requests ({entries:,} entries), {unheard:,} attempts without their answer, {repeated:,} repeated under their "
        f"keys, live readers heard all once; {ceiling(total)}"
    )
