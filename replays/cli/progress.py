"""A progress bar on standard error, if that is a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

ShowProgress = Callable[[int, int], None]
"""Called from time to time with the number of further entries that are done, and the number of all entries."""


@contextmanager
def progress_bar(doing: str) -> Iterator[ShowProgress]:
    """Shows the progress of the block on standard error, if that is a terminal.

    Args:
        doing: What the block does.

    Yields:
        A function to be called meanwhile; any thread may call it.
    """
    from rich.console import Console  # noqa: PLC0415  worker processes show nothing
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)
        yield lambda done, total: progress.update(task, advance=done, total=total)
