"""The one retry policy. Every caller that talks to something that may be busy goes through here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tenacity import Retrying, retry_if_exception, stop_after_attempt, stop_after_delay, wait_exponential_jitter

T = TypeVar("T")


def call(
    action: Callable[[], T],
    *,
    retryable: Callable[[BaseException], bool],
    attempts: int = 8,
    seconds: float = 120.0,
    first_wait: float = 0.2,
    longest_wait: float = 10.0,
) -> T:
    """Run `action`, again after jittered exponential waits while `retryable(error)`; the last error is raised as is."""
    policy = Retrying(
        retry=retry_if_exception(retryable),
        stop=stop_after_attempt(attempts) | stop_after_delay(seconds),
        wait=wait_exponential_jitter(multiplier=first_wait, max=longest_wait),
        reraise=True,
    )
    return policy(action)
