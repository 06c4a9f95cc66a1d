"""Policies, nonces, and revealing the seed and secrets, as the engine alone decides them."""

from collections.abc import Mapping

import msgspec
import pytest

from ledger import draw
from ledger.commands import BeginCombat, Command, EndCombat, GiveNonce, Join, OpenSession, Reveal, TypeDice
from ledger.errors import Refused
from ledger.events import NameGiven, NonceGiven, OrderFixed, SecretRevealed, SeedRevealed
from machines.contract.refusals import (
    BadNonce,
    NonceGivenBefore,
    NotInSecret,
    NotProvable,
    SeedIsOut,
    UnknownPolicy,
    Unsupported,
    WrongSeed,
)
from machines.contract.ruleset import ruleset
from machines.engine.agreements import HANDLERS, agreed
from machines.engine.decide import decide
from machines.engine.walk import Walk
from projections.combat import Combat, fold
from replays.api.session import Session

GAME = ruleset("eclipse_phase_1e")
SEED = bytes(range(160, 192))
SHEET = {"init": 50, "durability": 30, "aptitudes": {"som": 20, "wil": 15}, "skills": {"fray": 40}}
POLICIES: Mapping[str, tuple[str, str]] = {
    "dice": ("sticky", "fresh"), "hidden_turns": ("nothing", "someone"), "hidden_parts": ("no value", "value"),
}  # fmt: skip


def after(*commands: Command) -> Combat:
    combat = Combat()
    for command in commands:
        combat = fold(decide(GAME, combat, command), combat)
    return combat


def sealed(*commands: Command) -> Combat:
    """Returns the state of a session with a commitment to a seed, after these commands."""
    return after(OpenSession("t", GAME.name, dice_commitment=draw.commitment(SEED)), *commands)


def refused(combat: Combat, command: Command, kind: type[Refused]) -> tuple[str, str]:
    with pytest.raises(kind) as refusal:
        decide(GAME, combat, command)
    assert type(refusal.value) is kind
    return refusal.value.where, refusal.value.accepts


# ------------------------------------------------------------------------------------------------ policies


@pytest.mark.parametrize("name", POLICIES)
def test_a_table_agrees_on_one_of_the_values_of_a_policy(name: str) -> None:
    for value in POLICIES[name]:
        assert agreed({name: value}) == {name: value}
    with pytest.raises(UnknownPolicy, match=f"{name} cannot be 'whatever'") as refusal:
        agreed({name: "whatever"})
    assert (refusal.value.where, refusal.value.accepts) == (f"policies.{name}", ", ".join(POLICIES[name]))


def test_a_policy_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownPolicy, match="there is no policy 'weather'") as refusal:
        agreed({"dice": "fresh", "weather": "rain"})

    assert (refusal.value.where, refusal.value.accepts) == ("policies", ", ".join(POLICIES))


# ------------------------------------------------------------------------------------------------ nonces


def test_each_player_gives_one_nonce() -> None:
    combat = sealed(GiveNonce("kira", "sword"))

    assert decide(GAME, sealed(), GiveNonce("kira", "sword")) == (NonceGiven("kira", "sword"),)
    assert decide(GAME, combat, GiveNonce("sam", "sword")) == (NonceGiven("sam", "sword"),)
    assert refused(combat, GiveNonce("kira", "other"), NonceGivenBefore) == ("player", "one nonce from each player")


@pytest.mark.parametrize("words", ["", "x" * 129, "two\nlines", "tab\t"])
def test_a_nonce_and_who_gives_it_are_1_to_128_characters_that_can_be_printed(words: str) -> None:
    accepts = "1 to 128 printable characters"

    assert refused(sealed(), GiveNonce(words, "sword"), BadNonce) == ("player", accepts)
    assert refused(sealed(), GiveNonce("kira", words), BadNonce) == ("nonce", accepts)
    for good in ("x", "x" * 128):
        assert decide(GAME, sealed(), GiveNonce(good, good)) == (NonceGiven(good, good),)


# ------------------------------------------------------------------------------------------------ the seed


