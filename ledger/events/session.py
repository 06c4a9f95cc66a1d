"""Events of sessions, combatants and combats."""

from ledger.events.base import Event, Json


class SessionOpened(Event, frozen=True, kw_only=False, tag="session"):
    """A session was opened; the event records the rules it is played by."""

    title: str
    ruleset: str
    profile: str
    rules: Json
    """The whole row of the profile, with the session's options."""
    policies: dict[str, str]
    """The agreements of the table, such as ``dice = sticky``."""
    dice_commitment: str
    """The commitment to the sealed seed; empty if dice are not provable."""
    source: str


class SessionClosed(Event, frozen=True, kw_only=False, tag="closed"):
    """The session was closed; no entry follows."""

    why: str


class SessionRenamed(Event, frozen=True, kw_only=False, tag="renamed"):
    """The session has this title from now on."""

    title: str


class CombatantJoined(Event, frozen=True, kw_only=False, tag="joined"):
    """A combatant, or a thing that can be harmed or spent, joined the session."""

    who: str
    name: str
    player: str
    """The person who rolls for the combatant; ``gm`` is the gamemaster."""
    thing: bool


class SheetGiven(Event, frozen=True, kw_only=False, tag="sheet"):
    """A combatant has this sheet from now on."""

    who: str
    sheet: Json


class CampaignNamed(Event, frozen=True, kw_only=False, tag="campaign"):
    """The session belongs to a campaign."""

    campaign: str


class SideTaken(Event, frozen=True, kw_only=False, tag="side"):
    """A combatant fights on this side from now on."""

    who: str
    side: str


class NameGiven(Event, frozen=True, kw_only=False, tag="named"):
    """The name of a combatant who joined in secret, under a neutral id."""

    who: str
    name: str


class CombatantLeft(Event, frozen=True, kw_only=False, tag="left"):
    """A combatant left the session."""

    who: str
    why: str


class CombatBegan(Event, frozen=True, kw_only=False, tag="combat"):
    """A combat began; `combat` counts the combats of the session."""

    combat: int
    situation: Json


class CombatEnded(Event, frozen=True, kw_only=False, tag="over"):
    """The combat ended."""

    why: str


class Noted(Event, frozen=True, kw_only=False, tag="note"):
    """A note was recorded."""

    text: str
    about: str
