"""The refusals of the rules. Each has a stable slug, a message, and what would be accepted.

Refused
└── RuleRefused
    ├── UnknownRuleset           ruleset/unknown
    ├── UnknownVersion           ruleset/version
    ├── UnknownProfile           profile/unknown
    ├── BadOption                profile/option
    ├── BadTable                 table/malformed
    ├── UnreadableRecord         record/unreadable
    ├── NotOpen                  session/not-open
    ├── AlreadyOpen              session/already-open
    ├── BadTitle                 session/title
    ├── Unsupported              command/unsupported
    ├── TooManyEvents            command/too-many-events
    ├── BadId                    combatant/bad-id
    ├── Taken                    combatant/taken
    ├── UnknownCombatant         combatant/unknown
    ├── StillNeeded              combatant/still-needed
    ├── BadSheet                 sheet/invalid
    ├── Incomplete               sheet/incomplete
    ├── BadTerms                 terms/invalid
    ├── BadSituation             situation/invalid
    ├── UnknownStep              chart/unknown-step
    ├── NotFighting              combat/not-begun
    ├── AlreadyFighting          combat/already-begun
    ├── NoCombatants             `combat/nobody`
    ├── NotYourTurn              turn/not-yours
    ├── CannotAct                action/impossible
    ├── ActionUsedUp             action/used-up
    ├── NotAskedFor              dice/not-asked-for
    ├── FacesNeeded              dice/faces-needed
    ├── CountNeeded              dice/count-needed
    ├── ImpossibleCount          dice/impossible-count
    ├── NoSuchChoice             choice/not-asked-for
    ├── NotOffered               choice/not-offered
    ├── NoSuchRoll               roll/unknown
    ├── NoSuchFigure             overrule/no-such-figure
    ├── ImpossibleFigure         overrule/impossible
    ├── CannotAdjust             adjust/unknown
    ├── NoSuchDispute            dispute/unknown
    ├── DisputeTaken             dispute/taken
    ├── SettledBefore            dispute/settled
    ├── BadRuling                dispute/ruling
    ├── NotAllowed               seat/not-allowed
    ├── UnknownPolicy            policy/unknown
    ├── NotProvable              dice/not-provable
    ├── SeedIsOut                dice/revealed
    ├── NoSeed                   dice/no-seed
    ├── WrongSeed                dice/wrong-seed
    ├── NotInSecret              dice/not-in-secret
    ├── BadNonce                 nonce/malformed
    ├── NonceGivenBefore         nonce/given
    └── TooLate                  nonce/too-late
"""

from ledger.errors import Refused


class RuleRefused(Refused):
    """Base of all refusals by rules."""

    slug = "rules/refused"


class UnknownRuleset(RuleRefused):
    """No ruleset of that name is installed."""

    slug = "ruleset/unknown"


class UnknownVersion(RuleRefused):
    """The log was decided by a newer version of the ruleset."""

    slug = "ruleset/version"


class UnknownProfile(RuleRefused):
    """The ruleset has no such profile."""

    slug = "profile/unknown"


class BadOption(RuleRefused):
    """The profile has no such option, or the option cannot have that value."""

    slug = "profile/option"


class BadTable(RuleRefused):
    """A table file is invalid."""

    slug = "table/malformed"


class UnreadableRecord(RuleRefused):
    """Today's rules cannot read a part of the log."""

    slug = "record/unreadable"


class NotOpen(RuleRefused):
    """The session is not open."""

    slug = "session/not-open"


class AlreadyOpen(RuleRefused):
    """The session is open already."""

    slug = "session/already-open"


class BadTitle(RuleRefused):
    """The session cannot have this title."""

    slug = "session/title"


class Unsupported(RuleRefused):
    """No rule handles this command."""

    slug = "command/unsupported"


class TooManyEvents(RuleRefused):
    """One command would cause more events than any real action does."""

    slug = "command/too-many-events"


class BadId(RuleRefused):
    """The text is not an id."""

    slug = "combatant/bad-id"


class Taken(RuleRefused):
    """A combatant with that id takes part already."""

    slug = "combatant/taken"


class UnknownCombatant(RuleRefused):
    """There is no combatant with that id."""

    slug = "combatant/unknown"


class StillNeeded(RuleRefused):
    """The combatant has to finish an action, a roll or a choice first."""

    slug = "combatant/still-needed"


