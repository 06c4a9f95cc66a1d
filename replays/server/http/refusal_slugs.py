"""Lists, for each operation of the OpenAPI document, the refusals that it may answer, by status and slug.

Each response of a refusal names its slugs in the description, for people, and with their meanings in `x-slugs`, for
programs. A group holds the refusals of one cause; an operation has the groups that its description calls for (a token,
a session, a body, the headers of a writer), and those of `GROUPS` that are special to it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ledger import errors
from ledger.errors import Refused
from machines.contract import refusals as rules
from replays.api.seat_refusals import HiddenReason
from replays.audit.why import NothingThere
from replays.campaigns.listing import NoSuchCampaign
from replays.corrections.amend import Drifted
from replays.corrections.refusals import BadChange
from replays.odds.engine.explorer import Secret
from replays.odds.fight.chances import FightTooLong
from replays.odds.luck import NoDice
from replays.odds.odds import NoOpenRoll, UnknownKey
from replays.scripts.format import BadScript
from replays.scripts.sheet_files import BadFile, NoSuchSheet
from replays.server.callers import tokens
from replays.server.http import problems
from replays.server.reference.qr_codes import TooLongForCode
from replays.server.routes.common import refusals
from replays.server.routes.host.campaigns import BadCampaignName
from replays.server.routes.lines import BareLine
from replays.server.routes.performing import BareShorthand
from replays.server.runtime.worker import TooLarge
from replays.server.webhooks import refusals as webhooks
from replays.sessions.disclose import NothingHidden
from replays.sessions.drafts import DrawsNothing
from replays.sessions.undo import NothingToRedo, NothingToUndo
from replays.table.language.grammar import NotUnderstood

Kinds = tuple[type[Refused], ...]
FIELD = "x-slugs"
"""The field of a response with its slugs: each with its meaning."""
BEFORE_SLUGS = " Slugs: "
"""What separates the description of a response from the names of its slugs."""


def _below(*bases: type[Refused]) -> Kinds:
    """Returns all refusals that are derived from these bases."""
    return tuple(each for base in bases for kind in base.__subclasses__() for each in (kind, *_below(kind)))


_ANY: Kinds = (
    problems.SlowBody, problems.TooOften, problems.TooSlow, problems.TooMuch, problems.Ending,
)  # fmt: skip
_TOKEN: Kinds = (tokens.NoToken, tokens.BadToken, tokens.Expired, rules.NotAllowed)
_STORE: Kinds = (
    errors.ForeignFile, errors.Damaged, errors.ReadOnly, errors.Full, errors.Busy, errors.NotMigrated, errors.Unusable,
    errors.NoWrites, errors.HeadsBroken,
)  # fmt: skip
_RECORD: Kinds = (
    errors.Unreadable, errors.Newer, errors.Broken, errors.Cut, errors.TombstoneBroken, errors.CheckpointBroken,
    errors.Inconsistent, rules.UnknownRuleset, rules.UnknownVersion, rules.UnreadableRecord,
)  # fmt: skip
_SEAT: Kinds = (tokens.Revoked, tokens.OtherSession, errors.NoSuchSession, errors.SessionDeleted)
_WRITTEN: Kinds = (errors.Oversized, errors.Unsure, errors.BadCommand)
_DECIDED: Kinds = (*_below(rules.RuleRefused, errors.DiceRefused), HiddenReason, errors.BadCommand)
_CORRECTED: Kinds = (*_DECIDED, BadChange, Drifted, DrawsNothing, BadScript, errors.NoSuchEntry)
_OPENED: Kinds = (
    rules.UnknownRuleset, rules.UnknownProfile, rules.BadOption, rules.UnknownPolicy, tokens.NoSuchSeat,
)  # fmt: skip
_IMPORTED: Kinds = (*_RECORD, *_WRITTEN, *_DECIDED, errors.SessionExists, errors.SessionDeleted, errors.BadSessionId)
_LONG: Kinds = (TooLarge,)
_HOOK: Kinds = (webhooks.NoSuchHook, webhooks.HooksOff)
_CAMPAIGN: Kinds = (NoSuchCampaign, BadCampaignName)
_HOLDER: Kinds = (tokens.Revoked, errors.NoSuchSession, errors.SessionDeleted)
_NAMED: Kinds = (rules.UnknownRuleset, rules.BadTable)
_ASKED: Kinds = (NothingThere, NoOpenRoll, UnknownKey, Secret, NoDice, rules.BadTable, *_LONG)
_TYPED: Kinds = (
    *_CORRECTED, *_WRITTEN, *_ASKED, NothingToUndo, NothingToRedo, NothingHidden, BareLine,
    NotUnderstood, *_below(NotUnderstood), NoSuchSheet, BadFile,
)  # fmt: skip

GROUPS: Mapping[str, Kinds] = {
    "foundSession": (*_OPENED, *_WRITTEN),
    "listSessions": (errors.NoSuchSession, *_RECORD),
    "importSession": _IMPORTED,
    "deleteSession": (errors.NoSuchSession, errors.SessionDeleted, *_WRITTEN),
    **dict.fromkeys(("archiveSession", "unarchiveSession"), (errors.Unsure,)),
    "issueToken": (tokens.NoSuchSeat, *_WRITTEN),
    "renewToken": (tokens.NeverExpires, tokens.Revoked, errors.NoSuchSession, errors.SessionDeleted, *_WRITTEN),
    "revokeToken": (tokens.NoSuchToken, errors.Unsure),
    "getState": (errors.NoSuchEntry,),
    "perform": (
        *_CORRECTED, *_WRITTEN, NothingToUndo, NothingToRedo, NothingHidden, BareShorthand,
    ),
    "undo": (NothingToUndo, errors.NoSuchEntry, *_WRITTEN),
    "redo": (NothingToRedo, *_WRITTEN),
    "sendLine": _TYPED,
    "understandLine": _LONG,
    "amend": (*_CORRECTED, *_WRITTEN),
    "previewAmend": (*_CORRECTED, *_LONG),
    "whatIf": (*_CORRECTED, *_LONG),
    "branch": (*_CORRECTED, *_LONG),
    "explain": (NothingThere, rules.NoSuchRoll, rules.UnknownCombatant, errors.NoSuchEntry, *_LONG),
    "getOutline": _LONG,
    "getReplay": _LONG,
    "getSteps": (errors.NoSuchEntry, *_LONG),
    "odds": (*_DECIDED, NoOpenRoll, UnknownKey, Secret, *_LONG),
    "getChances": (errors.NoSuchEntry, *_DECIDED, Secret, FightTooLong, *_LONG),
    "luck": (NoDice, *_LONG),
    "getRecap": _LONG,
    "audit": _LONG,
    "listDisputes": _LONG,
    "getDispute": (rules.NoSuchDispute, *_LONG),
    "feed": (errors.NoSuchEntry, problems.TooManyFeeds),
    "createHook": (webhooks.BadHookAddress, webhooks.TooManyHooks, webhooks.HooksOff, errors.NoSuchEntry),
    "listHooks": (webhooks.HooksOff,),
    **dict.fromkeys(("deleteHook", "activateHook", "pingHook", "replaceHookSecret"), _HOOK),
    "getCampaign": _CAMPAIGN,
    "getCampaignLuck": (*_CAMPAIGN, NoDice, errors.NoSuchSession, errors.SessionDeleted, *_RECORD, *_LONG),
    "getCampaignRulings": _CAMPAIGN,
    "getRuleset": _NAMED,
    "getTable": _NAMED,
    "getChart": _NAMED,
    "getSchemas": _NAMED,
    "getSheet": _NAMED,
    "drawQrCode": (*_HOLDER, TooLongForCode),
    "checkSheets": (*_HOLDER, *_NAMED, BadFile, rules.BadSheet),
    "ready": _STORE,
}  # fmt: skip
"""The refusals that are special to an operation."""
_OF_HEADERS: Mapping[str, Kinds] = {
    "If-Match": (problems.BadHeader, errors.Stale),
    "Idempotency-Key": (errors.KeyReused, errors.BadIdempotencyKey),
    "Last-Event-ID": (problems.BadHeader,),
}
_FRAMEWORK = {
    400: {"request/invalid": "The path, the query, a header or the body is not as it is described here."},
    500: {"internal": "A fault of the server; its log has the details."},
}
"""Refusals that have no class: the slugs by status, with their meanings."""


def list_refusals(operation: dict[str, Any], path: str) -> None:
    """Adds to each refusal of an operation its slugs; and the responses that the route does not document itself.

    Args:
        operation: The operation; its responses are changed.
        path: Its path.
    """
    for status, slugs in _slugs(operation, path).items():
        answer = operation["responses"].setdefault(str(status), _undocumented(operation, status))
        names = ", ".join(f"`{slug}`" for slug in slugs)
        answer["description"] = f"{answer['description']}{BEFORE_SLUGS}{names}."
        answer[FIELD] = slugs
    operation["responses"] = dict(sorted(operation["responses"].items()))


def _undocumented(operation: Mapping[str, Any], status: int) -> dict[str, Any]:
    """Returns the documentation of a refusal with a status that the route does not name."""
    content = operation["responses"]["500"]["content"]
    return {"description": str(refusals(status)[status].description), "content": content}


def _slugs(operation: Mapping[str, Any], path: str) -> dict[int, dict[str, str]]:
    """Returns the slugs of an operation's refusals by status, each with its meaning."""
    found = {status: dict(slugs) for status, slugs in _FRAMEWORK.items()}
    for kind in sorted(set(_kinds(operation, path)), key=lambda kind: (kind.slug, len(kind.__mro__))):
        meaning = (kind.__doc__ or "").partition("\n")[0]
        found.setdefault(problems.status_of_kind(kind), {}).setdefault(kind.slug, meaning)
    return found


def _kinds(operation: Mapping[str, Any], path: str) -> Iterator[type[Refused]]:
    yield from _ANY
    yield from GROUPS.get(operation["operationId"], ())
    if operation.get("security"):
        yield from (*_TOKEN, *_STORE)
    if "{session}" in path or path == "/v1/me":
        yield from (*_SEAT, *(() if "/tokens" in path else _RECORD))
    if "requestBody" in operation:
        yield problems.TooLong
    yield from _of_headers(operation.get("parameters", ()))


def _of_headers(parameters: Iterable[Mapping[str, Any]]) -> Iterator[type[Refused]]:
    for parameter in parameters:
        yield from _OF_HEADERS.get(parameter["name"], ())
