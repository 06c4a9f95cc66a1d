"""Text that is sent to many WebSockets."""


class SharedText(str):
    """Text that is sent to many WebSockets; it has room for the frame of its message, which is then made once."""

    frame: bytes | None = None
    """The frame of the message without compression; None until it is made."""
