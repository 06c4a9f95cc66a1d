"""The modules of the page by themselves, with sources that are slow, fail, grow or disclose; in Chromium, without a theatre."""

from typing import Any

import pytest
from browsing.chromium import Watched
from server.processes import Served

SOURCE = """
  const step = (seq) => ({ seq, after: seq - 1, at: "", by: { name: "ann", seat: "gm" }, stands: true, origin: null,
    kind: "note", narration: [`entry ${seq}`], keys: [], patch: { entries: seq, initiative: [], combatants: {}, rests: [] } });
  const outline = (entries, more = {}) => ({ session: "S", title: "", entries, disclosures: 0, branches: [], rounds: [],
    turns: [], exchanges: [], undone: [], corrected: [], people: [], health: [], marks: [], ...more });
  const source = (given = {}) => ({ seat: "gm", name: "", isLive: false, asked: 0, last: 10,
    async outline() { return outline(this.last); },
    async steps(after, limit) {
      this.asked += 1;
      const count = Math.min(limit, this.last - after);
      return { after, before: after ? step(after).patch : null, steps: Array.from({ length: count }, (_, nth) => step(after + nth + 1)) };
    },
    async follow() {}, ...given });
  const soon = (ms = 0) => new Promise((done) => setTimeout(done, ms));
"""


def ran(shown: Watched, server: Served, program: str) -> Any:
    """Returns what a program returns in a page of the server."""
    shown.page.goto(f"{server.url}/")
    return shown.page.evaluate(f"async () => {{ {SOURCE} {program} }}")


def test_a_record_that_grows_while_its_page_is_loaded_is_loaded_to_its_end(shown: Watched, server: Served) -> None:
    found = ran(
        shown, server,
        """const { Pages } = await import("/page/record/pages.js");
        const slow = source({ async steps(after, limit) { await soon(50); return source({ last: this.last }).steps(after, limit); } });
        const pages = new Pages(slow, 10);
        const first = pages.load(0);
        slow.last = 12; pages.grow(12);
        await Promise.all([first, pages.load(0)]);
        return [pages.has(0), pages.state(12)?.entries];""",
    )  # fmt: skip
    assert found == [True, 12]


def test_the_page_in_use_is_never_forgotten_and_the_others_in_their_order(shown: Watched, server: Served) -> None:
    found = ran(
        shown, server,
        """const { Pages } = await import("/page/record/pages.js");
        const pages = new Pages(source({ last: 10_000 }), 10_000);
        pages.use(0);
        for (let page = 0; page < 50; page++) await pages.load(page);
        const few = [...Array(50).keys()].filter((page) => pages.has(page));
        pages.keep(true);
        for (let page = 0; page < 50; page++) await pages.load(page);
        const all = [...Array(50).keys()].filter((page) => pages.has(page)).length;
        pages.keep(false);
        return [few[0], few.length, all, [...Array(50).keys()].filter((page) => pages.has(page)).length, pages.state(1).entries];""",
    )  # fmt: skip
    assert found == [0, 12, 50, 12, 1]


def test_a_disclosure_makes_the_page_read_what_it_has_anew(shown: Watched, server: Served) -> None:
    found = ran(
        shown, server,
        """const { Theatre } = await import("/page/theatre/theatre.js");
        const from = source();
        const theatre = new Theatre(from, await from.outline());
        await theatre.go(5);
        const before = from.asked;
        await theatre.renew(outline(10));
        const same = from.asked;
        await theatre.renew(outline(10, { disclosures: 1 }));
        return [same - before, from.asked > same, theatre.at, theatre.pages.state(5)?.entries];""",
    )  # fmt: skip
    assert found == [0, True, 5, 5]


def test_a_failing_page_is_named_until_it_loads_and_search_and_print_stop(shown: Watched, server: Served) -> None:
    found = ran(
        shown, server,
        """const { Theatre } = await import("/page/theatre/theatre.js");
        const { search } = await import("/page/theatre/search.js");
        let isBroken = true;
        const from = source({ last: 1_000, async steps(after, limit) {
          if (isBroken && after >= 200 && after < 400) throw new Error("server/too-slow: later");
          return source({ last: 1_000 }).steps(after, limit);
        } });
        const theatre = new Theatre(from, outline(1_000));
        const loaded = [await theatre.load(0), await theatre.load(1), await theatre.load(2)];
        const told = theatre.troubles.all();
        let read = 0;
        for await (const each of search(theatre, "entry", new AbortController().signal)) read = each.read;
        isBroken = false;
        await theatre.load(1);
        return [loaded, told, read, theatre.troubles.all()];""",
    )  # fmt: skip
    assert found == [[True, False, True], ["server/too-slow: later"], 1, []]


