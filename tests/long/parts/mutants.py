"""Changes modules one spot at a time, and sees whether the tests near them notice."""

from long.part import Option, Part, Task

PART = Part(
    title="mutation runs",
    minutes=15,
    grace=2,
    why=(
        "A mutant takes some three seconds of one processor, so 15 minutes on two try some 600: all of the chain and of "
        "secrecy, and of the others 300, so that the share that is caught is known to 4 percent points (95 %)."
    ),
    options=(
        Option(name="--mutants", kind=int, help="try a sample of so many, of all modules alike"),
        Option(
            name="--processes", kind=int, help="try so many at once (default: 2, or as many as there are processors)"
        ),
        Option(name="--module", kind=str, repeated=True, help="only this module of near_tests.toml, and all of it"),
    ),
)


def run(task: Task) -> str:
    """Tries mutants until all of the sample are tried or the time is up; returns how many were caught.

    Raises:
        Failed: Too small a share was caught, or one survived that is not listed.
    """
    from long.mutation.share import run_mutants

    return run_mutants(task, count=task.options.get("mutants"), only=task.options.get("module") or ())
