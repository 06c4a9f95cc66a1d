"""Sends generated requests to a server, with each value at its limits, and compares the answers with the OpenAPI document."""

from long.part import Failed, Part, Task

PART = Part(
    title="generated requests",
    minutes=4,
    grace=8,
    why=(
        "A round tries each parameter and each field at its limits, and 12 random requests of each operation: one to three "
        "minutes. Faults of an operation are found in the first round; others need its random requests, of which 4 minutes make some."
    ),
)


def run(task: Task) -> str:
    """Runs one round after the other; returns how many requests were sent."""
    import re

    from server.generated_requests import answered

    rounds, sent = 0, 0
    for number in task.rounds():
        folder = task.folder / f"round-{number}"
        folder.mkdir()
        try:
            report = answered(
                folder,
                examples=12,
                seed=task.random("requests", number).randrange(10**6),
            )
        except AssertionError as error:
            raise Failed(f"round {number}: {error}") from error
        found = re.search(r"(\d+) generated", report)
        rounds, sent = rounds + 1, sent + (int(found[1]) if found else 0)
    if not sent:
        raise Failed("nothing was generated")
    return f"{rounds} rounds, {sent} requests"
