"""Displays an audit: one section for each question that it answers, in plain lines."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from ledger.dice import read
from ledger.errors import Refused
from machines.contract.dice_reading import counts_in_words
from projections.views.stand_ins import PARTLY
from replays.audit.audit import Audit, AuditInBrief, DiceAudit
from replays.audit.dice import Draw
from replays.audit.disputes.register import Disputed
from replays.audit.people import PersonalDecision
from replays.audit.rerolls import Declaration, SecondThought
from replays.audit.rolls import Sum
from replays.audit.times import TimeReversal
from replays.cli.screen import safe
from replays.cli.views.rehearse_view import counted
from replays.corrections.change import in_words


def report(console: Console, audit: Audit) -> None:
    """Shows an audit."""
    console.print(
        f"[bold]Audit of {safe(audit.title)}[/]  [dim]{safe(audit.ruleset)}, {safe(audit.profile)}; "
        f"session {safe(audit.session)}, {audit.entries} entries, {audit.standing} of them stand[/]",
        soft_wrap=True,
    )
    for title, lines in _sections(audit):
        found = list(lines)
        console.print(f"\n[bold]{title}[/]" + ("" if found else "  [dim]nothing[/]"))
        for line in found:
            _indented(console, line)


def in_one_line(session: str, result: AuditInBrief | Refused) -> str:
    """Returns the result of auditing one of many sessions."""
    if isinstance(result, Refused):
        return f"{session}: not audited: {result}"
    title = f"{session}: {result.title} ({result.ruleset}): {result.entries} entries"
    if not result.is_sound:
        return f"{title}, BROKEN: {'; '.join(filter(None, (result.chain_problem, *result.dice_problems)))}"
    return ", ".join([title, "sound", *(counted(count, what) for what, count in result.counts.items() if count)])


def _indented(console: Console, markup: str) -> None:
    """Shows a line with an indent, wrapped with a larger one."""
    for written in Text.from_markup(markup).split("\n"):
        for place, each in enumerate(written.wrap(console, console.width - 8)):
            each.rstrip()
            console.print(Text("      " if place else "  ").append_text(each))


def _sections(audit: Audit) -> Iterator[tuple[str, Iterable[str]]]:
    """Yields the title and the lines of each section."""
    yield "Chain", _chain(audit)
    yield "Times that run backwards", map(_time_reversal, audit.backwards)
    yield "Dice", _dice(audit)
    yield "Draws, numbered without a gap", map(_draw, audit.dice.draws)
    yield "Rolls that stand", map(_sum, audit.rolls)
    yield "Slips: the gamemaster against the rule", _decisions(audit.overrules, _overruled_figure)
    yield "Modifiers after the dice", _decisions(audit.modifiers, _modifier)
    yield "Set without a rule", _decisions(audit.adjustments, _adjustment)
    yield "Amended", _decisions(audit.amendments, lambda one: f"entry {one.corrects}: {in_words(one.change)}")
    yield "Rewound", _decisions(audit.rewinds, _rewind)
    yield "Declared otherwise after a die was seen and undone", map(_second_thought, audit.second_thoughts)
    yield "Disputes", map(disputed, audit.disputes)
    if audit.out_of_sight:
        yield "Out of sight", [f"{audit.out_of_sight} of the gamemaster's decisions above are hidden from this seat"]


def _chain(audit: Audit) -> Iterator[str]:
    """Yields whether the hash chain is intact, with its head."""
    chain = audit.chain
    if not chain.holds:
        yield f"[bold red]BROKEN[/]  {safe(chain.problem)}"
        return
    yield f"verified, {audit.entries} entries, nothing altered; head {chain.head}"
    if chain.given:
        yield f"the given head is part of it: {safe(chain.given)}"


def _time_reversal(reversal: TimeReversal) -> str:
    """Returns two entries whose times run backwards."""
    return (
        f"entry {reversal.entry}  written at {safe(reversal.at)}, "
        f"before entry {reversal.before} at {safe(reversal.before_at)}  [dim]{safe(reversal.by)}[/]"
    )


def _dice(audit: Audit) -> Iterator[str]:
    """Yields where the dice came from, and whether drawn ones are verified."""
    dice = audit.dice
    for one in dice.by:
        undone = f", {one.undone} of them no longer stand" if one.undone else ""
        yield f"{safe(one.provenance)}: {_in_rolls(one.faces, one.rolls)}, {safe(one.by)}{undone}"
    if dice.commitment:
        yield f"seed {safe(dice.status)}: {_drawn(dice)}, {dice.verified} verified; draws are {safe(dice.policy)}"
        yield f"[dim]committed to {safe(dice.commitment)}[/]"
    elif dice.drawn:
        yield f"{_drawn(dice)}, {safe(dice.status)}: no seed was committed to"
    for share in dice.shares:
        given = (
            "given by the player"
            if share.is_their_own
            else "given as agreed"
            if share.is_agreed
            else "given for the player"
        )
        line = f"{safe(share.player)}'s share: {safe(share.nonce)}, {given}"
        yield f"{line}  [dim]entry {share.entry}, {safe(share.by)}[/]"
    for problem in audit.dice.problems:
        yield f"[bold red]BROKEN[/]  {safe(problem)}"
    for key in audit.dice.unanswered:
        yield f"requested and never thrown: {safe(key)}"


def _drawn(dice: DiceAudit) -> str:
    """Returns the number of drawn faces, and of those that were used again."""
    again = dice.on_record - dice.drawn
    more = f", {dice.on_record} on record, {again} of them used again" if again else ""
    return f"{_in_rolls(dice.drawn, dice.drawn_rolls)} drawn{more}"


def _in_rolls(faces: int, rolls: int) -> str:
    return f"{_faces_of(faces)} in {rolls} roll{'s' * (rolls != 1)}"


def _faces_of(count: int) -> str:
    return f"{count} face{'s' * (count != 1)}"


def _draw(draw: Draw) -> str:
    """Returns one draw, and the earlier draw for the same roll if there is one."""
    gone = "" if draw.stands else ", no longer stands"
    proof = f", {draw.proof}" if draw.proof else ""
    key = draw.key or "a hidden roll"
    head = f"{draw.nth:>3}  {safe(key)}  {safe(draw.dice)} [bold]{_faces(draw.dice, draw.faces)}[/]"
    line = f"{head}  [dim]entry {draw.entry}, {safe(draw.by)}{gone}{proof}[/]"
    if draw.before is None:
        return line
    other = "other faces" if draw.is_other else "the same faces"
    return f"{line}  drawn before in entry {draw.before} ({other}), {safe(draw.why)}"


def _faces(dice: str, faces: tuple[int, ...]) -> str:
    """Returns faces as the dice are read."""
    return " ".join(read(dice, face) for face in faces) or "out of sight"


def _thrown(result: Sum) -> str:
    """Returns the faces of a roll, or the counts that were given in their place."""
    return safe(counts_in_words(result.counts)) if result.counts else _faces(result.dice, result.faces)


def _sum(result: Sum) -> str:
    """Returns a roll with its parts, faces and outcome."""
    how = ", ".join(dict.fromkeys(result.provenance)) or "out of sight"
    about = f"{safe(result.by)}: {safe(result.purpose)}; entry {result.entry}, {safe(result.person)}"
    line = f"{safe(result.key)}  [dim]{about}[/]\n  "
    parts = [] if result.base is None else [f"{result.base} {safe(result.base_why)}{_page(result.base_source)}"]
    parts += [f"{each.value:+d} {safe(each.why)}{_page(each.source)}" for each in result.modifiers]
    if parts:
        line += " ".join(parts) + _total(result)
    line += f"{safe(result.dice)} [bold]{_thrown(result)}[/] ({safe(how)})"
    if result.outcome:
        margin = f", {safe(result.by_how_much)}" if result.by_how_much else ""
        against = f" {result.rolled} against {result.target}," if result.pool is not None and result.target else ""
        line += f":{against} [bold]{safe(result.outcome)}[/]{margin}{_page(result.source)}"
    for each in result.figures:
        line += f"; {safe(each.name)} [bold]{safe(str(each.value))}[/] {safe(each.why)}{_page(each.source)}"
    return line + "".join(f"\n  overruled: {safe(each)}" for each in result.overruled)


def _total(result: Sum) -> str:
    """Returns the total of a sum, with the reason if it is not the sum of its visible parts."""
    number = result.pool if result.pool is not None else result.target
    if number is None:
        return "; "
    is_plain = isinstance(result.base, int) and number == result.base + sum(each.value for each in result.modifiers)
    is_plain = is_plain and not result.sum_why.endswith(PARTLY)
    return f" = [bold]{number}[/]{'' if is_plain or not result.sum_why else f' ({safe(result.sum_why)})'}; "


def _page(source: str) -> str:
    """Returns a citation for display."""
    return rf" [green]\[{safe(source)}][/]" if source else ""


# ------------------------------------------------------------------------------------------------ people


def _decisions(decisions: Iterable[PersonalDecision], words: Callable[[Any], str]) -> Iterator[str]:
    """Yields the decisions of people, each with its reason and person."""
    for one in decisions:
        gone = "" if one.stands else "; no longer stands"
        reason = f": {safe(one.why)}" if one.why else ""
        yield f"entry {one.entry}  {safe(words(one))}{reason}  [dim]{safe(one.by)}, {safe(one.at[:16])}{gone}[/]"


def _overruled_figure(decision: Any) -> str:
    return f"{decision.key} {decision.figure}: the rule says {decision.rule_says}, the gamemaster {decision.gm_says}"


def _modifier(decision: Any) -> str:
    return f"{decision.key} {decision.value:+d}, on the dice of entry {decision.dice}"


def _adjustment(decision: Any) -> str:
    return f"{decision.who}.{decision.what} from {decision.before} to {decision.after}"


def _rewind(decision: Any) -> str:
    counts = [f"{count} {word}" for count, word in ((decision.undone, "undone"), (decision.redone, "redone")) if count]
    return f"from entry {decision.head} to {decision.to}, {' and '.join(counts) or 'nothing changed'}"


def _second_thought(thought: SecondThought) -> str:
    seen = ", ".join(f"{safe(die.key)} {' '.join(map(str, die.faces))} (entry {die.entry})" for die in thought.seen)
    why = f": {safe(thought.why)}" if thought.why else ""
    return (
        f"[bold]{safe(thought.undone.who)}[/] declared {_declaration(thought.undone)}; seen {seen}; "
        f"undone by entry {thought.rewind}, {safe(thought.by)}{why}; then declared {_declaration(thought.then)}"
    )


def _declaration(declaration: Declaration) -> str:
    terms = ", ".join(f"{name} {value}" for name, value in declaration.terms.items())
    return safe(f"{declaration.kind}{f' ({terms})' if terms else ''}, entry {declaration.entry}, {declaration.by}")


def disputed(dispute: Disputed) -> str:
    """Returns a dispute with its settlement in two lines."""
    what, end = dispute.challenge, dispute.settlement
    claim = f", claims {what.claim}" if what.claim else ""
    line = f"{safe(f'{what.dispute}  {what.about}: {what.why}{claim}')}  [dim]entry {what.entry}, {safe(what.by)}[/]"
    if end is None:
        return f"{line}  [bold yellow]open[/]"
    by_entry = f" by entry {end.by_entry}" if end.by_entry is not None else ""
    ruling = f"[bold]{safe(end.ruling)}[/]{by_entry}: {safe(end.why)}"
    return f"{line}\n  {ruling}  [dim]entry {end.entry}, {safe(end.by)}[/]"
