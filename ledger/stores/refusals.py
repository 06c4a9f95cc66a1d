"""Raises the errors of a store's library as refusals."""

from types import TracebackType

from ledger.errors import StoreRefused


class StoreErrors:
    """A context manager that raises errors of a store's library as refusals, chained to the originals.

    It may be entered again, and by several threads at once.

    Args:
        name: The name of the ledger in the messages.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def refusal(self, error: BaseException) -> StoreRefused | None:
        """Returns the refusal for an error; None for an error that is not the library's, which is raised as it is."""
        raise NotImplementedError

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and (refused := self.refusal(error)) is not None:
            raise refused from error
