"""The client for JavaScript: an ES module with its types, and the package for npm. This package has no Python code."""

FILES = {
    "affray.js": "text/javascript",
    "affray.d.ts": "application/typescript",
    "api.d.ts": "application/typescript",
}
"""The files of the client, with the media type of each; a server has them at `/client`."""