class BadSheet(RuleRefused):
    """A field of the sheet is wrong; `where` has its path."""

    slug = "sheet/invalid"


class Incomplete(RuleRefused):
    """The sheet lacks a value that the action needs."""

    slug = "sheet/incomplete"


class BadTerms(RuleRefused):
    """A term of the declaration is wrong; `where` has its path."""

    slug = "terms/invalid"


class BadSituation(RuleRefused):
    """A field of the situation at the beginning of a fight is wrong; `where` has its path."""

    slug = "situation/invalid"


class UnknownStep(RuleRefused):
    """The log rests at a box that today's charts do not have."""

    slug = "chart/unknown-step"


class NotFighting(RuleRefused):
    """No fight is in progress."""

    slug = "combat/not-begun"


class AlreadyFighting(RuleRefused):
    """A fight is in progress."""

    slug = "combat/already-begun"


class NoCombatants(RuleRefused):
    """There are no combatants."""

    slug = "combat/nobody"


class NotYourTurn(RuleRefused):
    """It is another combatant's turn."""

    slug = "turn/not-yours"


class CannotAct(RuleRefused):
    """The combatant's condition does not allow the action."""

    slug = "action/impossible"


class ActionUsedUp(RuleRefused):
    """The combatant has no actions of this kind left."""

    slug = "action/used-up"


class NotAskedFor(RuleRefused):
    """No open roll has that key."""

    slug = "dice/not-asked-for"


class FacesNeeded(RuleRefused):
    """The rules read the faces of the roll, for which no count can stand."""

    slug = "dice/faces-needed"


class CountNeeded(RuleRefused):
    """The rules read a count that was not given with the roll."""

    slug = "dice/count-needed"


class ImpossibleCount(RuleRefused):
    """No throw of the dice has these counts."""

    slug = "dice/impossible-count"


class NoSuchChoice(RuleRefused):
    """No open choice has that key."""

    slug = "choice/not-asked-for"


class NotOffered(RuleRefused):
    """The value is not one of the options."""

    slug = "choice/not-offered"


class NoSuchRoll(RuleRefused):
    """There is no roll with that key."""

    slug = "roll/unknown"


class NoSuchFigure(RuleRefused):
    """There is no figure of that name at that key."""

    slug = "overrule/no-such-figure"


class ImpossibleFigure(RuleRefused):
    """The figure cannot have that value."""

    slug = "overrule/impossible"


class CannotAdjust(RuleRefused):
    """There is no such value to set, or it cannot be set to that."""

    slug = "adjust/unknown"


class NoSuchDispute(RuleRefused):
    """There is no dispute with that id."""

    slug = "dispute/unknown"


class DisputeTaken(RuleRefused):
    """A dispute with that id exists already."""

    slug = "dispute/taken"


class SettledBefore(RuleRefused):
    """The dispute is settled already."""

    slug = "dispute/settled"


class BadRuling(RuleRefused):
    """A dispute cannot be settled that way."""

    slug = "dispute/ruling"


class NotAllowed(RuleRefused):
    """The seat does not have that right."""

    slug = "seat/not-allowed"


class UnknownPolicy(RuleRefused):
    """There is no such policy, or it cannot have that value."""

    slug = "policy/unknown"


class NotProvable(RuleRefused):
    """The session has no commitment to a seed."""

    slug = "dice/not-provable"


class SeedIsOut(RuleRefused):
    """The seed has been revealed, so no dice can be drawn from it."""

    slug = "dice/revealed"


class NoSeed(RuleRefused):
    """The ledger lacks the seed that the session has committed to."""

    slug = "dice/no-seed"


class WrongSeed(RuleRefused):
    """The seed does not match the commitment."""

    slug = "dice/wrong-seed"


class NotInSecret(RuleRefused):
    """Seeds and nonces must be visible to everyone."""

    slug = "dice/not-in-secret"


class BadNonce(RuleRefused):
    """A nonce, or the name of its player, is empty, too long or not printable."""

    slug = "nonce/malformed"


class NonceGivenBefore(RuleRefused):
    """The player has given a nonce already."""

    slug = "nonce/given"


class TooLate(RuleRefused):
    """Dice were drawn before the nonce was given."""

    slug = "nonce/too-late"
