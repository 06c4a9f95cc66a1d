"""Uses a session and a server for long with a live state that stays the same, and measures whether their heaps grow."""

from long.part import Option, Part, Task

PART = Part(
    title="heap growth",
    minutes=8,
    grace=2,
    why=(
        "A leak of one small object for every tenth operation is 5 to 10 kB in 1,000 operations; the noise of a round is about "
        "that, so it takes some thousand operations to tell it from none. 8 minutes make 5,000 to 20,000 of each of the "
        "two, a quarter of them to fill the caches first."
    ),
    options=(
        Option(name="--trace", kind=int, help="tell the lines that allocate what stays, with so many frames; slow"),
    ),
)


def run(task: Task) -> str:
    """Measures sessions for the first half of the time, a server for the second; returns what was done."""
    from long.heap.rounds import of_a_server, of_sessions

    return f"{of_sessions(task, 0.5)}; {of_a_server(task, 1.0)}"