def test_the_seed_that_was_committed_to_is_opened_and_no_other() -> None:
    other, capital = bytes(32).hex(), SEED.hex().upper()

    assert decide(GAME, sealed(), Reveal(seed=SEED.hex())) == (SeedRevealed(SEED.hex()),)
    for seed in ("", "no seed", other, capital, f" {SEED.hex()}", SEED.hex()[:-2]):
        assert refused(sealed(), Reveal(seed=seed), WrongSeed) == ("seed", "the sealed seed")


@pytest.mark.parametrize("command", [GiveNonce("kira", "sword"), Reveal(seed=SEED.hex())], ids=["nonce", "seed"])
def test_what_the_dice_hang_on_is_said_before_everyone_and_until_the_seed_is_out(command: Command) -> None:
    unsealed, out = after(OpenSession("t", GAME.name)), sealed(Reveal(seed=SEED.hex()))
    secret = msgspec.structs.replace(command, seen_by=())

    assert refused(unsealed, command, NotProvable) == ("session", "a session that begins with a commitment")
    assert refused(out, command, SeedIsOut) == ("session", "typed dice")
    assert refused(sealed(), secret, NotInSecret) == ("seen_by", "everyone")


@pytest.mark.parametrize("command", [Reveal(seed=SEED.hex(), to=("kira",)), Reveal(seed=SEED.hex(), parts=("a",))])
def test_the_seed_is_shown_to_everyone_and_has_no_parts(command: Reveal) -> None:
    accepts = "the entry that hides them; or no parts and no audience, to reveal the seed"

    assert refused(sealed(), command, Unsupported) == ("entry", accepts)


# ------------------------------------------------------------------------------------------------ what an entry hides


@pytest.fixture
def ambush() -> Session:
    """A fight in which Bob has joined in secret, hidden from Ann."""
    session = Session.create("memory://", ruleset=GAME.name)
    session.perform(Join("ann", SHEET))
    session.perform(Join("bob", SHEET, "Bob", unseen=True))
    return session


def test_parts_of_an_entry_are_shown_to_some_and_as_secretly_as_it_was_asked_for(ambush: Session) -> None:
    for seen_by in (None, ("kira",)):
        command = Reveal(2, ("sheet",), ("kira",), seen_by=seen_by)
        walk = Walk(ambush.combat, GAME.charts, (), GAME)
        HANDLERS[Reveal](GAME, walk, command)
        shown = (SecretRevealed(2, ("sheet",), ("kira",), seen_by=seen_by),)
        assert shown == tuple(walk.events) == decide(GAME, ambush.combat, command)


def test_who_joined_in_secret_is_known_with_their_place_once_they_have_one(ambush: Session) -> None:
    (bob,) = ambush.combat.roster.hidden()
    reveal = Reveal(3, ("name",), ("kira",), who=bob)
    named = (SecretRevealed(3, ("name",), ("kira",)), NameGiven(bob, "Bob", seen_by=("kira",)))

    assert decide(GAME, ambush.combat, reveal) == named
    ambush.perform(BeginCombat())
    ambush.perform(TypeDice("r1/ann/initiative", (30,)))
    assert decide(GAME, ambush.combat, reveal) == named
    ambush.perform(TypeDice(f"r1/{bob}/initiative", (20,)))
    order = ambush.combat.initiative.order
    assert OrderFixed(order, seen_by=("kira",)) in decide(GAME, ambush.combat, reveal)
    ambush.perform(EndCombat())
    assert decide(GAME, ambush.combat, reveal) == named


def test_who_joined_in_secret_during_a_fight_is_known_without_a_place_in_its_order() -> None:
    session = Session.create("memory://", ruleset=GAME.name)
    session.perform(Join("ann", SHEET))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (30,)))
    session.perform(Join("bob", SHEET, "Bob", unseen=True))
    (bob,) = session.combat.roster.hidden()
    assert [who for who, _ in session.combat.initiative.order] == ["ann"]

    made = decide(GAME, session.combat, Reveal(5, who=bob))

    assert [type(event) for event in made] == [SecretRevealed, NameGiven]


def test_who_is_not_hidden_is_not_made_known(ambush: Session) -> None:
    (bob,) = ambush.combat.roster.hidden()
    open_ = sealed(Join("ann", SHEET))

    assert refused(ambush.combat, Reveal(2, who="ann"), Unsupported) == ("who", bob)
    assert refused(open_, Reveal(2, who="ann"), Unsupported) == ("who", "a combatant who joined in secret")
