"""The synchronous client is what the script writes from the asynchronous one; it is not edited by hand."""

import inspect
from pathlib import Path

import pytest
from client.unasync import sources, synchronous, twin, written

from replays.client import AsyncFounded, AsyncHost, AsyncRemoteSession, Founded, Host, RemoteSession


@pytest.mark.parametrize("source", sources(), ids=lambda source: source.name)
def test_the_committed_module_is_what_the_script_writes(source: Path) -> None:
    expected = written(source)

    found = twin(source).read_text()

    assert expected == found, "run: python tests/support/client/unasync.py"


def test_every_pair_of_twins_is_written_so() -> None:
    expected = ["correcting.py", "feeding.py", "host.py", "remote.py", "sending.py", "table_calls.py", "webhooks.py"]

    assert expected == [source.name for source in sources()]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("async def f() -> A:\n    return await g()\n", "def f() -> A:\n    return g()\n"),
        ("async with AsyncHost() as host:\n    pass\n", "with Host() as host:\n    pass\n"),
        ("async def __aenter__(self): ...\n", "def __enter__(self): ...\n"),
        ("await self.client.aclose()\n", "self.client.close()\n"),
        ("import asyncio\nawait asyncio.sleep(1)\n", "import time\ntime.sleep(1)\n"),
        ("async for x in y:\n    yield x\n", "yield from y\n"),
        ("async for x in y:\n    yield x + 1\n", "for x in y:\n    yield x + 1\n"),
        ("    # sync: @property\n    async def f(self): ...\n", "    @property\n    def f(self): ...\n"),
        ("    for x in y:  # sync: return iter(y)\n        yield x  # sync:\n", "    return iter(y)\n"),
        ('"""A host for asyncio."""\n', '"""A host."""\n'),
        (
            "from replays.client.asynchronous.host import AsyncHost\n",
            "from replays.client.synchronous.host import Host\n",
        ),
        ("asynchronous = Asynchronous(awaited)\n", "asynchronous = Asynchronous(awaited)\n"),
    ],
)
def test_asynchronous_code_is_made_synchronous(code: str, expected: str) -> None:
    assert expected == synchronous(code)


@pytest.mark.parametrize(
    ("called", "awaited"), [(RemoteSession, AsyncRemoteSession), (Host, AsyncHost), (Founded, AsyncFounded)]
)
def test_the_twins_have_the_same_methods_with_the_same_parameters(called: type, awaited: type) -> None:
    expected = {
        name: list(inspect.signature(member).parameters.values())
        for name, member in vars(called).items()
        if not name.startswith("_") and inspect.isfunction(member)
    }

    found = {
        name: list(inspect.signature(getattr(awaited, name)).parameters.values())
        for name in vars(awaited)
        if name in expected
    }

    assert expected
    assert expected == found
