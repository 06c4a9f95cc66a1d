"""Describes errors of the operating system in plain words."""


def worded(error: BaseException) -> str:
    """Returns the reason of an error, without error numbers and names."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[:1].lower() + error.strerror[1:]
    return str(error)


def refusal(error: BaseException) -> str:
    """Returns a sentence for an error that no verb handles, such as standard output on a full device."""
    if not isinstance(error, OSError):
        return f"the system refuses: {error}"
    if error.filename is None:
        return f"the output cannot be written: {worded(error)}; entries that were written before are kept"
    return f"the system refuses {error.filename}: {worded(error)}"
