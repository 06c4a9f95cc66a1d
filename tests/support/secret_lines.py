"""Lines of the table that a seat may type, with the names and keys of either log of a pair, hidden or not."""

from collections.abc import Iterator, Sequence

from replays.table.verbs import VERBS

FILES = ("/etc/passwd", "~/.bashrc", "fight.html", "../affray.keys", "pyproject.toml")
"""Files of the machine of the server."""


def reading(keys: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Yields lines that write nothing."""
    yield from (
        "why",
        "odds",
        "?",
        "luck",
        "log",
        "log 500",
        "sheets",
        "disputes",
        "disputes d1",
        "rulings",
        "rules",
        "audit",
    )
    yield from (
        "report",
        "show",
        "options",
        "dice",
        "defaults",
        "help",
        "help attack",
        "quit",
        "secret luck",
        "secret ?",
    )
    yield from (f"export {file}" for file in FILES)
    yield from (f"report {file}" for file in FILES)
    yield from (f"why {key}" for key in keys)
    for name in names:
        yield from (f"why {name}.damage", f"why {name}.wounds", f"? attack {name}", f"odds {name}", f"rulings {name}")
        yield f"whatif 2 who={name}"


def denied(keys: Sequence[str], names: Sequence[str], sheet: str = "guard") -> Iterator[str]:
    """Yields lines of words that belong to the gamemaster; `sheet` is one of the game."""
    yield from (
        "undo",
        "undo 2",
        "undo turn",
        "redo",
        "rewind 1",
        "rewind 99",
        "amend 2 drop",
        "remove 2 no",
        "end",
        "/end",
    )
    yield from (
        "20 was 60",
        "5 was 3",
        "reroll 5 = 3",
        "missed: fray",
        "begin",
        "unseal",
        "rename x",
        "time 2 hours",
        "+10 no",
    )
    yield from (
        f"add {sheet}",
        f"add {sheet} {sheet}",
        f"hide {sheet}",
        "settle d1 upheld no",
        "reveal 2",
        "secret end",
        "insert 2 note x",
    )
    yield from (f"add {file}" for file in FILES)
    yield from (f"insert 2 add {file}" for file in FILES)
    yield from (f"modify {key} 10 no" for key in keys)
    for name in names:
        yield from (
            f"add {name}={sheet}",
            f"add {name}={sheet} {sheet}",
            f"add {sheet} as {name}",
            f"hide {name}={sheet} x={sheet}",
        )
        yield from (
            f"leave {name}",
            f"adjust {name} wounds 1 no",
            f"reveal {name}",
            f"target {name}",
            f"overrule {name} x 1 no",
        )
        yield from (
            f"modify {name} 10 no",
            f"amend 2 who={name}",
            f"insert 2 {name}: end",
            f"remove {name}",
            f"missed: {name} x",
        )


def deeds(names: Sequence[str]) -> Iterator[str]:
    """Yields declarations and answers, legal and illegal; a player may give some of them."""
    yield from ("", "1", "2", "9", "50", "50 50", "3 3 3", "4 hits", "fray", "none", "no such word", "~~", "101")
    for name in names:
        yield from (
            f"attack {name}",
            f"{name} 50",
            f"{name}: 50",
            f"{name}: end",
            f"{name}: attack ann",
            f"attack at={name}",
        )
        yield from (
            f"ann: attack {name}",
            f"attack {name} teapot",
            f"attack {name} -10 dark",
            f"{name} fist",
            f"1 {name}",
        )
        yield from (
            f"ann 50 {name} 50",
            f"bob 12, {name} 13",
            f"whisper {name} x",
            f"whisper ann,{name} x",
            f"secret {name} 50",
        )


def beginnings(keys: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Yields lines that are still being typed, for their completions."""
    yield from ("", "a", "attack ", "attack at=", "secret ", "? ", "1 ")
    yield from (f"{word} " for word in VERBS)
    yield from (f"{word} 2 " for word in ("amend", "whatif", "insert", "reveal", "overrule", "settle"))
    yield from ("add /etc/", "add p", "export /", "reveal x to ", "insert 2 add ")
    yield from (f"{name[:2]}" for name in names)
    yield from (f"{name}: " for name in names)
    yield from (f"attack {name} " for name in names)
    yield from (f"overrule {key} " for key in keys)
