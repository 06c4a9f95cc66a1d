"""Routes that describe the installed rulesets: tables, charts, schemas. They need no token and disclose no session."""

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import Controller, get
from litestar.params import FromPath

from ledger.events import Json
from machines.contract.chart import Chart
from machines.contract.diagram import mermaid
from machines.contract.refusals import BadTable
from machines.contract.ruleset import Ruleset, ruleset
from machines.contract.schemas import schemas
from machines.registry import installed
from replays.server.routes.common import refusals


class Game(msgspec.Struct, frozen=True):
    """A ruleset in brief."""

    name: str
    title: str
    version: int
    """Increases whenever the same commands would be decided differently."""


class WholeGame(msgspec.Struct, frozen=True):
    """A ruleset with the names of its profiles, declarations, tables, charts and sheets."""

    name: str
    title: str
    version: int
    profiles: tuple[str, ...]
    """The printings of the rules; the default comes first."""
    kinds: dict[str, str]
    """The kinds of declarations, with their titles."""
    tables: tuple[str, ...]
    charts: tuple[str, ...]
    sheets: tuple[str, ...]


class ChartDiagram(msgspec.Struct, frozen=True):
    """A procedure of the rulebook as a diagram."""

    name: str
    title: str
    source: str
    mermaid: str
    """The diagram in the Mermaid language."""


class RulesetSchemas(msgspec.Struct, frozen=True):
    """JSON Schemas of the documents of a ruleset."""

    sheet: dict[str, Any]
    """The JSON Schema of a sheet."""
    begin: dict[str, Any]
    """The JSON Schema of the situation at the beginning of a fight."""
    profile: dict[str, Any]
    """The JSON Schema of a profile: the options of a session."""
    declare: dict[str, dict[str, Any]]
    """The JSON Schema of the terms of each kind of declaration, by kind."""
    definitions: dict[str, dict[str, Any]] = msgspec.field(name="$defs")
    """The schemas that the others refer to, by name."""


class Games(Controller):
    """Describes the installed rulesets."""

    path = "/v1/rulesets"
    tags = ("Rulesets",)

    @get("/", sync_to_thread=False, operation_id="listRulesets", responses=refusals())
    def listed(self) -> list[Game]:
        """Lists the installed rulesets."""
        return [Game(name, ruleset(name).title, ruleset(name).version) for name in installed()]

    @get("/{name:str}", sync_to_thread=False, operation_id="getRuleset", responses=refusals(404))
    def one(self, name: FromPath[str]) -> WholeGame:
        """Returns a ruleset: the names of its profiles, declarations, tables, charts and sheets."""
        game = ruleset(name)
        return WholeGame(
            game.name, game.title, game.version, tuple(row.name for row in game.profiles),
            {kind: each.title for kind, each in game.kinds.items()}, tuple(tables_of(game)), tuple(game.charts),
            tuple(game.sheets),
        )  # fmt: skip

    @get("/{name:str}/tables/{table:str}", sync_to_thread=False, operation_id="getTable", responses=refusals(404))
    def table(self, name: FromPath[str], table: FromPath[str]) -> list[dict[str, Any]]:
        """Returns the rows of a table, each with its source; `profiles`, `rulings` and `books` are tables too."""
        known = tables_of(ruleset(name))
        if table not in known:
            raise BadTable(f"{name} has no table {table!r}", where="table", accepts=", ".join(known))
        return [msgspec.to_builtins(row) for row in known[table]]

    @get("/{name:str}/charts/{chart:str}", sync_to_thread=False, operation_id="getChart", responses=refusals(404))
    def chart(self, name: FromPath[str], chart: FromPath[str]) -> ChartDiagram:
        """Returns a procedure of the rulebook as a Mermaid diagram."""
        charts = ruleset(name).charts
        if chart not in charts:
            raise BadTable(f"{name} has no chart {chart!r}", where="chart", accepts=", ".join(charts))
        return _drawn(charts[chart])

    @get("/{name:str}/schemas", sync_to_thread=False, operation_id="getSchemas", responses=refusals(404))
    def schemas(self, name: FromPath[str]) -> RulesetSchemas:
        """Returns JSON Schemas of sheets, situations, profiles and each kind of declaration."""
        return msgspec.convert(schemas(ruleset(name)), RulesetSchemas)

    @get("/{name:str}/sheets/{sheet:str}", sync_to_thread=False, operation_id="getSheet", responses=refusals(404))
    def sheet(self, name: FromPath[str], sheet: FromPath[str]) -> Json:
        """Returns a sheet that is part of the ruleset, ready to join a fight with."""
        sheets = ruleset(name).sheets
        if sheet not in sheets:
            raise BadTable(f"{name} has no sheet {sheet!r}", where="sheet", accepts=", ".join(sheets))
        return sheets[sheet]


def tables_of(game: Ruleset) -> Mapping[str, tuple[msgspec.Struct, ...]]:
    """Returns the tables of a ruleset by name, also those that every ruleset has."""
    return {**game.tables, "profiles": game.profiles, "rulings": game.rulings, "books": game.books}


def _drawn(chart: Chart) -> ChartDiagram:
    return ChartDiagram(chart.name, chart.title, str(chart.source), mermaid(chart))
