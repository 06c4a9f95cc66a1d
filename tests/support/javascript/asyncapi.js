// Prints what @asyncapi/parser finds in documents, given by path: a list for each, as lines of JSON.

import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";

const SEVERITIES = ["error", "warning", "information", "hint"];

for (const path of process.argv.slice(2)) {
  const { document, diagnostics } = await new Parser().parse(readFileSync(path, "utf8"));
  const found = diagnostics.map(({ severity, code, path: place, message }) => (
    { severity: SEVERITIES[severity], code, place: place.join("/"), message }
  ));
  const operations = (document?.operations().all() ?? []).map((each) => [each.id(), each.action()]);
  console.log(JSON.stringify({ found, operations }));
}
