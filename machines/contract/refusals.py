"""What the rules refuse, and why. Every reason has a stable slug, a sentence, and what would have been accepted.

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
    ├── Nobody                   combat/nobody
    ├── NotYourTurn              turn/not-yours
    ├── CannotAct                action/impossible
    ├── ActionUsedUp             action/used-up
    ├── NotAskedFor              dice/not-asked-for
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
    """The rules say no."""

    slug = "rules/refused"


class UnknownRuleset(RuleRefused):
    """No such game is installed."""

    slug = "ruleset/unknown"


class UnknownVersion(RuleRefused):
    """The log was decided by a newer version of the ruleset."""

    slug = "ruleset/version"


class UnknownProfile(RuleRefused):
    """The ruleset has no such printing."""

    slug = "profile/unknown"


class BadOption(RuleRefused):
    """No such option, or not such a value."""

    slug = "profile/option"


class BadTable(RuleRefused):
    """A table file is not as it should be."""

    slug = "table/malformed"


class UnreadableRecord(RuleRefused):
    """The record has what today's rules cannot read."""

    slug = "record/unreadable"


class NotOpen(RuleRefused):
    """The session is not open."""

    slug = "session/not-open"


class AlreadyOpen(RuleRefused):
    """The session is open already."""

    slug = "session/already-open"


class Unsupported(RuleRefused):
    """No rule answers this command."""

    slug = "command/unsupported"


class TooManyEvents(RuleRefused):
    """More events would follow from one command than from any move of a fight."""

    slug = "command/too-many-events"


class BadId(RuleRefused):
    """Not an id."""

    slug = "combatant/bad-id"


class Taken(RuleRefused):
    """Somebody of that id is here."""

    slug = "combatant/taken"


class UnknownCombatant(RuleRefused):
    """Nobody of that id."""

    slug = "combatant/unknown"


class StillNeeded(RuleRefused):
    """The table waits for them."""

    slug = "combatant/still-needed"


class BadSheet(RuleRefused):
    """The sheet has a wrong field; the path says which."""

    slug = "sheet/invalid"


class Incomplete(RuleRefused):
    """The sheet lacks something that this action needs."""

    slug = "sheet/incomplete"


class BadTerms(RuleRefused):
    """The declaration has a wrong term; the path says which."""

    slug = "terms/invalid"


class BadSituation(RuleRefused):
    """What was said about the fight that begins has a wrong field; the path says which."""

    slug = "situation/invalid"


class UnknownStep(RuleRefused):
    """The log rests at a step that today's charts do not have."""

    slug = "chart/unknown-step"


class NotFighting(RuleRefused):
    """No fight is going on."""

    slug = "combat/not-begun"


class AlreadyFighting(RuleRefused):
    """A fight is going on."""

    slug = "combat/already-begun"


class Nobody(RuleRefused):
    """Nobody is here to fight."""

    slug = "combat/nobody"


class NotYourTurn(RuleRefused):
    """It is somebody else's moment."""

    slug = "turn/not-yours"


class CannotAct(RuleRefused):
    """They are in no state to do it."""

    slug = "action/impossible"


class ActionUsedUp(RuleRefused):
    """Their actions of this kind are used up."""

    slug = "action/used-up"


class NotAskedFor(RuleRefused):
    """No open roll asked for these dice."""

    slug = "dice/not-asked-for"


class NoSuchChoice(RuleRefused):
    """No open choice asked for this."""

    slug = "choice/not-asked-for"


class NotOffered(RuleRefused):
    """Not one of the options."""

    slug = "choice/not-offered"


class NoSuchRoll(RuleRefused):
    """No roll of that key."""

    slug = "roll/unknown"


class NoSuchFigure(RuleRefused):
    """Nothing of that name was found under that key."""

    slug = "overrule/no-such-figure"


class ImpossibleFigure(RuleRefused):
    """The figure cannot be that."""

    slug = "overrule/impossible"


class CannotAdjust(RuleRefused):
    """Nothing of that name can be set."""

    slug = "adjust/unknown"


class NoSuchDispute(RuleRefused):
    """Nobody has opened a dispute of that id."""

    slug = "dispute/unknown"


class DisputeTaken(RuleRefused):
    """There is a dispute of that id."""

    slug = "dispute/taken"


class SettledBefore(RuleRefused):
    """The dispute is settled."""

    slug = "dispute/settled"


class BadRuling(RuleRefused):
    """Not what a dispute can come to."""

    slug = "dispute/ruling"


class NotAllowed(RuleRefused):
    """Not from this seat."""

    slug = "seat/not-allowed"


class UnknownPolicy(RuleRefused):
    """Nothing that a table can agree on."""

    slug = "policy/unknown"


class NotProvable(RuleRefused):
    """The session has committed to no seed."""

    slug = "dice/not-provable"


class SeedIsOut(RuleRefused):
    """The seed is known to everybody: nothing can be drawn from it any more."""

    slug = "dice/revealed"


class NoSeed(RuleRefused):
    """The seed that the session has committed to is not in this ledger."""

    slug = "dice/no-seed"


class WrongSeed(RuleRefused):
    """Not the seed that the session has committed to."""

    slug = "dice/wrong-seed"


class NotInSecret(RuleRefused):
    """What the dice hang on is for everybody."""

    slug = "dice/not-in-secret"


class BadNonce(RuleRefused):
    """Too long, empty, or not printable."""

    slug = "nonce/malformed"


class NonceGivenBefore(RuleRefused):
    """Each player gives one."""

    slug = "nonce/given"


class TooLate(RuleRefused):
    """Dice were drawn already."""

    slug = "nonce/too-late"
