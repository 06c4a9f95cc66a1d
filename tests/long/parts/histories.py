"""Plays random fights of all games whose history is rewritten in between, and holds each to the laws."""

from long.part import Failed, Option, Part, Task, ceiling

PART = Part(
    title="random fights whose history is rewritten in between",
    minutes=25,
    grace=9,
    why=(
        "Two cores play some 6 histories a second, a third of their requests undo, redo, correct, overrule or are wrong, so 25 "
        "minutes make some 9,000, more than 2,000 of each game. Where those of a game find nothing, fewer than one history in 700 "
        "of that game breaks a law (rule of three, 95 %). The suite plays 20 of each game, always the same ones. The time limit "
        "leaves 8 minutes to make a fault small."
    ),
    options=(
        Option(name="--histories", kind=int, help="end after about so many, though there is time left"),
        Option(
            name="--history-chunk", kind=int, repeated=True, help="only this chunk of the seed's, to see a fault again"
        ),
    ),
)


def run(task: Task) -> str:
    """Plays chunks of histories on all processors; returns what was done."""
    from long.random_fights.driver import Kind, play_chunks
    from long.random_histories.chunks import HISTORIES, LAWS, game_of, run_chunk

    kind = Kind(part="histories", run=run_chunk, size=HISTORIES, laws=LAWS, generator_of=game_of)
    played = play_chunks(task, kind, wanted=task.options.get("histories"), only=task.options.get("history_chunk"))
    if played.failures:
        raise Failed("\n\n".join(played.failures))
    by_game = ", ".join(f"{count:,} {game}" for game, count in sorted(played.fights.items()))
    total = sum(played.fights.values())
    return (
        f"{total:,} rewritten histories ({by_game}; {played.entries:,} entries, {played.events:,} events): "
        f"each holds to {kind.laws} laws; {ceiling(total)}"
    )