def test_a_refused_outline_is_not_asked_for_again_once_the_feed_has_ended(shown: Watched, server: Served) -> None:
    found = ran(
        shown, server,
        """const { Theatre } = await import("/page/theatre/theatre.js");
        let asked = 0;
        const from = source({ isLive: true, async outline() { asked += 1; throw new Error("token/revoked: gone"); },
          async follow(after, grown) { grown(after + 1); throw new Error("token/revoked: gone"); } });
        const theatre = new Theatre(from, outline(10));
        await theatre.follower.follow();
        await soon(1_200);
        return [asked, theatre.status, theatre.troubles.all()];""",
    )  # fmt: skip
    assert found == [0, "closed", ["token/revoked: gone"]]


def test_what_did_not_reach_the_server_is_no_trouble_while_it_reconnects_and_is_asked_again(
    shown: Watched, server: Served
) -> None:
    found = ran(
        shown, server,
        """const { Theatre } = await import("/page/theatre/theatre.js");
        const gone = () => { throw Object.assign(new Error("client/unreachable: gone"), { slug: "client/unreachable" }); };
        let isGone = true, turn, grow;
        const from = source({ isLive: true,
          async outline() { return isGone ? gone() : outline(12); },
          async steps(after, limit) { return isGone ? gone() : source({ last: 12 }).steps(after, limit); },
          async follow(after, grown, status) { grow = grown; turn = status; await soon(60_000); } });
        const theatre = new Theatre(from, outline(10));
        void theatre.follower.follow();
        await theatre.go(5);
        const before = theatre.troubles.all();
        turn("cut"); grow(11); await soon(300);
        const cut = theatre.troubles.all();
        isGone = false;
        turn("open"); await soon(300);
        return [before, cut, theatre.troubles.all(), theatre.last, theatre.pages.state(5)?.entries];""",
    )  # fmt: skip
    assert found == [["client/unreachable: gone"], [], [], 12, 5]


TABLE = """
  const { Table } = await import("/page/table/table.js");
  const heard = {};
  const live = { status: "open", state: { entries: 5, combatants: {} }, on(name, hear) { heard[name] = hear; }, close() {} };
  const question = (last) => ({ last, key: `asked at ${last}`, answers: [], rolls: [] });
  let answers = () => { throw new Error("client/unreachable: gone"); };
  const session = { async question() { return answers(); }, async odds() { return { shares: [] }; } };
  const table = new Table(session, { seat: "gm", name: "gm" }, live, question(5));
  const moved = (entries) => { live.state = { ...live.state, entries }; heard.state(live.state); heard.entry({ seq: entries, narration: [] }); };
"""
"""A table whose feed and session are written here; the session does not answer until `answers` is set."""


@pytest.mark.parametrize("cut", [True, False], ids=["the connection is cut", "the connection seems to be open"])
def test_what_is_asked_is_read_again_after_it_could_not_be_though_nothing_more_is_written(
    shown: Watched, server: Served, cut: bool
) -> None:
    turn = 'live.status = "open"; heard.status("open");' if cut else ""
    found = ran(
        shown, server,
        f"""{TABLE}
        live.status = {'"cut"' if cut else '"open"'};
        moved(6); await soon(50);
        const before = table.question.last;
        answers = () => question(6);
        {turn}
        await soon({50 if cut else 2_500});
        return [before, table.question.last];""",
    )  # fmt: skip
    assert found == [5, 6]


def test_a_line_is_sent_as_of_the_latest_entry_that_is_shown(shown: Watched, server: Served) -> None:
    found = ran(
        shown, server,
        f"""{TABLE}
        moved(6); await soon(50);
        let seen = 0;
        session.sendLine = async (line, {{ ifMatch }}) => {{ seen = ifMatch; return {{ question: question(7), found: {{}} }}; }};
        await table.send("attack kade");
        return seen;""",
    )  # fmt: skip
    assert found == 6


