"""Signatures are those of the Standard Webhooks specification; the receiver in the README accepts them."""

import base64
import re
import time
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from replays.server.webhooks import signing
from replays.server.webhooks.signing import KEY_BYTES, new_secret, signature, signed_headers

PAGE = Path(signing.__file__).parent / "README.md"
BODY = '{"type":"entry","data":{"text":"Größe"}}'.encode()


def test_the_published_example_has_the_published_signature() -> None:
    found = signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
    )

    assert found == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_secret_is_as_long_as_the_specification_wants_and_never_the_same() -> None:
    secrets = {new_secret() for _ in range(20)}

    assert len(secrets) == 20
    assert {len(base64.b64decode(each.removeprefix("whsec_"))) for each in secrets} == {KEY_BYTES}
    assert 24 <= KEY_BYTES <= 64


def test_each_of_several_secrets_verifies_and_no_other() -> None:
    new, old, other = new_secret(), new_secret(), new_secret()
    headers = signed_headers([new, old], "msg_1", int(time.time()), BODY)

    for secret in (new, old):
        Webhook(secret).verify(BODY, headers)
    for secret, body in ((other, BODY), (new, BODY + b" ")):
        with pytest.raises(WebhookVerificationError):
            Webhook(secret).verify(body, headers)


def test_the_receiver_of_the_page_accepts_what_is_genuine_and_nothing_else() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    verified, secret, now = names["verified"], new_secret(), int(time.time())
    headers = signed_headers([new_secret(), secret], "msg_1", now, BODY)

    assert verified(secret, headers, BODY)
    assert not verified(new_secret(), headers, BODY)
    assert not verified(secret, headers, BODY + b" ")
    assert not verified(secret, {**headers, "webhook-id": "msg_2"}, BODY)
    assert not verified(secret, signed_headers([secret], "msg_1", now - 301, BODY), BODY)
