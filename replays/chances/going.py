"""Going on from what is so until what was asked about is over: on all ways at once, or on one way after another."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import msgspec

from ledger import events as e
from ledger.audience import Viewer
from ledger.commands import Choose, Command, Declare, TypeDice
from ledger.errors import Refused
from ledger.key import is_meant
from machines.decider import decide
from machines.ruleset import Ruleset
from projections.combat import Combat, fold
from projections.path import Rest
from replays.chances.faces import TooMany, throw, ways
from replays.chances.unthrown import Chances, Table, Unthrown, mark_in, unmarked
from replays.chances.worlds import Tally, World, merged, settled

_MOST_THROWS = 60_000
_MOST_STEPS = 200
_ONLY_TOLD = frozenset({"why", "source", "label", "purpose", "words"})
"""Fields that are read by people only."""


class Secret(Refused):
    """The chances would tell what whoever asks may not see."""

    slug = "odds/secret"


class Assumed(msgspec.Struct, frozen=True):
    """A choice on the way, and what was taken."""

    key: str
    by: str
    purpose: str
    option: str
    how: str
    """``given``, ``default``, or ``first`` where it has none."""


class Going:
    """What is asked about, and where it is over.

    Args:
        game: The rules.
        combat: What is so.
        choices: What is chosen, by key or a shorthand of one.
        eyes: Whoever asks; where the way there shows what they may not see, it is refused.
    """

    def __init__(self, game: Ruleset, combat: Combat, choices: Mapping[str, str], eyes: Viewer) -> None:
        self._game = game
        self._base = combat
        self._choices = choices
        self._eyes = eyes
        self.frame: str | None = None
        """The exchange with which it is over; without one, it is over once all that is open is answered."""
        self._waiting = frozenset[str]()
        self.assumed: dict[tuple[str, str], Assumed] = {}
        self.rolled: dict[str, e.RollRequested] = {}
        """All rolls that were open at some time, by key."""
        self.runs = 0

    # -------------------------------------------------------------------------------------------- where it begins

    def from_rolls(self, key: str) -> World:
        """Begin with an open roll."""
        rest = next(rest for rest in self._base.rests if rest.key == key)
        frames = self._base.exchange.frames
        self.frame = frames[rest.depth - 1].key if 0 < rest.depth <= len(frames) else None
        if self.frame is None:
            self._waiting = frozenset(each.key for each in self._base.rests)
        for each in self._base.rests:
            if each.dice:
                self.rolled[each.key] = e.RollRequested(each.key, each.by, each.dice, each.purpose, "")
        return World(Fraction(1), self._base, {})

    def from_declaring(self, command: Declare) -> World:
        """Begin with a declaration.

        Raises:
            Refused: It cannot be declared.
        """
        told = decide(self._game, self._base, command)
        declared = next((event for event in told if isinstance(event, e.Declared)), None)
        self.frame = declared.key if declared is not None else None
        return self._after(World(Fraction(1), self._base, {}), told)

    # -------------------------------------------------------------------------------------------- on all ways

    def all_ways(self, start: World, budget: int) -> list[World]:
        """How it may end, and how likely that is.

        Raises:
            TooMany: It takes more than the budget.
        """
        chances = Chances(budget)
        open_, ended = [start], list[World]()
        for _ in range(_MOST_STEPS):
            found = [each for world in open_ for each in self._step(chances, world)]
            self.runs = chances.runs
            worlds = merged(chances, found, self._base)
            ended += [world for world in worlds if world.ended]
            open_ = [world for world in worlds if not world.ended]
            if not open_:
                return ended
        raise TooMany(f"not over after {_MOST_STEPS} steps")

    def _step(self, chances: Chances, world: World) -> Iterator[tuple[World, Any]]:
        rest = self._next(world)
        if rest is None:
            path = chances.explore(lambda _: None, lambda _: "")[0][1]
            yield self._over(world), path
            return
        for (told, so), path in self._ways(chances, world, rest):
            after = self._after(msgspec.structs.replace(world, combat=so), told, so)
            yield msgspec.structs.replace(after, share=world.share * path.share), path

    def _ways(self, chances: Chances, world: World, rest: Rest) -> Any:
        if rest.dice:
            rows = ways(rest.dice, _MOST_THROWS)
            table = Table([number for _, number in rows])
            columns = list(zip(*(faces for faces, _ in rows), strict=True))
            faces = [chances.open(table, list(column)) for column in columns]
            return chances.explore(
                lambda known: self._decided(world.combat, TypeDice(rest.key, tuple(map(known, faces))), known), _marked
            )
        return self._chosen(
            world.combat,
            rest,
            lambda command: chances.explore(lambda known: self._decided(world.combat, command, known), _marked),
        )

    def _decided(
        self, combat: Combat, command: Command, known: Callable[[Any], Any]
    ) -> tuple[tuple[e.Event, ...], Combat]:
        combat = settled(combat, known)
        told = decide(self._game, combat, command)
        return told, fold(told, combat)

    # -------------------------------------------------------------------------------------------- on one way

    def one_way(self, start: World, random: Random) -> World:
        """How it ends with dice that are thrown."""
        world = start
        for _ in range(_MOST_STEPS):
            rest = self._next(world)
            if world.ended or rest is None:
                return self._over(world)
            self.runs += 1
            if rest.dice:
                faces = throw(rest.dice, random.randrange)
                told = decide(self._game, world.combat, TypeDice(rest.key, faces))
            else:
                combat = world.combat
                told = self._chosen(combat, rest, lambda command, combat=combat: decide(self._game, combat, command))
            world = self._after(world, told)
        return self._over(world)

    # -------------------------------------------------------------------------------------------- both

    def _next(self, world: World) -> Rest | None:
        """What is answered next; None where it is over."""
        rests = world.combat.rests
        if self.frame is None:
            rests = tuple(rest for rest in rests if rest.key in self._waiting)
        rest = next(iter(rests), None)
        if rest is None or rest.dice or any(option.option not in self._game.kinds for option in rest.options):
            return rest
        return None  # what to do next is for people

    def _chosen(self, combat: Combat, rest: Rest, perform: Callable[[Command], Any]) -> Any:
        """Take the option that is given, or the default, or the first that can be taken."""
        offered = [option.option for option in rest.options if option.option not in self._game.kinds]
        given = next((option for short, option in self._choices.items() if is_meant(short, rest.key, rest.by)), None)
        if given is not None:
            how, tried = "given", [given]
        elif rest.default is not None:
            how, tried = "default", [rest.default]
        else:
            how, tried = "first", offered
        for option in tried:
            try:
                done = perform(Choose(rest.key, option))
            except Refused:
                if option == tried[-1]:
                    raise
                continue
            self.assumed[rest.key, option] = Assumed(rest.key, rest.by, unmarked(rest.purpose), option, how)
            return done
        raise AssertionError("a choice without options")

    def _over(self, world: World) -> World:
        return World(world.share, self._base, world.tally, ended=True)

    def _after(self, world: World, told: tuple[e.Event, ...], combat: Combat | None = None) -> World:
        tally, ended = dict(world.tally), False
        for event in told:
            if not self._eyes.may_see(event.seen_by):
                raise Secret("the chances would tell what is secret", where="odds", accepts="ask the gamemaster")
            if isinstance(event, e.RollRequested):
                self.rolled[event.key] = event
            _count(tally, event)
            if isinstance(event, e.ExchangeEnded) and event.key == self.frame:
                ended = True
                break
        so = self._base if ended else fold(told, world.combat) if combat is None else combat
        return World(world.share, so, tally, ended)


def _count(tally: Tally, event: e.Event) -> None:
    match event:
        case e.DamageTaken():
            _add(tally, ("track", event.who, event.track), event.amount)
        case e.WoundSuffered():
            _add(tally, ("wounds", event.who, event.kind), event.count)
        case e.ConditionGained():
            tally["condition", event.who, event.condition] = True
        case e.TestResolved():
            tally["test", event.key] = event.outcome
            tally["target", event.key] = event.target
        case e.Overruled(figure="outcome"):
            tally["test", event.key] = event.gm_says
        case e.InitiativeScored():
            tally["score", event.who] = event.score
        case e.ExchangeEnded():
            tally["exchange", event.key] = event.outcome


def _add(tally: Tally, key: tuple[str, ...], amount: Any) -> None:
    tally[key] = tally.get(key, 0) + amount


def _marked(found: tuple[tuple[e.Event, ...], Combat]) -> str:
    """The first mark in anything that counts."""
    return next(filter(None, (mark for event in found[0] for mark in _marks(event))), "")


def _marks(value: Any) -> Iterator[str]:
    if type(value) is Unthrown:
        return
    if isinstance(value, str):
        yield mark_in(value)
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            if field not in _ONLY_TOLD:
                yield from _marks(getattr(value, field))
    elif isinstance(value, Mapping):
        yield from _marks(tuple(value.items()))
    elif isinstance(value, Iterable):
        for each in value:
            yield from _marks(each)
