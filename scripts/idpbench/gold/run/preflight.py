"""What must hold before the first call: a place where calls may be made, and a key that shows nowhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from idpbench.files.errors import Refusal, bad_input
from idpbench.gold.secrets import HIDDEN, LEAST_KEY, Key, masked, usable

CI_MARKERS = (
    "CI",
    "CONTINUOUS_INTEGRATION",
    "GITHUB_ACTIONS",
    "GITLAB_CI",
    "BUILDKITE",
    "TF_BUILD",
    "JENKINS_URL",
    "CIRCLECI",
    "TRAVIS",
    "APPVEYOR",
    "TEAMCITY_VERSION",
    "BITBUCKET_BUILD_NUMBER",
    "CODEBUILD_BUILD_ID",
    "DRONE",
    "SEMAPHORE",
    "BUILD_NUMBER",
)
UNSET = ("", "0", "false", "no")


def refuse_ci(environment: Mapping[str, str]) -> None:
    """Refuse where a build server says that it is one: paid calls are a person's decision."""
    for marker in CI_MARKERS:
        if environment.get(marker, "").strip().lower() not in UNSET:
            raise Refusal(
                f"environment variable {marker} says that this is a build server, where no model is asked over the "
                "network; run it from a terminal (models local/... and --replies may run here)"
            )


def key_from(environment: Mapping[str, str], variable: str, argv: Sequence[str]) -> Key:
    """The key, from the environment alone; one that also stands in the command line is refused, and never shown."""
    value = environment.get(variable, "").strip()
    if not value:
        raise bad_input(f"environment variable {variable}", "", "nothing", "the key", f"export {variable} in the shell")
    if not usable(value):
        expected = f"printable letters without space, {LEAST_KEY} or more"
        raise bad_input(f"environment variable {variable}", "", "no such text", expected, "set it again")
    if any(value in word for word in argv):
        raise Refusal(f"the key stands in the command line, where others can read it; leave it to {variable} alone")
    return Key(value)


def public_invocation(argv: Sequence[str], key: Key | None) -> list[str]:
    """The command line as a result may hold it: nothing that is or looks like a secret, folders by name only."""
    shown = []
    for word in argv:
        clean = masked(key.hide(word) if key is not None else word)
        if "://" in clean and urlsplit(clean).username is not None:
            clean = HIDDEN
        name, sign, value = clean.partition("=")
        if sign and value.startswith("/"):
            clean = f"{name}={_base(value)}"
        shown.append(_base(clean) if clean.startswith("/") else clean)
    return shown


def _base(path: str) -> str:
    """A path's last part: where things lie on somebody's machine is not a result's business."""
    return path.rstrip("/").rsplit("/", 1)[-1] or path
