"""The two pages that people read: the leaderboard over all results, and the composition and findings of a suite."""
