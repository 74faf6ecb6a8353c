"""SDKs that are not installed with MARK-I unless they are asked for."""

from importlib.util import find_spec

from world_model import UsageError


def needed(module: str, extra: str) -> None:
    """Say which extra brings a module that is not installed.

    Raises:
        UsageError: it is not.
    """
    try:
        found = find_spec(module)
    except ModuleNotFoundError:  # a package above it is not there
        found = None
    if found is None:
        raise UsageError(
            f"The {extra} brain needs an SDK that is not installed here. Install it with: pip install 'mark-i[{extra}]'"
        )
