"""Compares pairs of logs that differ in what is hidden from a seat, for all games."""

from long.part import Failed, Option, Part, Task, ceiling

PART = Part(
    title="pairs of logs that differ in what is hidden",
    minutes=15,
    grace=9,
    why=(
        "Two cores that do other things, too, compare 1.5 pairs a second, so 15 minutes make some 1,300, more than 300 of each "
        "game, half of them of each kind. Where those of a game find nothing, a seat tells apart fewer than one pair in 100 of "
        "that game (rule of three, 95 %). One pair in four is compared over HTTP, too. The suite compares 20, always the "
        "same ones, and 9 over HTTP."
    ),
    options=(
        Option(name="--pairs", kind=int, help="end after about so many fights, though there is time left"),
        Option(
            name="--secret-chunk", kind=int, repeated=True, help="only this chunk of the seed's, to see a fault again"
        ),
    ),
)


def run(task: Task) -> str:
    """Compares chunks of pairs on all processors; returns what was done."""
    from long.random_fights.driver import Kind, play_chunks
    from long.secret_pairs_by_seed.chunks import FIGHTS, generator_of, run_chunk

    kind = Kind(part="secrets", run=run_chunk, size=FIGHTS, laws=1, generator_of=generator_of)
    played = play_chunks(task, kind, wanted=task.options.get("pairs"), only=task.options.get("secret_chunk"))
    if played.failures:
        raise Failed("\n\n".join(played.failures))
    total = sum(played.fights.values())
    counted = "; ".join(f"{count:,} {name}" for name, count in sorted(played.kinds.items()))
    return f"{total:,} pairs of logs are the same to a seat ({counted}; {played.entries:,} entries); {ceiling(total)}"
