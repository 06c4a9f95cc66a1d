"""`Casting`: caster, targets and terms of the spell being cast, at its current target."""

import msgspec

from ledger.key import role
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.shadowrun_4e.actions.terms import CastTerms
from machines.shadowrun_4e.sheet.sheet import Spell
from machines.shadowrun_4e.sheet.sheet_access import spells
from machines.shadowrun_4e.tables.rows import SpellEffect
from machines.shadowrun_4e.tables.tables import SPELL_EFFECTS
from projections.combat import Combat

NTH = FigureName("nth target", int)
"""Figure of a spell: the number of the current target."""


class Casting(msgspec.Struct, frozen=True):
    """The spell being cast, at its current target."""

    key: str
    by: str
    terms: CastTerms
    spell: Spell
    nth: int = 1

    @property
    def targets(self) -> tuple[str, ...]:
        """The declared targets in order."""
        return (self.terms.at,) if isinstance(self.terms.at, str) else self.terms.at

    @property
    def at(self) -> str:
        """The current target; empty for none."""
        return self.targets[self.nth - 1] if self.targets else ""

    @property
    def place(self) -> str:
        """The key under which the rolls and figures about this target are recorded."""
        return self.key if self.nth == 1 else f"{self.key}/t{self.nth}"

    @property
    def row(self) -> SpellEffect:
        """The row that describes how it is resisted, by its effect and whether it is a mana spell.

        Source: SR4 173 Spellcasting
        """
        rows = [row for row in SPELL_EFFECTS.values() if row.effect == self.spell.effect]
        return next((row for row in rows if row.mana == self.spell.mana), rows[0])

    def role(self, name: str) -> str:
        """Returns the key of one of the rolls or choices about this target."""
        return role(self.place, name)


def casting(combat: Combat) -> Casting:
    """Returns the spell being cast."""
    now = frame(combat)
    terms = typed(now.terms, CastTerms)
    nth = NTH.at(combat, now.key, 1)
    return Casting(now.key, now.by, terms, spells(combat, now.by)[terms.spell], nth)
