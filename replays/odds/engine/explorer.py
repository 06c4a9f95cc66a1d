"""Runs the rules from a state until a question is settled: exhaustively, or by sampling."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import msgspec

from ledger import events as e
from ledger.audience import Viewer
from ledger.commands import Choose, Command, Declare, TypeDice
from ledger.errors import Refused
from ledger.key import is_meant
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import Combat, fold
from projections.combatants.resources import Resources
from projections.path import Rest
from replays.odds.engine.branches import Branch, merged
from replays.odds.engine.dice_space import TooMany, throw, ways
from replays.odds.engine.forgotten import NOT_SHOWN, HiddenValueRead, Where
from replays.odds.engine.joint_table import JointTable
from replays.odds.engine.relevance import HiddenValues, Outcomes, forget, summed, tell, tell_all
from replays.odds.engine.shapes import Shapes
from replays.odds.engine.symbolic import Chances, DecisionPath, unchanged, unmarked
from replays.odds.engine.tally import Events, count, marked

_MOST_THROWS = 60_000
_MOST_STEPS = 200


RESTS_ON_HIDDEN = "the chances rest on what is hidden from you"


class Secret(Refused):
    """The odds would reveal something hidden from the viewer."""

    slug = "odds/secret"


class Spendable(BaseException):
    """A combatant may spend a resource and declines, so that this need not be offered again."""

    def __init__(self, what: frozenset[tuple[str, str]]) -> None:
        super().__init__()
        self.what = what


Found = list[tuple[Branch, DecisionPath]]


class Played(msgspec.Struct, frozen=True):
    """What follows from the branches that wait for the same rest: their next roll, played."""

    hidden: frozenset[Where]
    """The values that were hidden before they were merged; the rest holds while none of them is kept."""
    found: Found
    ended: list[Branch]
    outcomes: Outcomes
    """Outcomes of tests that are not read again."""


class Stage(msgspec.Struct, frozen=True):
    """The branches after a number of rolls."""

    found: Found
    """Branches that continue or have just ended, each with the path on which it was found."""
    ended: list[Branch]
    outcomes: Outcomes
    """Outcomes of tests that are not read again."""
    played: dict[Any, Played] = {}
    """What follows from these branches, as far as it was explored, by what they wait for."""


class Assumed(msgspec.Struct, frozen=True):
    """A choice on the way, and the option that was taken."""

    key: str
    by: str
    purpose: str
    option: str
    how: str
    """``given``, ``default``, or ``first`` where it has none."""


def _without_spending(stage: Stage, what: frozenset[tuple[str, str]]) -> Stage:
    """Returns a stage without resources that combatants decline to spend, to be played again."""
    return msgspec.structs.replace(
        stage, found=[(_unspent(world, what), path) for world, path in stage.found], played={}
    )


def _unspent(world: Branch, what: frozenset[tuple[str, str]]) -> Branch:
    if world.ended:
        return world
    having = {who: dict(mine) for who, mine in world.combat.resources.having.items()}
    for who, name in what:
        having[who][name] = msgspec.structs.replace(having[who][name], left=0)
    return msgspec.structs.replace(world, combat=msgspec.structs.replace(world.combat, resources=Resources(having)))


class Explorer:
    """Explores the possible courses from a state until the question is settled.

    Args:
        game: The rules.
        combat: The state.
        choices: Options to choose, by key or a shorthand.
        eyes: The viewer; refused where a course shows something hidden from them.
        faces: Known faces of rolls, by key.
    """

    def __init__(
        self,
        game: Ruleset,
        combat: Combat,
        choices: Mapping[str, str],
        eyes: Viewer,
        faces: Mapping[str, tuple[int, ...]] | None = None,
    ) -> None:
        self._game = game
        self._base = combat
        self._shapes = Shapes(combat)
        self._choices = choices
        self._eyes = eyes
        self._faces = faces or {}
        self.frame: str | None = None
        """The exchange whose end settles the question; None: it is settled once everything open is answered."""
        self._waiting = frozenset[str]()
        self._only: str | None = None
        self._asked_once: set[str] = set()
        self._all = False
        self.assumed: dict[tuple[str, str], Assumed] = {}
        self.rolled: dict[str, e.RollRequested] = {}
        """All rolls that were open at some time, by key."""
        self.outcomes: Outcomes = {}
        """Outcomes of tests, by key, after `all_ways`."""
        self.runs = 0

    # -------------------------------------------------------------------------------------------- start

    def from_rolls(self, key: str, *, only: bool = False) -> Branch:
        """Returns the branch that begins with an open roll, or with the answer to an open choice.

        Args:
            key: The key of the roll or the choice.
            only: Whether the question is settled once this roll is read.
        """
        self._only = key if only else None
        rest = next(rest for rest in self._base.rests if rest.key == key)
        frames = self._base.exchange.frames
        self.frame = frames[rest.depth - 1].key if 0 < rest.depth <= len(frames) else None
        if self.frame is None:
            self._waiting = frozenset(each.key for each in self._base.rests)
        for each in self._base.rests:
            if each.dice:
                self.rolled[each.key] = e.RollRequested(each.key, each.by, each.dice, each.purpose, "")
        start = Branch(Fraction(1), self._base, {})
        told, combat = self._with_choices((), self._base)
        return self._after(start, told, combat) if told else start

    def from_declaring(self, command: Declare) -> Branch:
        """Returns the branch that begins with a declaration.

        Raises:
            Refused: The declaration is illegal.
        """
        self.frame = self._base.exchange.next_key(self._base.clock.period, command.by, command.kind)
        told, combat = self._decided(self._base, command)
        return self._after(Branch(Fraction(1), self._base, {}), told, combat)

    # -------------------------------------------------------------------------------------------- exhaustively

    def all_ways(self, start: Branch, budget: int, on_spending: Callable[[], None] | None = None) -> list[Branch]:
        """Returns all final branches with their shares.

        Args:
            start: The branch to begin with.
            budget: The maximal number of runs of the rules.
            on_spending: Is called at each step of the work.

        Raises:
            TooMany: It takes more than the budget.
        """
        chances, sight = Chances(budget, on_spending), HiddenValues()
        self._all = True
        try:
            return self._all_ways(chances, start, sight)
        finally:
            self.runs = chances.runs

    def _all_ways(self, chances: Chances, start: Branch, sight: HiddenValues) -> list[Branch]:
        stages = [Stage([(start, chances.path)], [], {})]
        while stages[-1].found:
            if len(stages) > _MOST_STEPS:
                raise TooMany(f"not over after {_MOST_STEPS} steps")
            sight.stage = len(stages)
            try:
                stages.append(self._stage(chances, stages[-1], sight))
                self._shapes.forget()
            except HiddenValueRead as needed:
                if needed.where[0] == NOT_SHOWN:
                    raise
                del stages[sight.keep(needed.where) :]
            except Spendable as spendable:
                stages[-1] = _without_spending(stages[-1], spendable.what)
        self.outcomes = stages[-1].outcomes
        return stages[-1].ended

    def _stage(self, chances: Chances, last: Stage, sight: HiddenValues) -> Stage:
        """Plays the next roll of every branch."""
        waiting: dict[Any, Found] = {}
        for world, path in last.found:
            at = () if world.ended else (world.combat.path.levels, len(world.combat.path.rests))
            waiting.setdefault(at, []).append((world, path))
        for at, found in waiting.items():
            known = last.played.get(at)
            if known is not None and not any(map(sight.is_kept, known.hidden)):
                for where in known.hidden:
                    sight.put_out(where)
            else:
                last.played[at] = self._played(chances, found, sight)
        played = [last.played[at] for at in waiting]
        return Stage(
            [each for group in played for each in group.found],
            last.ended + [world for group in played for world in group.ended],
            summed(last.outcomes, *(group.outcomes for group in played)),
        )

    def _played(self, chances: Chances, found: Found, sight: HiddenValues) -> Played:
        """Plays the next roll of branches that wait for the same rest, after hiding in what they differ and merging."""
        outcomes: Outcomes = {}
        hidden = sight.noted()
        so = merged(chances, self._forgotten(found, outcomes, sight), self._shapes)
        ended = [world for world in so if world.ended]
        for world in ended:
            tell_all(world.share, world.tally, outcomes)
        more = [each for world in so if not world.ended for each in self._step(chances, world)]
        return Played(frozenset(hidden), more, ended, outcomes)

    def _forgotten(
        self, found: Found, outcomes: Outcomes, sight: HiddenValues
    ) -> Iterator[tuple[Branch, DecisionPath]]:
        """Yields the branches, all of which wait for the same rest, without differences that no later rule reads."""
        some = [(msgspec.structs.replace(world, tally=dict(world.tally)), path) for world, path in found]
        tell([(world.share, world.tally, path) for world, path in some], outcomes, sight)
        so = [world.combat for world, _ in some]
        for (world, path), combat in zip(some, so if some[0][0].ended else forget(so, sight), strict=True):
            yield msgspec.structs.replace(world, combat=combat), path

    def _step(self, chances: Chances, world: Branch) -> Iterator[tuple[Branch, DecisionPath]]:
        rest = self._next(world.combat)
        assert rest is not None, "it is over"
        known_faces = self._faces.get(rest.key)
        reading = self._game.reading(world.combat, rest.key)
        rows = ways(rest.dice, _MOST_THROWS, reading) if known_faces is None else [(known_faces, 1)]
        table = JointTable([number for _, number in rows])
        columns = zip(*(faces for faces, _ in rows), strict=True)
        faces = [chances.open(table, list(column)) for column in columns]

        def thrown(known: Callable[[Any], Any]) -> tuple[Events, Branch]:
            command = TypeDice(rest.key, tuple(map(known, faces)))
            combat = world.combat if known is unchanged else self._shapes.settled(world.combat, known)
            told, so = self._decided(combat, command)
            return told, self._after(world, told, so)

        for (_, after), path in chances.explore(thrown, lambda found: marked(found[0])):
            yield msgspec.structs.replace(after, share=world.share * path.share), path

    def _decided(self, combat: Combat, command: Command) -> tuple[Events, Combat]:
        """Decides a command, and the choices that follow it."""
        told = decide(self._game, combat, command)
        return self._with_choices(told, fold(told, combat))

    def _with_choices(self, told: Events, combat: Combat) -> tuple[Events, Combat]:
        """Decides the choices that come next in a state, after these events."""
        while not self._is_over(told) and (rest := self._next(combat)) is not None and not rest.dice:
            more = self._chosen(combat, rest)
            combat, told = fold(more, combat), told + more
        return told, combat

    # -------------------------------------------------------------------------------------------- sampling

    def one_way(self, start: Branch, random: Random) -> Branch:
        """Returns a final branch with thrown dice."""
        world, self._all = start, False
        for _ in range(_MOST_STEPS):
            if world.ended:
                return world
            rest = self._next(world.combat)
            assert rest is not None, "it is over"
            self.runs += 1
            faces = throw(rest.dice, random.randrange)
            world = self._after(world, *self._decided(world.combat, TypeDice(rest.key, faces)))
        return self._over(world)

    # -------------------------------------------------------------------------------------------- both ways

    def _next(self, combat: Combat) -> Rest | None:
        """Returns the rest to answer next; None where the question is settled, or a combatant must choose an action."""
        rests = combat.rests
        if self.frame is None:
            rests = tuple(rest for rest in rests if rest.key in self._waiting)
        rest = next(iter(rests), None)
        if rest is None or rest.dice or any(option.option not in self._game.kinds for option in rest.options):
            return rest
        return None

    def _is_over(self, told: Events) -> bool:
        return any(map(self._ends, told))

    def _ends(self, event: e.Event) -> bool:
        if isinstance(event, e.TestResolved):
            return event.key == self._only
        return isinstance(event, e.ExchangeEnded) and event.key == self.frame

    def _chosen(self, combat: Combat, rest: Rest) -> Events:
        """Takes the given option, else the default, else the first legal one."""
        offered = [option.option for option in rest.options if option.option not in self._game.kinds]
        given = next((option for short, option in self._choices.items() if is_meant(short, rest.key, rest.by)), None)
        if given is not None:
            how, tried = "given", [given]
        elif rest.default is not None:
            how, tried = "default", [rest.default]
        else:
            how, tried = "first", offered
        for nth, option in enumerate(tried, 1):
            try:
                told = decide(self._game, combat, Choose(rest.key, option))
            except Refused:
                if nth == len(tried):
                    raise
                continue
            self.assumed[rest.key, option] = Assumed(rest.key, rest.by, unmarked(rest.purpose), option, how)
            if how == "default" and self._all and rest.key not in self._asked_once:
                self._asked_once.add(rest.key)
                self._note_spendable(combat, rest)
            return told
        raise AssertionError("a choice without options")

    def _note_spendable(self, combat: Combat, rest: Rest) -> None:
        """Notes resources that every other option would spend, so that they are not offered again.

        Raises:
            Spendable: Such resources, with their owners.
        """
        spent: set[tuple[str, str]] = set()
        for option in rest.options:
            if option.option != rest.default:
                told = decide(self._game, combat, Choose(rest.key, option.option))
                mine = {(event.who, event.resource) for event in told if isinstance(event, e.ResourceSpent)}
                if not mine:
                    return
                spent |= mine
        if spent:
            raise Spendable(frozenset(spent))

    def _over(self, world: Branch) -> Branch:
        return Branch(world.share, self._base, world.tally, ended=True)

    def _after(self, world: Branch, told: Events, combat: Combat) -> Branch:
        tally, ended = dict(world.tally), False
        for event in told:
            if not self._eyes.may_see(event.seen_by):
                raise Secret(RESTS_ON_HIDDEN, where="odds", accepts="ask the gamemaster")
            if isinstance(event, e.RollRequested):
                self.rolled[event.key] = event
            count(tally, event)
            if self._ends(event):
                ended = True
                break
        ended = ended or self._next(combat) is None
        return Branch(world.share, self._base if ended else combat, tally, ended)
