"""The AsyncAPI document of the live feeds: what a WebSocket and Server-Sent Events carry."""
