"""The spell on the table: who casts it at whom, and at what Force."""

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
"""The figure that says which of the targets is dealt with."""


class Casting(msgspec.Struct, frozen=True):
    """The spell on the table, at the target that is dealt with."""

    key: str
    by: str
    terms: CastTerms
    spell: Spell
    nth: int = 1

    @property
    def targets(self) -> tuple[str, ...]:
        """Whom it is cast at."""
        return (self.terms.at,) if isinstance(self.terms.at, str) else self.terms.at

    @property
    def at(self) -> str:
        """The target that is dealt with; empty for none."""
        return self.targets[self.nth - 1] if self.targets else ""

    @property
    def place(self) -> str:
        """Under which the rolls and figures of this target are kept."""
        return self.key if self.nth == 1 else f"{self.key}/t{self.nth}"

    @property
    def row(self) -> SpellEffect:
        """How it is resisted: by its effect, and whether it works on the mind.

        Source: SR4 173 Spellcasting
        """
        rows = [row for row in SPELL_EFFECTS.values() if row.effect == self.spell.effect]
        return next((row for row in rows if row.mana == self.spell.mana), rows[0])

    def role(self, name: str) -> str:
        """The key of one of the rolls or choices about this target."""
        return role(self.place, name)


def casting(combat: Combat) -> Casting:
    """The spell being cast."""
    now = frame(combat)
    terms = typed(now.terms, CastTerms)
    nth = NTH.at(combat, now.key, 1)
    return Casting(now.key, now.by, terms, spells(combat, now.by)[terms.spell], nth)
