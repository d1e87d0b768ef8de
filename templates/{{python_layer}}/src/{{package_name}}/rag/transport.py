"""JSON over HTTP for every provider: one deadline, retries only for what may succeed."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

import msgspec

from .errors import ConfigError, RagError

if TYPE_CHECKING:
    import httpx2
    from tenacity import RetryCallState

T = TypeVar("T")

TRIES = 3
"""Tries of a call whose server does not say when to come back."""

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same request may succeed."""

SPENT = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active")
"""Codes of a 429 that no waiting mends."""

ADVICE = {
    401: "Check the API key, and what it is allowed to do.",
    403: "Check the API key, and what it is allowed to do.",
    404: "Check the address, and the name of the model.",
}
SPENT_ADVICE = "The quota is used up: add credit, then run it again."
REFUSED = "The provider refuses this request, and would refuse it again."


class _PassingFailure(Exception):
    """A failure after which the same request may succeed."""

    def __init__(self, reason: str, retry_after_s: float = 0.0) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s


class StatusError(Exception):
    """What a server answered; the cause of the error raised for it."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.body = body


class JsonClient:
    """Posts JSON to one provider and decodes its replies; threads may share one.

    `timeout_s` is the deadline of one `post`, its tries and waits included. No message holds a
    value of `headers`. What the provider causes is raised as `error`. `client`, `sleep` and
    `clock` are arguments so that they can be replaced.

    Raises:
        ConfigError: `url` is not an http or https address.
    """

    def __init__(
        self,
        url: str,
        *,
        error: type[RagError],
        timeout_s: float,
        headers: Mapping[str, str] | None = None,
        client: httpx2.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = url.rstrip("/")
        self._place = _without_secrets(self._url)
        self._headers = dict(headers or {})
        self._error = error
        self._timeout_s = timeout_s
        self._client = client
        self._sleep = sleep
        self._clock = clock

    def post(self, path: str, payload: object, reply: type[T]) -> T:
        """Post `payload` to the address and `path`, and decode the answer as `reply`.

        Raises:
            RagError: of the kind given as `error`; it names the call and what to do next. What a
                retry can't mend (400, 401, 403, 404, a spent quota) is raised at once.
        """
        call = f"POST {self._place}{path}"
        content = self._persist(call, path, msgspec.json.encode(payload))
        try:
            return _decoded(content, reply)
        except ValueError as error:
            raise self._error(
                f"{call}: the reply is not the JSON expected ({error}); "
                f"it starts with {self._excerpt(content)!r}",
                fix="Check that this is the address of a compatible API.",
            ) from error

    def close(self) -> None:
        """Close the connections; a later `post` opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _persist(self, call: str, path: str, body: bytes) -> bytes:
        from tenacity import Retrying, retry_if_exception_type

        deadline = self._clock() + self._timeout_s

        def is_last(state: RetryCallState) -> bool:
            if self._clock() + state.upcoming_sleep >= deadline:
                return True
            return state.attempt_number >= TRIES and not _asked_wait_s(state)

        retrying = Retrying(
            sleep=self._sleep,
            wait=_wait_s,
            stop=is_last,
            retry=retry_if_exception_type(_PassingFailure),
            reraise=True,
        )
        try:
            return retrying(self._attempt, call, path, body, deadline)
        except _PassingFailure as failure:
            limits = (
                f"tries {retrying.statistics['attempt_number']}, deadline {self._timeout_s:g} s"
            )
            if failure.retry_after_s:
                limits += f", asked to wait {failure.retry_after_s:.0f} s"
            raise self._error(
                f"{call}: {failure} ({limits})", fix="Run it again later."
            ) from failure

    def _attempt(self, call: str, path: str, body: bytes, deadline: float) -> bytes:
        import httpx2

        left_s = deadline - self._clock()
        client = self._client = self._client or httpx2.Client()
        headers = {"content-type": "application/json", **self._headers}
        timeout = httpx2.Timeout(left_s, connect=min(10.0, left_s))

        def send() -> httpx2.Response:
            return client.post(self._url + path, content=body, headers=headers, timeout=timeout)

        try:
            response = _within(left_s, send)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise _PassingFailure("no complete answer in time") from error
        except httpx2.TransportError as error:
            raise _PassingFailure(f"connection failed: {self._redacted(str(error))}") from error
        except httpx2.HTTPError as error:
            raise self._error(f"{call}: {self._redacted(str(error))}") from error
        if response.is_success:
            return response.content
        raise self._failure(call, response)

    def _failure(self, call: str, response: httpx2.Response) -> Exception:
        status = response.status_code
        what = f"HTTP {status} {self._excerpt(response.content)}".rstrip()
        spent = status == 402 or any(code in response.text for code in SPENT)
        if status in PASSING and not spent:
            return _PassingFailure(what, _retry_after_s(response))
        fix = SPENT_ADVICE if spent else ADVICE.get(status, REFUSED)
        error = self._error(f"{call}: {what}", fix=fix)
        error.__cause__ = StatusError(status, response.text)
        return error

    def _excerpt(self, content: bytes) -> str:
        return self._redacted(" ".join(content[:2000].decode("utf-8", "replace").split()))[:300]

    def _redacted(self, text: str) -> str:
        secrets = (value.removeprefix("Bearer ") for value in self._headers.values())
        for secret in secrets:
            text = text.replace(secret, "***") if secret else text
        return text


def bearer(api_key: str) -> dict[str, str]:
    """Headers that carry `api_key`; none when it is empty, as local servers want."""
    return {"authorization": f"Bearer {api_key}"} if api_key else {}


def _decoded(content: bytes, reply: type[T]) -> T:
    try:
        return msgspec.json.decode(content, type=reply)
    except msgspec.ValidationError:
        raise
    except ValueError:
        # Python's own servers write NaN, which is not JSON; the stage says which row has it.
        return msgspec.convert(json.loads(content), reply)


def _without_secrets(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"{parts.path or url!r} is not an http or https address")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _within(seconds: float, call: Callable[[], T]) -> T:
    """Run `call` in a thread of its own: a server that drips bytes outlives any read timeout."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future.result(timeout=seconds)


def _asked_wait_s(state: RetryCallState) -> float:
    failure = state.outcome.exception() if state.outcome else None
    return failure.retry_after_s if isinstance(failure, _PassingFailure) else 0.0


def _wait_s(state: RetryCallState) -> float:
    from tenacity import wait_exponential, wait_random

    growing = wait_exponential(multiplier=0.5, max=30) + wait_random(0, 0.5)
    return _asked_wait_s(state) + growing(state)


def _retry_after_s(response: httpx2.Response) -> float:
    """Seconds that the server asks to wait, given as a number or an HTTP date; 0 if it does not."""
    value = response.headers.get("retry-after", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return 0.0
