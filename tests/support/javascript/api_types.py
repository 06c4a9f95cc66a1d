"""Writes the types of the JavaScript client from the OpenAPI document of this version.

    python tests/support/javascript/api_types.py

writes `replays/javascript/api.d.ts`; it needs npm. Only answers of success are described there, because every refusal
is a `Problem`. A member that may be omitted is optional, even if it has a default.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[3]
CLIENT = ROOT / "replays" / "javascript"
TYPES = CLIENT / "api.d.ts"
PACKAGES = ("openapi-typescript@7.13.0", "typescript@5.9.3", "@types/node@20.19.9")
"""The generator and the compiler, with their versions."""
OPTIONS = ("--default-non-nullable=false", "--root-types", "--root-types-no-schema-prefix", "--root-types-keep-casing")
HEADER = "// Written by tests/support/javascript/api_types.py from the OpenAPI document: run the script.\n"


def generated(folder: Path, document: dict[str, Any]) -> str:
    """Returns the types of an OpenAPI document.

    Args:
        folder: A folder in which the generator is installed.
        document: The OpenAPI document.
    """
    from javascript.packages import run

    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"] = {
                status: answer for status, answer in operation["responses"].items() if status < "3"
            }
    (folder / "openapi.json").write_text(json.dumps(document), "utf-8")
    run("npx", "openapi-typescript", "openapi.json", "-o", "api.d.ts", *OPTIONS, cwd=folder)
    return HEADER + (folder / "api.d.ts").read_text("utf-8")


def main(arguments: Sequence[str] = ()) -> None:
    """Writes the types."""
    from javascript.packages import install
    from server.processes import served

    assert not arguments, "no arguments are accepted"
    with TemporaryDirectory() as name:
        folder = Path(name)
        install(folder, *PACKAGES)
        with served(folder) as server, server.client() as client:
            document = client.get("/schema/openapi.json").json()
        TYPES.write_text(generated(folder, document), "utf-8")


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]
    main(sys.argv[1:])