@pytest.mark.parametrize("is_busy", [True, False], ids=["another line is answered", "nothing is answered"])
def test_faces_that_are_entered_twice_are_sent_once_and_after_the_line_before(
    shown: Watched, server: Served, is_busy: bool
) -> None:
    """The second Enter must not answer the roll that comes next, of the same combatant."""
    ran(
        shown, server,
        f"""{TABLE}
        const {{ html, render }} = await import("/page/vendor/preact.js");
        const {{ Roll }} = await import("/page/asking/roll.js");
        live.state.rests = [];
        const roll = {{ key: "roll", short: "kade", name: "kade", purpose: "hit", missing: "2d6", faces: [1, 6], counts: [] }};
        table.question.rolls = [roll];
        table.isBusy = {str(is_busy).lower()};
        window.sent = [];
        session.sendLine = async (line) => {{ window.sent.push(line); await soon(300); return {{ question: question(7), found: {{}} }}; }};
        render(html`<${{Roll}} table=${{table}} roll=${{roll}} isFirst=${{true}} />`, document.body.appendChild(document.createElement("main")));
        window.end = () => {{ table.isBusy = false; table.changed(); }};""",
    )  # fmt: skip
    field = shown.page.locator(".ask.roll input").first
    field.fill("5 6")
    field.press("Enter")
    field.press("Enter")
    if is_busy:
        assert shown.page.evaluate("window.sent") == []
        shown.page.evaluate("window.end()")
    shown.page.wait_for_timeout(900)
    assert shown.page.evaluate("window.sent") == ["kade 5 6"]


def test_lines_that_wait_for_the_one_before_are_all_sent_and_no_answer_to_what_is_no_longer_asked(
    shown: Watched, server: Served
) -> None:
    found = ran(
        shown, server,
        f"""{TABLE}
        const sent = [];
        session.sendLine = async (line) => {{ sent.push(line); await soon(20); return {{ question: question(5 + sent.length), found: {{}} }}; }};
        answers = () => question(5 + sent.length);
        const first = table.send("one");
        const taken = await Promise.all([first, table.sendNext("two"), table.sendNext("late", "asked at 5"), table.sendNext("three")]);
        return [taken, sent];""",
    )  # fmt: skip
    assert found == [[True, True, False, True], ["one", "two", "three"]]


FORMS = """
  const { html, render } = await import("/page/vendor/preact.js");
  const { Line } = await import("/page/asking/line.js");
  const { Changes } = await import("/page/console/changes.js");
  live.state.rests = [];
  live.state.combatants = { kade: { name: "kade", player: "gm", tracks: {}, resources: {}, conditions: [] } };
  table.state = live.state;
  window.sent = [];
  session.understand = async () => ({});
  session.sendLine = async (line) => { window.sent.push(line); await soon(100); return { question: question(5), found: {} }; };
  const place = document.body.appendChild(document.createElement("main"));
  const draw = () => render(html`<${Line} table=${table} /><${Changes} table=${table} />`, place);
  table.listen(draw);
  draw();
"""


def test_enter_is_not_lost_while_a_line_is_answered_and_an_empty_one_takes_no_default_unseen(
    shown: Watched, server: Served
) -> None:
    ran(shown, server, f"{TABLE} {FORMS}")
    field = shown.page.locator(".line input")
    for line in ("one", "two", ""):
        field.fill(line)
        field.press("Enter")
    shown.page.wait_for_function("() => window.sent.length > 1")
    shown.page.wait_for_timeout(300)
    assert shown.page.evaluate("window.sent") == ["one", "two"]


def test_a_figure_is_adjusted_by_hand_once_of_the_combatant_that_is_shown(shown: Watched, server: Served) -> None:
    ran(shown, server, f"{TABLE} {FORMS}")
    form = shown.page.locator("details.hand", has=shown.page.locator("select[name=who]"))
    form.locator("summary").click()
    for name, value in (("what", "wounds"), ("value", "2"), ("why", "he fell")):
        form.locator(f"input[name={name}]").fill(value)
    form.locator("input[name=why]").press("Enter")
    form.locator("input[name=why]").press("Enter")
    shown.page.wait_for_timeout(500)
    assert shown.page.evaluate("window.sent") == ["adjust kade wounds 2 he fell"]


