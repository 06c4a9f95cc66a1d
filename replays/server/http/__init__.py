"""The HTTP surface of the server: problem documents, strict parsing, OpenAPI, paging, logs, metrics."""
