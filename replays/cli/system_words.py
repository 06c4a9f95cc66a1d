"""What the system refuses, in plain words."""


def worded(error: BaseException) -> str:
    """Returns why the system refuses, without its numbers and names of errors."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[:1].lower() + error.strerror[1:]
    return str(error)


def refusal(error: BaseException) -> str:
    """Returns a sentence for an error that no verb foresees, such as standard output on a device that is full."""
    if not isinstance(error, OSError):
        return f"the system refuses: {error}"
    if error.filename is None:
        return f"the output cannot be written: {worded(error)}; what was written before stands"
    return f"the system refuses {error.filename}: {worded(error)}"
