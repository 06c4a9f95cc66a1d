"""Mutation runs: the map and the accepted survivors match the code, and each operator makes its mutations."""

from pathlib import Path
from random import Random

import pytest
from long.mutation.modules import accepted, modules
from long.running import ROOT

MODULES = modules(ROOT)


def test_the_map_of_near_tests_names_existing_files() -> None:
    assert {"ledger/chain.py", "machines/secrecy/visibility.py"} <= {
        module.path for module in MODULES if module.is_whole
    }
    assert all(module.tests for module in MODULES)


def test_every_accepted_survivor_has_a_reason_and_a_mutated_module() -> None:
    paths = {module.path for module in MODULES}
    for change, reason in accepted().items():
        assert change.module in paths
        assert len(reason) > 20, change
        lines = [line.strip() for line in (ROOT / change.module).read_text().splitlines()]
        assert all(part in lines for part in change.was.split(" ⏎ ")), f"no longer there: {change}"


def test_our_mutations_make_the_described_changes() -> None:
    pytest.importorskip("cosmic_ray")
    from cosmic_ray.mutating import mutate_code
    from long.mutation.operators import OWN

    for made in OWN.values():
        for example in made.examples():
            mutated = mutate_code(example.pre_mutation_code, made(), example.occurrence)
            assert mutated == example.post_mutation_code


def test_every_mutant_is_made_once_and_none_without_effect(tmp_path: Path) -> None:
    pytest.importorskip("cosmic_ray")
    from long.mutation.mutants import mutants_of

    (tmp_path / "module.py").write_text(_SOURCE)

    found = mutants_of(tmp_path, "module.py")

    assert {(each.change.function, each.change.was, each.change.becomes) for each in found} == {
        ("", 'KNOWN = ("a", "b")', 'KNOWN = ( "b",)'),
        ("", 'KNOWN = ("a", "b")', 'KNOWN = ("a",)'),
        ("is_known", "return name in KNOWN and not name == last", "return name not in KNOWN and not name == last"),
        ("is_known", "return name in KNOWN and not name == last", "return name in KNOWN or not name == last"),
        ("is_known", "return name in KNOWN and not name == last", "return name in KNOWN and  name == last"),
        ("is_known", "return name in KNOWN and not name == last", "return name in KNOWN and not name != last"),
        ("is_known", "return name in KNOWN and not name == last", "return None"),
    }


_SOURCE = '''"""A module."""

KNOWN = ("a", "b")


def is_known(name: str | None, last: "str | None") -> bool:
    """Is it?"""
    return name in KNOWN and not name == last
'''


def test_a_sample_depends_on_the_seed_and_has_all_mutants_of_complete_modules() -> None:
    pytest.importorskip("cosmic_ray")
    from long.mutation.share import sampled

    by_module = {module.path: [(module.path, number) for number in range(99)] for module in MODULES}
    drawn = [sampled(MODULES, by_module, count=None, is_all=False, chance=Random(seed)) for seed in (1, 1, 2)]

    assert drawn[0] == drawn[1] != drawn[2]
    for module in MODULES:
        if module.is_whole:
            assert {*by_module[module.path]} <= {*drawn[0]}
    assert len(sampled(MODULES, by_module, count=40, is_all=False, chance=Random(1))) == 40


def test_a_run_reports_the_caught_mutants_and_fails_for_unlisted_survivors() -> None:
    pytest.importorskip("cosmic_ray")
    from long.mutation.modules import Change
    from long.mutation.mutants import Mutant
    from long.mutation.share import Count, verdict
    from long.mutation.trying import Tried
    from long.part import Failed

    listed, *others = (
        Mutant(Change("m.py", f"f{nth}", "a", "b"), nth, "op", 0, ((nth, 0), (nth, 1))) for nth in range(41)
    )
    reasons = {listed.change: "the same program"}

    def told(*fares: tuple[Mutant, bool]) -> str:
        found = Count()
        for mutant, is_caught in fares:
            found.add(Tried(mutant, is_caught, False, 1.0), reasons)
        return verdict(found, len(fares), {"m.py": [listed, *others]})

    good = told((listed, False), *((mutant, True) for mutant in others[:20]))
    assert "21 sampled of 41 mutants" in good
    assert "20 caught (0 by the time they took), 1 survived (1 of them listed in accepted.toml), 95.2% caught" in good
    with pytest.raises(Failed, match=r"each survivor be listed.*\n.*survived: line 1 of m.py f1"):
        told((others[0], False), *((mutant, True) for mutant in others[1:]))
    with pytest.raises(Failed, match=r"80\.0% caught.*90% must be caught"):
        told(*((listed, False) for _ in range(8)), *((mutant, True) for mutant in others[:32]))
    with pytest.raises(Failed, match="must be caught"):
        told(*((listed, False) for _ in range(19)))
