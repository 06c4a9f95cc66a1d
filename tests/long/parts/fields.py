"""Changes every field of every table, profile, sheet and declaration in recorded fights, in every row."""

from long.part import Failed, Option, Part, Task

PART = Part(
    title="fields that are changed one at a time, and what is decided otherwise",
    minutes=20,
    grace=5,
    why=(
        "The four games have 1,400 fields, and their tables some 15,000 cells. A change is decided in about a millisecond on "
        "a core, so 40 changes of each cell that a fight reads take 10 minutes, and twice as long where the core does other "
        "things, too. Each is tried in another entry or with another value. A field that is listed as one that moves "
        "something is changed up to 5,000 times. The suite changes each field up to 40 times, all of its rows together."
    ),
    options=(Option(name="--game", kind=str, repeated=True, help="only this game"),),
)


def run(task: Task) -> str:
    """Sweeps the games one after another; returns what was done."""
    from field_effects import GAMES
    from long.fields.every_row import Swept, sweep_game

    swept = Swept()
    for game in task.options.get("game") or GAMES:
        sweep_game(task, game, swept)
    if swept.faults:
        raise Failed("\n".join(swept.faults))
    return f"{swept.fields:,} fields in {swept.rows:,} cells: {swept.shifts:,} changes show in {len(swept.seen):,} places, all expected"
