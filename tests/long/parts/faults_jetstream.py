"""Lets faults of three NATS servers happen while writers write, straight into the store and over HTTP."""

from long.part import Part, Task, ceiling

PART = Part(
    title="faults of NATS servers",
    minutes=12,
    grace=5,
    why=(
        "A fault with what follows takes 5 to 15 seconds: elections, and servers that catch up. In 12 minutes some 70 "
        "happen, of seven kinds, ten of each: the kinds take turns. Where those find nothing, fewer than one fault in "
        "23 does harm (rule of three, 95 %)."
    ),
)

_WRITERS = 3
_CLIENTS = 3


def run(task: Task) -> str:
    """Lets faults happen until the time is up; returns what was done."""
    from long.storms.jetstream_round import JetStreamRound
    from nats_servers import running

    longest: dict[str, float] = {}
    with running(can_be_cut=True) as servers:
        made = JetStreamRound(task, servers)
        made.run(writers=_WRITERS, clients=_CLIENTS, longest=longest)
    total = sum(made.happened.values())
    shown = ", ".join(f"{count} {kind} ({longest[kind]:.1f} s)" for kind, count in sorted(made.happened.items()))
    return (
        f"{total} faults of NATS servers, each with its longest wait for an acknowledgment ({shown}): 0 lost, torn or "
        f"doubled, {made.wedged} refusals by healthy servers, all noticed; store: {made.tally}; histories: {made.done:,} "
        f"appends and reads, linearizable; two servers: {made.requests:,} acknowledged requests; {ceiling(total)}"
    )
