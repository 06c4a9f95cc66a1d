"""Compares pairs of sessions that differ in what is hidden from a seat, on a server whose ledger is in NATS."""

from long.part import Part, Task

PART = Part(
    title="secrets in NATS",
    minutes=3,
    grace=3,
    why=(
        "What a seat may see is decided above the store, and held to the law elsewhere by the thousand; here a few pairs show "
        "that this store adds nothing: a pair takes about ten seconds."
    ),
)


def run(task: Task) -> str:
    """Compares pairs until the time is up; returns how many."""
    from nats_servers import running
    from secret_http_law import compared, serving
    from secret_pairs import changed, replayed

    pairs = 0
    with running() as servers, serving(servers.ledger(), hooks=str(task.folder / "affray.hooks")) as server:
        for number in task.rounds():
            pairs += len(compared(server, (changed, replayed)[number % 2], 1 + number))
            task.say(f"{pairs} pairs")
    return f"{pairs} pairs of sessions that no answer of the server told apart"
