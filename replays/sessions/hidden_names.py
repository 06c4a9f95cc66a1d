"""Hides combatants who join in secret: gives them ids without meaning, and replaces their names by ids in commands."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any

import msgspec

from ledger.audience import Viewer, includes, shared
from ledger.commands import ApplyModifier, Command, DrawDice, Join, Note, TellDice, TypeDice
from ledger.entry import Seat, Who
from ledger.events import Audience
from ledger.key import UNSEEN
from machines.contract.refusals import Taken
from machines.registry import vocabulary_of
from machines.secrecy.hidden_names import named, secrecy
from projections.combat import Combat
from projections.path import Rest
from projections.vocabulary import USUAL

_WORDS = frozenset({"why", "text", "words", "claim", "ruling", "note", "name", "sheet"})
"""Fields of commands with free text, and others that name no combatant."""


def joined(combat: Combat, command: Command) -> Command:
    """Returns a secret `Join` with a free id, hidden from all but the gamemaster unless it has an audience.

    Any other command is returned unchanged, and so is a `Join` that is performed again and has its id.

    Raises:
        Taken: A combatant who joined in secret has that name already.
    """
    if not isinstance(command, Join):
        return command
    if command.who in Names(combat).ids:
        raise Taken(f"{command.who} has joined already", where="who", accepts="another id")
    if not (command.unseen or command.seen_by is not None) or command.who.startswith(UNSEEN):
        return command
    who = next(name for name in map(f"{UNSEEN}{{}}".format, count(1)) if name not in combat.roster)
    seen_by = tuple(who if each == command.who else each for each in command.seen_by or ())
    sheet_seen_by = command.sheet_seen_by
    if sheet_seen_by is not None:
        sheet_seen_by = tuple(who if each == command.who else each for each in sheet_seen_by)
    return msgspec.structs.replace(
        command, who=who, name=command.name or command.who, alias=command.who, unseen=True, seen_by=seen_by,
        sheet_seen_by=sheet_seen_by,
    )  # fmt: skip


def as_secret(command: Command, combat: Combat) -> Command:
    """Returns a command about a hidden combatant as secret as the combatant; any other command unchanged."""
    seen_by = secrecy(command, combat)
    return command if seen_by is None else msgspec.structs.replace(command, seen_by=shared([command.seen_by, seen_by]))


def answering(command: Command, combat: Combat) -> Command:
    """Returns dice and modifiers as secret as the roll that they answer; any other command unchanged."""
    if not isinstance(command, TypeDice | DrawDice | TellDice | ApplyModifier):
        return command
    seen_by = shared([command.seen_by, *(rest.seen_by for rest in combat.path.asked if rest.key == command.key)])
    return command if seen_by == command.seen_by else msgspec.structs.replace(command, seen_by=seen_by)


def noted(command: Command, by: Who, combat: Combat) -> Command:
    """Returns the gamemaster's note about a hidden combatant as secret as the combatant; any other command unchanged.

    A player's note is never changed, so that it cannot reveal to them who is hidden.
    """
    if by.seat is not Seat.GM or not isinstance(command, Note):
        return command
    hidden = combat.roster.hidden()
    known_to = hidden.get(named(command.about, hidden))
    if known_to is None:
        return command
    return msgspec.structs.replace(command, seen_by=shared([command.seen_by, known_to]))


def given_at(combat: Combat, command: Command) -> str | None:
    """Returns the key of the rest that a command is given at; None if its audience sees no open rest.

    Args:
        combat: The state before the command.
        command: The command with its audience; if it names a rest, only that rest is considered.
    """
    named = command.given_at
    if named is not None and all(rest.key != named for rest in combat.path.asked):
        return named
    rests = rests_visible_to(combat, command.seen_by)
    return next((rest.key for rest in rests if named in (None, rest.key)), None)


def rests_visible_to(combat: Combat, seen_by: Audience) -> Iterator[Rest]:
    """Yields the rests for which the table waits, as far as everyone of an audience can see.

    An exchange that is hidden from the audience interrupts nothing for it: the rests before that exchange stay open.
    """
    hidden = combat.roster.hidden()
    frames = combat.exchange.frames
    of_frames = [hidden.get(frame.by) if frame.by.startswith(UNSEEN) else frame.seen_by for frame in frames]
    depth = max((place for place, audience in enumerate(of_frames, 1) if includes(audience, seen_by)), default=0)
    for rest in combat.path.asked:
        if rest.depth >= depth and includes(_audience(combat, rest), seen_by):
            yield rest


def _audience(combat: Combat, rest: Rest) -> Audience:
    """Returns who may see an open rest: for a secret declaration, those who see the declaration."""
    frames = (frame for frame in reversed(combat.exchange.frames) if rest.key.startswith(f"{frame.key}/"))
    frame = next(frames, None)
    of_frame = frame.seen_by if frame is not None and frame.by == rest.by else None
    return shared([combat.roster.hidden().get(rest.by), of_frame, rest.seen_by])


class Names:
    """The names of combatants who joined in secret, as far as a viewer knows them.

    The gamemaster can give the name of a combatant who has left to another one. For any other viewer a known name keeps
    its id, because the combatant may have left in secret.

    Args:
        combat: The present state.
        eyes: The viewer; by default the gamemaster.
    """

    def __init__(self, combat: Combat, eyes: Viewer | None = None) -> None:
        self.ids: Mapping[str, str] = {
            name: who
            for who, one in combat.roster.who.items()
            if one.names and (one.here if eyes is None else eyes.may_see(one.known_to))
            for name in one.names
            if name not in combat.roster
        }
        """The id of each name."""
        terms = vocabulary_of(combat.session.ruleset).terms if self.ids else USUAL.terms
        self._nobody = _WORDS.union(terms.things, terms.written, (terms.deed,))

    def of(self, who: str) -> str:
        """Returns the id that an id or a name means."""
        return self.ids.get(who, who)

    def key(self, key: str) -> str:
        """Returns a key, a shorthand or ``who.what`` with ids in place of names."""
        if not self.ids:
            return key
        if key in self.ids:
            return self.ids[key]
        whole, dot, what = key.partition(".")
        return "/".join(self.of(part) for part in whole.split("/")) + dot + what

    def plain(self, value: Any, field: str = "") -> Any:
        """Returns a plain value with ids in place of names; names of things and free text are kept."""
        if not self.ids or field in self._nobody:
            return value
        match value:
            case str():
                return self.key(value)
            case dict():
                return {self.key(name): self.plain(each, name) for name, each in value.items()}
            case list() | tuple():
                return type(value)(self.plain(each, field) for each in value)
            case _:
                return value

    def command(self, command: Command) -> Command:
        """Returns a command with ids in place of names."""
        if not self.ids:
            return command
        changed = dict(_named(command, self))
        return msgspec.structs.replace(command, **changed) if changed else command


def _named(command: Command, names: Names) -> Iterator[tuple[str, Any]]:
    """Yields the fields that contain a name, with ids in place of names."""
    fields: Iterable[str] = ("who", "by", "key", "about", "seen_by", "to", "terms", "change", "situation")
    if isinstance(command, Join):  # whose id and name are their own
        fields = ("seen_by", "sheet_seen_by")
    for field in fields:
        if not hasattr(command, field) or (field == "to" and not isinstance(command.to, tuple)):  # type: ignore[attr-defined]
            continue
        value = getattr(command, field)
        right = names.plain(value, field)
        if right != value:
            yield field, right
