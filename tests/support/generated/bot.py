"""A bot that plays a whole fight, typed by what openapi-python-client makes of Affray's OpenAPI document."""

import sys
from typing import TypeVar

from client import AuthenticatedClient
from client.api.playing import get_options, get_state, perform
from client.api.rulesets import get_sheet
from client.api.sessions import found_session
from client.models import (
    AnySheet,
    BeginCombat,
    DamageTakenEvent,
    Declare,
    DrawDice,
    EndCombat,
    Founded,
    Join,
    JoinSheet,
    NewSession,
    Performed,
    Possibility,
    Problem,
    State,
)  # fmt: skip
from client.types import UNSET

T = TypeVar("T")
STEPS = 300


def right(answer: T | Problem | None) -> T:
    """Returns an answer; raises the refusal."""
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(f"refused: {answer}")
    return answer


class Bot:
    """The gamemaster of a fight between two brawlers."""

    def __init__(self, url: str, host: str) -> None:
        known = AuthenticatedClient(base_url=url, token=host)
        made: Founded = right(found_session.sync(client=known, body=NewSession(ruleset="gurps_3e", title="Bots")))
        self.session = made.session
        self.client = AuthenticatedClient(
            base_url=url, token=next(each.token for each in made.tokens if each.seat == "gm")
        )
        sheet: AnySheet = right(get_sheet.sync("gurps_3e", "brawler", client=known))
        self.sheet = JoinSheet.from_dict(sheet.to_dict())
        self.harm: dict[str, int] = {}

    def begin(self) -> None:
        people = [Join(type_="Join", who=who, sheet=self.sheet) for who in ("ann", "bob")]
        self.note(
            right(perform.sync(self.session, client=self.client, body=[*people, BeginCombat(type_="BeginCombat")]))
        )

    def state(self) -> State:
        state: State = right(get_state.sync(self.session, client=self.client))
        return state

    def note(self, done: Performed) -> None:
        for event in (event for entry in done.entries for event in entry.events):
            if isinstance(event, DamageTakenEvent):
                self.harm[event.who] = self.harm.get(event.who, 0) + event.amount
        print("\n".join(done.narration))

    def step(self) -> bool:
        """Answers the first open roll or choice; returns False if a fighter is down."""
        state = self.state()
        fighters = state.combatants.additional_properties.values()
        if any(one.name == "unconscious" for each in fighters for one in each.conditions) or not state.rests:
            return False
        rest = state.rests[0]
        if rest.dice is not UNSET:
            self.note(
                right(perform.sync(self.session, client=self.client, body=DrawDice(type_="DrawDice", key=rest.key)))
            )
            return True
        options: list[Possibility] = right(get_options.sync(self.session, client=self.client))
        legal = [each.command for each in options if each.key == rest.key and not each.refused and each.command]
        attacks = [each for each in legal if isinstance(each, Declare) and each.kind == "attack"]
        self.note(right(perform.sync(self.session, client=self.client, body=(attacks or legal)[0])))
        return True

    def end(self) -> State:
        self.note(right(perform.sync(self.session, client=self.client, body=EndCombat(type_="EndCombat", why="done"))))
        return self.state()


bot = Bot(*sys.argv[1:3])
bot.begin()
for _ in range(STEPS):
    if not bot.step():
        break
print("entries", bot.end().entries, "harm", sorted(bot.harm.items()))
