"""A record in plain sentences."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ledger import events as e
from ledger.entry import Entry
from projections.combat import Combat
from projections.roster import Roster

Sentence = Callable[[Any, Roster], str]


def narrate(entry: Entry, combat: Combat) -> Iterator[str]:
    """What an entry says, a sentence at a time.

    Args:
        entry: The entry.
        combat: What is so after it; names come from it.
    """
    names = combat.roster
    if entry.origin is not None:
        yield f"Entry {entry.origin} is performed again."
    for event in entry.events:
        sentence = _SENTENCES.get(type(event))
        if sentence is not None:
            text = sentence(event, names)
            if text:
                yield text


def _opened(event: e.SessionOpened, _: Roster) -> str:
    return f"{event.title}: {event.ruleset}, {event.profile}."


def _declared(event: e.Declared, names: Roster) -> str:
    terms = {name: value for name, value in event.terms.items() if value not in ("", (), [], False)}
    if set(terms) == {"what"}:
        return f"{names.name(event.by)} {terms['what']} ({_words(event.kind)} action)."
    said = "".join(f", {_words(name)} {_term(value, names)}" for name, value in terms.items())
    return f"{names.name(event.by)} declares: {_words(event.kind)}{said}."


def _chosen(event: e.Chosen, _: Roster) -> str:
    role = event.key.rsplit("/", 1)[-1]
    if not event.option or "/act" in event.key:
        return ""
    return f"Chosen ({_words(role)}): {_words(event.option)}{f', {event.words}' if event.words else ''}."


def _rolled(event: e.DiceRolled, _: Roster) -> str:
    if not event.faces:
        return f"Dice were thrown out of sight ({event.key})."
    how = "/".join(dict.fromkeys(event.provenance))
    return f"Dice ({event.key}, {how}): {', '.join(map(str, event.faces))}."


def _resolved(event: e.TestResolved, _: Roster) -> str:
    return f"{_last(event.key)}: {event.rolled:02d} against {event.target}, {event.outcome}, margin {event.margin:+d}."


def _figure(event: e.FigureFound, _: Roster) -> str:
    if event.name in ("target", "attacks left") or event.name.startswith("dice:"):
        return ""
    if event.name == "base":
        return f"{_last(event.key)}: {event.why} {event.value}."
    return f"{_last(event.key)}, {event.name}: {event.value} ({event.why})."


def _damage(event: e.DamageTaken, names: Roster) -> str:
    return f"{names.name(event.who)} takes {event.amount} {_words(event.track)}."


def _wounds(event: e.WoundSuffered, names: Roster) -> str:
    return f"{names.name(event.who)} suffers {event.count} {_words(event.kind)}."


def _gained(event: e.ConditionGained, names: Roster) -> str:
    level = f" ({event.level})" if event.level is not None else ""
    until = f" until {event.until}" if event.until else ""
    return f"{names.name(event.who)} is {_words(event.condition)}{level}{until}: {event.why}."


def _order(event: e.OrderFixed, names: Roster) -> str:
    return "Order: " + ", ".join(f"{names.name(who)} {score}" for who, score in event.order) + "."


def _overruled(event: e.Overruled, _: Roster) -> str:
    return f"Overruled: {event.key} {event.figure}: the rule says {event.rule_says}, the gm says {event.gm_says}: {event.why}."


def _adjusted(event: e.Adjusted, names: Roster) -> str:
    return f"Adjusted: {names.name(event.who)} {event.what} from {event.before} to {event.after}: {event.why}."


def _modifier(event: e.ModifierApplied, _: Roster) -> str:
    return f"{_last(event.key)}: {event.value:+d} {event.why}." if event.value else ""


def _words(name: str) -> str:
    return name.replace("_", " ")


def _last(key: str) -> str:
    parts = key.split("/")
    return _words(parts[-2] + " " + parts[-1] if parts[-1].isdigit() and len(parts) > 1 else parts[-1]).capitalize()


def _term(value: object, names: Roster) -> str:
    if isinstance(value, str):
        return names.name(value)
    if isinstance(value, list | tuple):
        return " and ".join(_term(each, names) for each in value)
    if isinstance(value, Mapping):
        return "(" + ", ".join(f"{name} {_term(each, names)}" for name, each in value.items()) + ")"
    return str(value).lower() if isinstance(value, bool) else str(value)


_SENTENCES: Mapping[type[e.Event], Sentence] = {
    e.SessionOpened: _opened,
    e.SessionClosed: lambda event, _: f"The session is closed. {event.why}".strip(),
    e.CombatantJoined: lambda event, _: f"{event.name} joins, played by {event.player}.",
    e.CombatantLeft: lambda event, names: f"{names.name(event.who)} leaves. {event.why}".strip(),
    e.CombatBegan: lambda event, _: f"Combat {event.combat} begins.",
    e.CombatEnded: lambda event, _: f"The combat is over. {event.why}".strip(),
    e.Noted: lambda event, _: f"Note: {event.text}",
    e.RoundBegan: lambda event, _: f"Round {event.round} begins.",
    e.PassBegan: lambda event, _: f"Pass {event.number} begins.",
    e.InitiativeScored: lambda event, names: f"{names.name(event.who)}: initiative {event.score} ({event.why}).",
    e.OrderFixed: _order,
    e.TurnBegan: lambda event, names: f"{names.name(event.who)} acts.",
    e.TimePassed: lambda event, _: f"{event.amount} {event.unit} pass.",
    e.Declared: _declared,
    e.Chosen: _chosen,
    e.ExchangeEnded: lambda event, _: f"Outcome: {event.outcome}." if "attack" in event.key else "",
    e.DiceRolled: _rolled,
    e.ReadingChanged: lambda event, _: f"{_last(event.key)}: {event.before} is read as {event.after}: {event.why}.",
    e.ModifierApplied: _modifier,
    e.TestResolved: _resolved,
    e.FigureFound: _figure,
    e.DamageTaken: _damage,
    e.DamageHealed: lambda event, names: f"{names.name(event.who)} heals {event.amount} {_words(event.track)}.",
    e.WoundSuffered: _wounds,
    e.WoundHealed: lambda event, names: f"{names.name(event.who)} loses {event.count} {_words(event.kind)}.",
    e.ConditionGained: _gained,
    e.ConditionLost: lambda event, names: f"{names.name(event.who)} is no longer {_words(event.condition)}: {event.why}.",
    e.ResourceSpent: lambda event, names: f"{names.name(event.who)} spends {event.amount} {_words(event.resource)}.",
    e.ResourceGained: lambda event, names: f"{names.name(event.who)} gains {event.amount} {_words(event.resource)}.",
    e.Overruled: _overruled,
    e.Adjusted: _adjusted,
    e.Rewound: lambda event, _: f"Back to entry {event.to}. {event.why}".strip(),
}