def test_pausing_and_playing_again_plays_once(shown: Watched, server: Served) -> None:
    found = ran(
        shown, server,
        """const { Theatre } = await import("/page/theatre/theatre.js");
        const from = source({ last: 500, async steps(after, limit) { await soon(120); return source({ last: 500 }).steps(after, limit); } });
        const theatre = new Theatre(from, outline(500));
        await theatre.go(1);
        theatre.pages.forget();
        theatre.player.play(8);
        theatre.player.toggle();
        await soon(170);
        theatre.player.toggle(); theatre.player.toggle();
        await soon(1_600);
        theatre.player.toggle();
        return theatre.at;""",
    )  # fmt: skip
    assert 4 <= found <= 14  # 11 steps at most at 150 ms each; two loops make twice as many


@pytest.mark.parametrize(
    ("entry", "step", "expected"), [(3, 1, 6), (4, 1, 6), (6, -1, 3), (9, -1, 2), (2, 1, 9), (1, 1, None)]
)
def test_branches_beside(shown: Watched, server: Served, entry: int, step: int, expected: int | None) -> None:
    """Entries 3 to 5 were undone by 6, which stands on 5; 7 and 8 stand on 2; 9 stands on 1."""
    found = ran(
        shown, server,
        f"""const {{ Line }} = await import("/page/record/line.js");
        const line = new Line(outline(9, {{ undone: [{{ first: 3, last: 5, by: 6, who: "", why: "" }}],
          branches: [{{ entry: 7, after: 2 }}, {{ entry: 9, after: 1 }}] }}));
        return line.sibling({entry}, {step}) ?? null;""",
    )  # fmt: skip
    assert found == expected


def test_chances_are_estimated_where_turns_begin_that_stand_at_most_at_forty_entries(
    shown: Watched, server: Served
) -> None:
    found = ran(
        shown, server,
        """const { boundaries } = await import("/page/record/boundaries.js");
        const { Record } = await import("/page/record/record.js");
        const turns = (...entries) => entries.map((entry) => ({ entry, who: "ann" }));
        const undone = [{ first: 5, last: 8, by: 9, who: "gm", why: "" }];
        const all = Array.from({ length: 500 }, (_, nth) => 3 + 2 * nth);
        const long = boundaries(new Record(outline(1002, { turns: turns(...all) })));
        return [boundaries(new Record(outline(10, { turns: turns(2, 6, 9), undone }))), boundaries(new Record(outline(10))),
          boundaries(new Record(outline(9, { turns: turns(9) }))), long.length, long[0], long.at(-1),
          Math.max(...long.slice(1).map((each, nth) => each - long[nth])), new Set(long).size];""",
    )  # fmt: skip
    assert found == [[2, 9, 10], [], [9], 40, 3, 1002, 26, 40]


def test_chances_are_loaded_one_after_another_until_a_fault_and_a_refusal_is_one_of_the_answers(
    shown: Watched, server: Served
) -> None:
    found = ran(
        shown, server,
        """const { Estimates } = await import("/page/theatre/estimates.js");
        const asked = []; let open = 0, most = 0, isBusy = true;
        const from = source({ async chances(at) {
          asked.push(at); open += 1; most = Math.max(most, open); await soon(10); open -= 1;
          if (at === 2) throw Object.assign(new Error("hidden"), { status: 422 });
          if (at === 3 && isBusy) throw Object.assign(new Error("busy"), { status: 429 });
          return { entry: at, combatants: [] };
        } });
        let changes = 0;
        const estimates = new Estimates(from, () => { changes += 1; });
        estimates.want([1, 2, 3, 4]);
        await soon(120);
        const first = [[...asked], estimates.trouble, estimates.known([1, 2, 3, 4]).length, changes];
        isBusy = false;
        estimates.want([1, 2, 3, 4]); estimates.want([1, 3, 5]);
        await soon(120);
        const then = [asked.slice(3), estimates.trouble, estimates.known([1, 2, 3, 5]).map((each) => each.entry ?? each), most];
        estimates.want([6, 7]); estimates.stop();
        await soon(80);
        return [first, then, asked.slice(5)];""",
    )  # fmt: skip
    assert found == [[[1, 2, 3], "busy", 2, 3], [[3, 5], "", [1, "hidden", 3, 5], 1], [6]]
