"""Creates the streams of a ledger, and checks them."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ledger.errors import Damaged, Newer, NotMigrated, Unusable
from ledger.stores.jetstream.servers.address import LOSABLE, MOST_SHARDS, SHARDS, NatsAddress, parse
from ledger.stores.jetstream.servers.durability import ServerReports, check_jetstream, check_version
from ledger.stores.jetstream.servers.errors import (
    ALONE,
    NO_PLACE,
    OVERLAP,
    TOO_MANY,
    Answered,
    Denied,
    JetStreamErrors,
    NoAnswer,
    NotSent,
)
from ledger.stores.jetstream.servers.link import Link
from ledger.stores.jetstream.servers.names import LedgerNames, last_token, session_of
from ledger.stores.jetstream.servers.stream_info import (
    StreamInfo,
    info_of,
    infos_of,
    is_on_a_server,
    request_stream,
)
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.jetstream.uploads import sweep
from ledger.stores.store import PATIENCE

LAYOUT = 1
"""The version of the streams and of the messages in them."""
_LAYOUT = "affray-layout"
_SHARDS = "affray-shards"

_FOREVER = {
    "storage": "file", "retention": "limits", "discard": "new", "max_age": 0, "max_bytes": -1, "max_msgs": -1,
    "allow_direct": True, "deny_delete": True,
}  # fmt: skip
"""The settings that keep each message of a stream until its session is deleted."""
_NUMBER_WORDS = {1: "one", 3: "three", 5: "five"}


def migrate(url: str) -> tuple[str, ...]:
    """Creates the streams of a ledger that are missing, and removes abandoned uploads.

    Args:
        url: The address; `shards` counts only for a new ledger. With ``lost=accepted``, streams that are lost with all
            that they had are made anew.

    Returns:
        The names of the streams that were created.

    Raises:
        Damaged: A stream is lost with all that it had.
        StoreRefused: The servers refused, or are not what the address demands; the next call completes what was
            created.
    """
    address = parse(url)
    with JetStreamErrors(address.name):
        link = Link(address, PATIENCE)
        try:
            ledger = _checked_info(link, address)
            reports = ServerReports(address)
            names = _new_names(link, address) if ledger is None else _names(address, ledger)
            there = [] if ledger is None or address.is_loss_accepted else names.logs
            made = _create_all(link, address, names, reports, there)
            sweep(Streams(link, names))
            return made
        finally:
            link.close()


def check_ledger(link: Link, address: NatsAddress, *, only_read: bool = False) -> LedgerNames:
    """Checks the servers and the streams of a ledger; returns the names of the streams.

    Args:
        link: The connection.
        address: The address of the ledger.
        only_read: Whether too few servers may be there to write. While no leader answers, the number of shards that
            the address gives is then compared with the streams that any server has.

    Raises:
        NotMigrated: Streams are missing.
        Newer: They were made by a newer Affray.
        Damaged: A stream is lost with all that it had, or would lose messages.
        Unusable: The servers or the number of copies are not what the address demands.
    """
    can_be_leaderless = only_read and address.shards is not None
    try:
        return _checked(link, address, can_be_leaderless=can_be_leaderless)
    except Denied:
        raise
    except (NoAnswer, NotSent):
        if not can_be_leaderless:
            raise
    return _names_without_leader(link, address)


def _checked(link: Link, address: NatsAddress, *, can_be_leaderless: bool) -> LedgerNames:
    is_patient = not can_be_leaderless
    ledger = _checked_info(link, address, is_patient=is_patient)
    if ledger is None:
        _new_names(link, address)
        raise _not_migrated(address, "has no streams yet")
    names = _names(address, ledger)
    found = infos_of(link, f"{address.ledger}.>", is_patient=is_patient)
    for name, wanted in _streams(address, names).items():
        known = found.get(name) or info_of(link, name, is_patient=is_patient)
        if known is None:
            raise _lost(address, name) if name in names.logs else _not_migrated(address, f"has no stream {name}")
        _check_config(address, name, known.config, wanted)
    needed = _servers_of(link, found.values())
    ServerReports(address).check(needed, most_away=len(needed) if can_be_leaderless else (len(needed) - 1) // 2)
    return names


def _names_without_leader(link: Link, address: NatsAddress) -> LedgerNames:
    """Returns the names of the streams if there are as many shards as the address gives.

    Raises:
        NotSent: There are not; or no server can be asked.
        NoAnswer: A server did not answer in time.
    """
    *names, beyond = LedgerNames(address.ledger, (address.shards or 0) + 1).logs
    if not is_on_a_server(link, names[-1]) or is_on_a_server(link, beyond):
        raise NotSent("no leader answers, and the streams are not as many as the address gives")
    return LedgerNames(address.ledger, len(names))


def _checked_info(link: Link, address: NatsAddress, *, is_patient: bool = True) -> StreamInfo | None:
    """Returns what the servers report of the stream of the ledger; None if it is missing.

    Raises:
        Unusable: The connected server is too old, or the servers have no JetStream.
    """
    check_version(link, address)
    stream = LedgerNames(address.ledger, 1).ledger
    check_jetstream(link, address, stream)
    return info_of(link, stream, is_patient=is_patient)


def _new_names(link: Link, address: NatsAddress) -> LedgerNames:
    """Returns the names of a new ledger's streams.

    Raises:
        Damaged: The ledger is not new: only its stream is lost, which is created last; before that nothing is written.
    """
    logs = _logs_in_a_row(link, address)
    if not any(each.state.get("messages") for each in logs):
        return LedgerNames(address.ledger, address.shards or SHARDS)
    if not address.is_loss_accepted:
        raise _lost(address, LedgerNames(address.ledger, 1).ledger)
    names = LedgerNames(address.ledger, address.shards or len(logs))
    _check_places(link, address, names, len(logs))
    return names


def _check_places(link: Link, address: NatsAddress, names: LedgerNames, logs: int) -> None:
    """Checks that each session is where it is looked for, as the stream that described the shards is lost.

    Raises:
        Unusable: The ledger was made with another number of shards.
    """
    reader = Streams(link, names).reader
    for shard, stream in enumerate(LedgerNames(address.ledger, logs).logs):
        subjects = reader.subjects(stream, names.subject("session", shard, "*"))
        if subjects is None:
            raise NotSent("no leader answers")
        if any(names.shard_of(session_of(last_token(each))) != shard for each in subjects):
            raise Unusable(
                f"{address.name} was not made with {names.shards} shards: sessions are in others",
                where="ledger", accepts="the number of shards that it was made with: shards=…",
            )  # fmt: skip


def _logs_in_a_row(link: Link, address: NatsAddress) -> list[StreamInfo]:
    """Returns what the servers report of the stream of each shard, from the first one on, until one is missing."""
    found = list[StreamInfo]()
    for name in LedgerNames(address.ledger, MOST_SHARDS).logs:
        info = info_of(link, name)
        if info is None:
            break
        found.append(info)
    return found


def _streams(address: NatsAddress, names: LedgerNames) -> dict[str, dict[str, Any]]:
    """Returns the settings of each stream; that of the ledger is created last, so that all are there if it is."""
    kept = {**_FOREVER, "num_replicas": address.replicas}
    news = {"src": f"{address.ledger}.>", "dest": f"{names.news}.>", "headers_only": True}
    batches = {**kept, "allow_atomic": True}
    logs = {
        stream: {**batches, "subjects": names.log_subjects(shard), "republish": news, "allow_rollup_hdrs": True}
        for shard, stream in enumerate(names.logs)
    }
    described = {_LAYOUT: str(LAYOUT), _SHARDS: str(names.shards)}
    return {
        **logs,
        names.checkpoints: {**kept, "subjects": [names.checkpoint_subjects()], "max_msgs_per_subject": 1},
        names.ledger: {**batches, "subjects": names.ledger_subjects(), "metadata": described},
    }


def _create_all(
    link: Link, address: NatsAddress, names: LedgerNames, reports: ServerReports, there: Collection[str]
) -> tuple[str, ...]:
    """Creates the streams that are missing, and checks the servers of each; returns the names of the new streams.

    None is removed if servers are refused then: another process may have created it, and written into it.

    Raises:
        Damaged: A stream is missing that has to be `there`.
    """
    made = list[str]()
    for name, config in _streams(address, names).items():
        info = info_of(link, name)
        if info is None and name in there:
            raise _lost(address, name)
        if info is None:
            info = _create(link, address, name, config)
            made.append(name)
        _check_config(address, name, info.config, config)
        reports.check(_servers_of(link, [info]), most_away=0)
    reports.check(_servers_of(link, infos_of(link, f"{address.ledger}.>").values()), most_away=0)
    return tuple(made)


def _create(link: Link, address: NatsAddress, name: str, config: Mapping[str, Any]) -> StreamInfo:
    """Creates a stream; returns what the servers report of it."""
    answer = request_stream(link, f"STREAM.CREATE.{name}", {"name": name, **config})
    if answer.error is None:
        return answer
    error = Answered(answer.error)
    if error.code in NO_PLACE:
        raise _too_few(address, is_alone=error.code == ALONE) from error
    if error.code == OVERLAP:
        raise Unusable(
            f"a stream that is not part of {address.name} has subjects which begin with {address.ledger}",
            where="ledger", accepts="another name of the ledger: nats://host1,host2,host3/name",
        ) from error  # fmt: skip
    if error.code == TOO_MANY:
        raise Unusable(
            f"the account that {address.name} is opened with may have no more streams",
            where="ledger", accepts=f"an account that may have {_count(address)} streams, or fewer with shards=…",
        ) from error  # fmt: skip
    raise error


def _names(address: NatsAddress, ledger: StreamInfo) -> LedgerNames:
    """Returns the names of an existing ledger's streams, which its own stream describes."""
    described = ledger.config.get("metadata", {})
    layout, shards = described.get(_LAYOUT, ""), described.get(_SHARDS, "")
    if not (layout.isdecimal() and shards.isdecimal()):
        raise Damaged(f"the stream of {address.name} does not describe its shards", where=address.name)
    if int(layout) > LAYOUT:
        raise Newer(f"{address.name} was written by a newer Affray", where=address.name, accepts=f"layout {LAYOUT}")
    if address.shards not in (None, int(shards)):
        raise Unusable(
            f"{address.name} was made with {shards} shards, which cannot be changed",
            where="ledger", accepts=f"shards={shards}; or copy the sessions into a new ledger",
        )  # fmt: skip
    return LedgerNames(address.ledger, int(shards))


