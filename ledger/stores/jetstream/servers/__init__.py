"""NATS servers: the connection to them, their streams, and whether they keep what they acknowledge."""
