"""A session and who takes part in it."""

from ledger.events.base import Event, Json


class SessionOpened(Event, frozen=True, kw_only=False, tag="session"):
    """A session began; the log knows its own rules from here on."""

    title: str
    ruleset: str
    profile: str
    rules: Json
    """The whole row of the profile, with the session's options."""
    policies: dict[str, str]
    """What the table agreed on, such as ``dice = sticky``."""
    dice_commitment: str
    """Hash of the sealed seed, or empty where dice are not provable."""
    source: str


class SessionClosed(Event, frozen=True, kw_only=False, tag="closed"):
    """Nothing more follows."""

    why: str


class CombatantJoined(Event, frozen=True, kw_only=False, tag="joined"):
    """Somebody, or a thing that can be harmed or spent, takes part."""

    who: str
    name: str
    player: str
    """The person who rolls for it; ``gm`` is the gamemaster."""
    thing: bool


class SheetGiven(Event, frozen=True, kw_only=False, tag="sheet"):
    """A combatant's sheet, whole, as it stands from now on."""

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
    """The name of a combatant who joined under an id that tells nothing."""

    who: str
    name: str


class CombatantLeft(Event, frozen=True, kw_only=False, tag="left"):
    """Somebody takes part no longer."""

    who: str
    why: str


class CombatBegan(Event, frozen=True, kw_only=False, tag="combat"):
    """A fight began; `combat` counts them in a session."""

    combat: int
    situation: Json


class CombatEnded(Event, frozen=True, kw_only=False, tag="over"):
    """The fight is over."""

    why: str


class Noted(Event, frozen=True, kw_only=False, tag="note"):
    """Words for the record."""

    text: str
    about: str
