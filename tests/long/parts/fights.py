"""Plays random fights of all games, and holds each to the laws."""

from long.part import Failed, Option, Part, Task, ceiling

PART = Part(
    title="random fights by the thousand",
    minutes=10,
    grace=9,
    why=(
        "Two cores play 10 to 20 fights a second, so 10 minutes make some 8,000, 2,000 of each game. Where those find "
        "nothing, fewer than one random fight in 2,500 breaks a law (rule of three, 95 %). The suite plays 20 of each law, "
        "always the same ones. The time limit leaves 5 minutes to make a fault small."
    ),
    options=(
        Option(name="--fights", kind=int, help="end after about so many, though there is time left"),
        Option(name="--chunk", kind=int, repeated=True, help="only this chunk of the seed's, to see a fault again"),
    ),
)


def run(task: Task) -> str:
    """Plays chunks of fights on all processors; returns what was done."""
    from long.random_fights.chunks import FIGHTS, generator_of, run_chunk
    from long.random_fights.driver import Kind, play_chunks
    from long.random_fights.fight_laws import LAWS

    kind = Kind(part="fights", run=run_chunk, size=FIGHTS, laws=len(LAWS), generator_of=generator_of)
    played = play_chunks(task, kind, wanted=task.options.get("fights"), only=task.options.get("chunk"))
    if played.failures:
        raise Failed("\n\n".join(played.failures))
    by_game = ", ".join(f"{count:,} {game}" for game, count in sorted(played.fights.items()))
    total = sum(played.fights.values())
    return (
        f"{total:,} random fights ({by_game}; {played.entries:,} entries, {played.events:,} events) from "
        f"{len(played.generators)} generators: each holds to {kind.laws} laws; {ceiling(total)}"
    )
