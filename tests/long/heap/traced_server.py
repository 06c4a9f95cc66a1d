"""``affray serve``, which on SIGUSR1 writes how large it is into the file that ``AFFRAY_HEAP`` names.

What it writes is JSON: the figures of `growth.Measured`, and how many objects there are of each type. Where
``AFFRAY_HEAP_FRAMES`` is a number, its allocations are traced, and a snapshot is written beside that file.
"""

import json
import os
import signal
from dataclasses import asdict
from pathlib import Path
from types import FrameType

from long.heap import tracing
from long.heap.growth import census, measure


def _tell(number: int, frame: FrameType | None) -> None:
    told = Path(os.environ["AFFRAY_HEAP"])
    text = json.dumps({"measured": asdict(measure()), "census": census()})
    tracing.dump(told.with_suffix(".snapshot"))
    new = told.with_suffix(".new")
    new.write_text(text)
    new.replace(told)


if __name__ == "__main__":
    tracing.start(int(os.environ.get("AFFRAY_HEAP_FRAMES", "0")))
    signal.signal(signal.SIGUSR1, _tell)
    from replays.cli import main

    main()
