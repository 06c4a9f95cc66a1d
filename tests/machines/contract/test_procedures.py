"""The charts equal independent second transcriptions of the pages, in ``*_procedures.txt`` beside this file."""

import pytest
from charts import eclipse_phase_1e, eclipse_phase_2e, gurps_3e, shadowrun_4e
from charts.accounting import Account

ACCOUNTS = (eclipse_phase_1e.ACCOUNT, eclipse_phase_2e.ACCOUNT, gurps_3e.ACCOUNT, shadowrun_4e.ACCOUNT)
by_game = {"argnames": "account", "argvalues": ACCOUNTS, "ids": [account.game for account in ACCOUNTS]}


def each(found: str, of: str) -> pytest.MarkDecorator:
    """Parametrizes a test with these, for every game."""
    rows = [(account, one) for account in ACCOUNTS for one in getattr(account, of)]
    return pytest.mark.parametrize(("account", found), rows, ids=[f"{account.game}-{one}" for account, one in rows])


@pytest.mark.parametrize(**by_game)
def test_every_section_has_its_charts(account: Account) -> None:
    expected = set(account.entered)

    assert expected == {step.section for step in account.steps.values()}


@each("step", of="steps")
def test_a_transcribed_step_is_a_box_of_ours_or_has_a_reason(account: Account, step: str) -> None:
    expected = {name: set(chart.boxes) for name, chart in account.charts.items()}

    found = account.places(step)

    assert found or len(account.where[step]) > 5
    assert all(number in expected[name] for name, number in found)
    assert all(name in account.entered[account.steps[step].section] for name, _ in found)


@pytest.mark.parametrize(**by_game)
def test_no_step_is_accounted_for_that_was_not_transcribed(account: Account) -> None:
    expected = set(account.steps)

    assert expected == set(account.where)


@each("box", of="boxes")
def test_a_box_of_ours_is_a_transcribed_step_or_has_a_reason(account: Account, box: str) -> None:
    expected = {f"{name}/{number}" for step in account.where for name, number in account.places(step)}

    assert (box in expected) != (box in account.ours)


@pytest.mark.parametrize(**by_game)
def test_every_reason_is_about_a_box_that_is_there(account: Account) -> None:
    expected = set(account.boxes)

    assert set(account.ours) <= expected


# ------------------------------------------------------------------------------------------------ exits

EXITS = [
    (account, step, there)
    for account in ACCOUNTS
    for step in account.steps
    if account.places(step)
    for there in sorted(account.exits(step))
]


@pytest.mark.parametrize(
    ("account", "step", "there"), EXITS, ids=[f"{account.game}-{step}-{there}" for account, step, there in EXITS]
)
def test_a_transcribed_exit_is_an_exit_of_ours(account: Account, step: str, there: str) -> None:
    expected = (step, there) not in account.otherwise

    assert expected == account.leads(step, there)


@pytest.mark.parametrize(**by_game)
def test_every_exit_that_is_otherwise_was_transcribed(account: Account) -> None:
    expected = {(step, there) for one, step, there in EXITS if one is account}

    assert set(account.otherwise) <= expected
