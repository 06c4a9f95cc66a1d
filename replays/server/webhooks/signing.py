"""Signs messages as the Standard Webhooks specification does: HMAC-SHA256 of id, time and body."""

import base64
import hmac
import secrets
from collections.abc import Sequence

PREFIX = "whsec_"
"""What a secret begins with; the rest is the key in base64."""
KEY_BYTES = 32
"""Length of a new key; the specification accepts 24 to 64 bytes."""


def new_secret() -> str:
    """Returns a new secret of a webhook."""
    return PREFIX + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Returns the signature of a message.

    Args:
        secret: The secret of the webhook.
        message_id: The value of the header ``webhook-id``.
        timestamp: The time of sending, in seconds since 1970.
        body: The body, exactly as it is sent.
    """
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = b"%b.%d.%b" % (message_id.encode(), timestamp, body)
    return "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()


def signed_headers(keys: Sequence[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Returns the headers of a signed message; it has a signature for each of several secrets.

    Args:
        keys: The secrets of the webhook: after a change, the old one too, until receivers know the new one.
        message_id: The same for each attempt to deliver the message.
        timestamp: The time of this attempt, in seconds since 1970.
        body: The body, exactly as it is sent.
    """
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(each, message_id, timestamp, body) for each in keys),
    }
