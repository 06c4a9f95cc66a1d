"""A connection that loses answers."""

import httpx


class Cut(httpx.HTTPTransport):
    """Sends calls, and loses the first answers."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.left, self.sent = times, 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = super().handle_request(request)
        self.sent += 1
        if self.left:
            self.left -= 1
            answer.read()
            answer.close()
            raise httpx.ReadError("the connection was cut")
        return answer
