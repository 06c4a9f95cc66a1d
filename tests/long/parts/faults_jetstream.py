"""Lets faults of three NATS servers happen while writers write, straight into the store and over HTTP."""

from long.part import Option, Part, Task, ceiling

PART = Part(
    title="faults of NATS servers",
    minutes=12,
    grace=8,
    why=(
        "A fault with what follows takes 5 to 40 seconds: elections, servers that catch up, new processes, and two servers "
        "that are asked while two of three are dead. In 12 minutes some 35 happen, of seven kinds, five of each: the kinds "
        "take turns. Where those find nothing, fewer than one fault in 11 does harm (rule of three, 95 %)."
    ),
    options=(Option(name="--fault", kind=str, repeated=True, help="only this kind, such as 'servers cut off'"),),
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
        f"doubled; a server was up to date {made.slowest:.1f} s after its return at most; {made.seen}; {made.checked}; "
        f"store: {made.tally}; histories: {made.done:,} appends and reads, linearizable, {made.reads:,} reads of entries, "
        f"all of them as in the log; two servers: {made.requests:,} acknowledged requests; {ceiling(total)}"
    )
