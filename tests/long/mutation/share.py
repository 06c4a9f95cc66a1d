"""Samples mutants, tries them, and reports which share was caught and which survived."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from long.mutation.modules import ACCEPTED, Change, Module, accepted, modules
from long.mutation.mutants import Mutant
from long.mutation.trying import Bench, Tried
from long.part import Failed, Task
from long.running import ROOT

SHARE = 0.9
"""Of the mutants that are tried so many must be caught, and every other one be listed with its reason."""
_SAMPLE = 300
"""Mutants of the modules that are not tried whole."""
_FEWEST = 20
"""The minimum number of tried mutants for a meaningful share."""


@dataclass
class Count:
    """How mutants fared.

    Attributes:
        caught: By module.
        late: Caught by the time they took.
        survived: Those that no test has noticed, and that are not listed.
        accepted: Those that no test has noticed, and that are listed with a reason.
        seconds: Of one processor, for all of them.
    """

    caught: Counter[str] = field(default_factory=Counter)
    late: int = 0
    survived: list[Mutant] = field(default_factory=list)
    accepted: list[Mutant] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def share(self) -> float:
        """The share that was caught of those that were tried, listed or not."""
        return self.caught.total() / max(1, self.tried)

    @property
    def tried(self) -> int:
        """How many were tried."""
        return self.caught.total() + len(self.survived) + len(self.accepted)

    def add(self, tried: Tried, reasons: Mapping[Change, str]) -> None:
        """Counts one."""
        self.seconds += tried.seconds
        if tried.is_caught:
            self.caught[tried.mutant.change.module] += 1
            self.late += tried.is_late
        elif tried.mutant.change in reasons:
            self.accepted.append(tried.mutant)
        else:
            self.survived.append(tried.mutant)


def run_mutants(task: Task, *, count: int | None, only: Sequence[str]) -> str:
    """Tries a sample of mutants; returns which share was caught.

    Args:
        task: Its time, its seed.
        count: Mutants to try, sampled from all modules; None for all of those that are tried whole, and of the others
            a sample.
        only: Paths of the modules; empty for all.

    Raises:
        Failed: Too small a share was caught, one survived that is not listed, or the near tests do not work.
    """
    chosen, bench = modules(ROOT, only), Bench(task, ROOT)
    by_module = bench.mutants(chosen)
    for module in chosen:
        seconds = bench.check(module)
        task.say(f"{module.path}: {len(by_module[module.path])} mutants, near tests take {seconds:.1f} s")
    sample = sampled(chosen, by_module, count=count, is_all=bool(only), chance=task.random("mutants"))
    found, reasons = Count(), accepted()
    for tried in bench.tried(sample, chosen):
        found.add(tried, reasons)
        task.say(f"{found.tried}/{len(sample)} {'caught  ' if tried.is_caught else 'SURVIVED'} {tried.mutant.change}")
    return verdict(found, len(sample), by_module)


def sampled(
    chosen: Sequence[Module],
    by_module: Mapping[str, Sequence[Mutant]],
    *,
    count: int | None,
    is_all: bool,
    chance: Random,
) -> list[Mutant]:
    """Returns the mutants to try, shuffled, so that those of the first minutes are a sample, too."""
    everything = [mutant for mutants in by_module.values() for mutant in mutants]
    if count is not None:
        return chance.sample(everything, min(count, len(everything)))
    whole = [mutant for each in chosen if each.is_whole or is_all for mutant in by_module[each.path]]
    rest = [mutant for each in chosen if not each.is_whole and not is_all for mutant in by_module[each.path]]
    found = [*whole, *chance.sample(rest, min(_SAMPLE, len(rest)))]
    chance.shuffle(found)
    return found


def verdict(found: Count, wanted: int, by_module: Mapping[str, Sequence[Mutant]]) -> str:
    """Returns what is printed of a run: sampled, tried, caught, survived, the share, and what is listed in vain.

    Args:
        found: How they fared.
        wanted: How many were sampled.
        by_module: All mutants of each module, by its path.

    Raises:
        Failed: Too few were tried, too small a share was caught, or one survived that is not listed.
    """
    everything = {mutant.change for mutants in by_module.values() for mutant in mutants}
    old = [change for change in accepted() if change.module in by_module and change not in everything]
    survivors = "\n".join(f"survived: line {each.line} of {each.change}" for each in sorted(found.survived))
    stale = "\n".join(f"no longer a mutant, to be taken out of {ACCEPTED.name}: {change}" for change in old)
    told = (
        f"{wanted} sampled of {sum(map(len, by_module.values())):,} mutants in {len(by_module)} modules, {found.tried} tried: "
        f"{found.caught.total()} caught ({found.late} by the time they took), {len(found.accepted) + len(found.survived)} "
        f"survived ({len(found.accepted)} of them listed in {ACCEPTED.name}), {found.share:.1%} caught; "
        f"{found.seconds / max(1, found.tried):.1f} processor seconds each"
    )
    if found.tried < min(_FEWEST, wanted):
        raise Failed(f"{told}; {min(_FEWEST, wanted)} must be tried: give it more minutes")
    if found.share < SHARE or found.survived:
        asked = f"{SHARE:.0%} must be caught, and each survivor be listed in {ACCEPTED.name} with its reason"
        raise Failed(f"{told}; {asked}\n{survivors}\n{stale}".strip())
    return "\n".join(filter(None, [told, stale]))
