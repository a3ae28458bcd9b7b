"""How much one request can hold and return: arithmetic on tokens, and nothing else.

These bytes are part of the local engine's digest: whatever can change without changing a result belongs elsewhere.
Source of the figures: the benchmarking guide's page-image formula and its published windows and shard budgets.
"""

from __future__ import annotations

SHARD_SHARE = 0.70  # of the sizing window
SHARD_RESERVE = 121_600  # tokens of a shard request that are not page text: prompts, turns, answers
SHARD_LEAST = 2_000


def page_image_tokens(width: int, height: int, divisor: int = 750, cap: int | None = None) -> int:
    """Tokens of one page image of `width` x `height` pixels: area / divisor, at most `cap`.

    A Letter page at 300 dpi (2550 x 3300) is 11,220, at 150 dpi (1275 x 1650) 2,805.
    """
    tokens = width * height // divisor
    return tokens if cap is None else min(tokens, cap)


def usable_window(hard_window: int, buffer: float = 0.30) -> int:
    """Tokens a request may hold: the window without the share that is kept free (140,000 of 200,000)."""
    return round(hard_window * (1 - buffer))


def shard_budget(sizing_window: int) -> int:
    """Page-text tokens of one shard in advanced mode: 18,400 of 200,000, 578,400 of 1,000,000."""
    return max(SHARD_LEAST, round(SHARD_SHARE * sizing_window) - SHARD_RESERVE)


def fits(request_tokens: int, hard_window: int, buffer: float = 0.30) -> bool:
    """Whether a request is accepted, or refused as too large."""
    return request_tokens <= usable_window(hard_window, buffer)


def shards(page_tokens: list[int], budget: int, most_pages: int) -> list[list[int]]:
    """Page numbers (from 0) by shard: consecutive pages, at most `most_pages` and `budget` text tokens each.

    A page that alone exceeds the budget is a shard of its own.
    """
    result: list[list[int]] = []
    filled = 0
    for page, tokens in enumerate(page_tokens):
        if not result or len(result[-1]) >= most_pages or filled + tokens > budget:
            result.append([])
            filled = 0
        result[-1].append(page)
        filled += tokens
    return result
