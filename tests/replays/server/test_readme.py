"""What the README shows of the server is what happens."""

import os
import re
import subprocess
import sys
from pathlib import Path

from places import ROOT
from server.processes import Served

README = (ROOT / "README.md").read_text().partition("## As a backend")[2].partition("\n## ")[0]
ADDRESS = re.compile(r"(?:127\.0\.0\.1|localhost):8040")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", README, re.S)
    assert found is not None
    return found[1]


def run(server: Served, *words: str, text: str = "") -> str:
    """Runs a command beside the server, with its host's token."""
    token = server.host["Authorization"].removeprefix("Bearer ")
    environment = {**os.environ, "AFFRAY_TOKEN": token}
    done = subprocess.run(words, input=text, capture_output=True, text=True, env=environment, cwd=server.folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_server_says_where_it_listens_and_a_session_is_founded(server: Served) -> None:
    serve, _, rest = block("console").partition("\n")
    listens, _, rest = rest.partition("\n")
    assert serve == "$ affray serve &"
    assert ADDRESS.sub(f"127.0.0.1:{server.port}", listens) == f"Affray listens at {server.url}"
    commands = rest[rest.index("$ curl") + 2 :]
    command, answer = re.split(r"\n(?=\{)", commands.strip())
    said = run(server, "bash", "-c", ADDRESS.sub(f"127.0.0.1:{server.port}", command))
    assert re.fullmatch(re.escape(answer).replace("…", ".*"), said), said


def test_who_makes_a_token_with_a_key_of_their_own_is_told_so(tmp_path: Path, affray_command: list[str]) -> None:
    made, again = [
        subprocess.run([*affray_command, "token"], cwd=tmp_path, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert "only a server with the same file accepts this token" in made.stderr
    assert again.stderr == ""
    assert made.stdout != "" != again.stdout


def test_the_host_s_token_is_printed(server: Served, affray_command: list[str]) -> None:
    printed = run(server, *affray_command, "token", "--keys", str(server.folder / "affray.keys")).strip()
    with server.client() as client:
        assert client.get("/v1/sessions", headers={"Authorization": f"Bearer {printed}"}).status_code == 200


def test_embedding_and_calling_are_the_same_code(server: Served) -> None:
    code = ADDRESS.sub(f"127.0.0.1:{server.port}", block("python"))
    embedded, called = run(server, sys.executable, "-W", "error", "-", text=code).splitlines()
    whos = [sorted(re.findall(r"'(\w+)'", line)) for line in (embedded, called)]
    assert whos == [["ann", "bob"]] * 2