def _check_config(address: NatsAddress, name: str, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    if found.get("num_replicas", 1) < address.replicas:
        raise Unusable(
            f"the stream {name} has {found.get('num_replicas', 1)} of {address.replicas} copies",
            where="ledger", accepts=_copies(name, found.get("num_replicas", 1), address.replicas),
        )  # fmt: skip
    for setting, value in wanted.items():
        if setting not in ("num_replicas", "metadata") and found.get(setting) != value:
            raise Damaged(f"the stream {name} has the wrong {setting}: {found.get(setting)!r}", where=name)


def _too_few(address: NatsAddress, *, is_alone: bool) -> Unusable:
    """Returns the refusal of servers that cannot store as many copies as the address demands."""
    number = _NUMBER_WORDS[address.replicas]
    if is_alone:
        reason = f"{address.name} is on one server alone, and {address.replicas} copies of each entry need {number}"
    elif address.replicas == 1:
        reason = f"{address.name} has no server with JetStream and with room for one more stream"
    else:
        reason = (
            f"{address.name} has no place for {address.replicas} copies of each entry: they need {number} servers that"
            " are connected with one another, and have JetStream and room"
        )
    return Unusable(reason, where="ledger", accepts=_enough(address))


def _enough(address: NatsAddress) -> str:
    """Returns what is accepted instead of too few servers."""
    number = _NUMBER_WORDS[address.replicas]
    if address.replicas == 1:
        return "a server with JetStream and room"
    return f"{number} servers, {'replicas=3, ' if address.replicas > 3 else ''}or {LOSABLE}"


def _copies(name: str, found: int, wanted: int) -> str:
    """Returns what is accepted for a stream that has fewer copies than the address demands."""
    fewer = LOSABLE if found == 1 else f"replicas={found} in the address"
    return (
        f"{fewer}; or {_NUMBER_WORDS[wanted]} servers, and for each stream: nats stream edit {name} --replicas={wanted}"
    )


def _count(address: NatsAddress) -> int:
    return len(_streams(address, LedgerNames(address.ledger, address.shards or SHARDS)))


def _lost(address: NatsAddress, stream: str) -> Damaged:
    return Damaged(
        f"the stream {stream} of {address.name} is missing, with all that was in it", where=stream,
        accepts="the stream from a backup; or, to go on, `affray migrate`, the address with lost=accepted",
    )  # fmt: skip


def _not_migrated(address: NatsAddress, reason: str) -> NotMigrated:
    return NotMigrated(
        f"{address.name} {reason}: run affray migrate",
        where="ledger", accepts=f"affray --ledger '{address.shown}' migrate",
    )  # fmt: skip


def _servers_of(link: Link, answers: Iterable[StreamInfo]) -> set[str]:
    """Returns the names of all servers that have a copy of a stream.

    A server alone does not name itself: it is the connected one, unless that has no JetStream and passes requests on.
    """
    clusters = [each.cluster for each in answers if each.cluster is not None]
    leaders = {cluster["leader"] for cluster in clusters if cluster.get("leader")}
    copies = {replica["name"] for cluster in clusters for replica in cluster.get("replicas") or []}
    return leaders | copies or ({link.server} if link.has_jetstream else set())
