"""Plays whole fights of each game from pages: a console and two phones, in three browser contexts."""

from long.part import Failed, Part, Task

PART = Part(
    title="evenings at the page",
    minutes=8,
    grace=4,
    why=(
        "A fight from pages takes half a minute to two; 8 minutes play each game once or twice, with an amendment, a reveal, a "
        "dispute and a killed server in each. What is wrong with a page is wrong in most of them."
    ),
)


def run(task: Task) -> str:
    """Plays one fight after the other, a game each time; returns how many there were."""
    from browsing.chromium import chromium
    from browsing.evening import FIGHTS, Evening

    games, played, entries, steps = sorted(FIGHTS), 0, 0, 0
    with chromium() as browser:
        for number in task.rounds():
            game = games[number % len(games)]
            folder = task.folder / f"evening-{number}"
            folder.mkdir()
            try:
                report = Evening(browser, folder, game, task.random(game, number)).play()
            except Exception as error:
                raise Failed(f"{game}, evening {number}: {error}") from error
            played, entries, steps = played + 1, entries + report.entries, steps + report.steps
    return f"{played} evenings, {entries} entries, {steps} clicks and lines"
