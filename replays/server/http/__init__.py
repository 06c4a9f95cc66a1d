"""HTTP surface of the server: problems, strict parsing, OpenAPI, paging, logs, metrics."""
