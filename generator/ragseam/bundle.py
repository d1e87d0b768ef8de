"""The template as it travels in the wheel: a service can be started without a network.

Git is told to read the bundle wherever the template's address is asked for, so that Copier
records the address and the tag, and later updates come from there.
"""

import os
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from plumbum import local

BUNDLE = Path(__file__).with_name("template.bundle")


@contextmanager
def template_at_hand(
    source: str, vcs_ref: str | None, *, address: str, bundle: Path = BUNDLE
) -> Generator[None]:
    """Serve the bundle as `source`, if that is the published `address` at this version.

    A checkout has no bundle, and another version is fetched: then nothing is changed.
    """
    if source != address or not bundle.is_file() or vcs_ref not in (None, version("ragseam")):
        yield
        return
    with (
        tempfile.TemporaryDirectory() as mirrors,
        _environment(_redirect(bundle, address, mirrors)),
    ):
        yield


def _redirect(bundle: Path, address: str, mirrors: str) -> dict[str, str]:
    """Variables for git and Copier, after those git settings that the environment has already.

    Copier keeps mirrors of what it fetched; that of the bundle is thrown away, since it holds
    no tag newer than its own.
    """
    count = int(os.environ.get("GIT_CONFIG_COUNT", "0"))
    return {
        "GIT_CONFIG_COUNT": str(count + 1),
        f"GIT_CONFIG_KEY_{count}": f"url.{bundle}.insteadOf",
        f"GIT_CONFIG_VALUE_{count}": address,
        "COPIER_CACHE_DIR": mirrors,
    }


@contextmanager
def _environment(variables: Mapping[str, str]) -> Generator[None]:
    """Set variables for this process and for plumbum, which keeps a copy of its own."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        with local.env(**variables):
            yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
