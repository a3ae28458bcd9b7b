"""A run: preflight, plan, then per member prompt, attempts and score; each call is journalled before and after."""
