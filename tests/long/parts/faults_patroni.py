"""Lets the primary of a Patroni cluster fail while writers write, straight into the store and over HTTP."""

from long.part import Part, Task, ceiling

PART = Part(
    title="failovers of PostgreSQL under Patroni",
    minutes=12,
    grace=5,
    why=(
        "A failover with what follows takes 5 to 50 seconds, so 12 minutes make some 30 of five kinds, 6 of each: a node "
        "killed, its PostgreSQL killed alone, frozen while another takes its place, a planned switch, the synchronous "
        "standby killed. Where those find nothing, fewer than one in 10 does harm (rule of three, 95 %)."
    ),
)

_WRITERS = 3
_FAULTS = 5
"""After which the ledgers are looked at: one of each kind."""


def run(task: Task) -> str:
    """Lets failovers happen until the time is up; returns what was done, and the longest wait for an acknowledgment."""
    from collections import Counter

    from long.storms.claims import Tally
    from long.storms.failovers import FailoverRound
    from long.storms.patroni import Failovers, patroni_cluster

    tally, refusals = Tally(), Counter[str]()
    requests = unheard = 0
    longest = 0.0
    with patroni_cluster(task.kept) as cluster:
        failovers = Failovers(cluster, task.random("failovers"), task.say)
        for number in task.rounds():
            made = FailoverRound(task, cluster, failovers, number)
            made.run(writers=_WRITERS, faults=_FAULTS)
            tally.add(made.tally)
            refusals.update(made.clock.refusals)
            longest = max(longest, made.clock.longest)
            requests, unheard = requests + made.storm.requests, unheard + made.storm.unheard
            task.say(f"{failovers.total} failovers, longest wait {longest:.1f} s, {tally}")
    return (
        f"{failovers.total} failovers ({failovers}): 0 lost, torn or doubled; longest wait {longest:.1f} s; store: {tally}; "
        f"refused meanwhile and repeated: {dict(refusals)}; server: {requests:,} acknowledged requests, {unheard:,} attempts "
        f"without their answer; {ceiling(failovers.total)}"
    )
