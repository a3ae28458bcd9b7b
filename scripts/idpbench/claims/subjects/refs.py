"""References to entries of an authority, `namespace:id`."""

from __future__ import annotations


def split_ref(ref: str) -> tuple[str, str] | None:
    """Namespace and id of a reference, split at the first colon and normalised; None if either is missing."""
    namespace, colon, identifier = ref.partition(":")
    namespace, identifier = normalised_parts(namespace, identifier)
    return (namespace, identifier) if colon and namespace and identifier else None


def normalised_parts(namespace: str, identifier: str) -> tuple[str, str]:
    """Namespace in lower case, id trimmed; an id of wikidata in capitals, and with its Q where it is digits alone."""
    namespace, identifier = namespace.strip().lower(), identifier.strip()
    if namespace == "wikidata":
        identifier = identifier.upper()
        if identifier.isdecimal():
            identifier = f"Q{identifier}"
    return namespace, identifier


def normalised(ref: str) -> str:
    """The one spelling of a reference; a text that is none is a ValueError."""
    parts = split_ref(ref)
    if parts is None:
        raise ValueError(f"{ref!r} is not namespace:id")
    return ":".join(parts)
