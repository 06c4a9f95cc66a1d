"""Logs a warning of a store. The library for logging takes long to load, so it is loaded with the first warning."""


def warn(logger: str, message: str, *values: object) -> None:
    """Logs a warning.

    Args:
        logger: The name of the logger: that of the module which warns.
        message: The message, with a place for each value.
        values: The values.
    """
    import logging  # noqa: PLC0415  see above

    logging.getLogger(logger).warning(message, *values)
