"""What depends on a choice about a roll: whether it can change anything, and how the roll stands."""

import msgspec


class Stakes(msgspec.Struct, frozen=True):
    """What depends on a choice, as far as the rules can say when it is asked."""

    matters: bool = True
    """Whether an option other than the default could be better for the combatant, whatever dice follow."""
    standing: str = ""
    """How the roll stands, such as ``you are ahead: 47 beats 22``; empty if the rules do not say."""
