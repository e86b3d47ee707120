"""The key that signs sessions and links.

It is given from outside, or made once and kept with the data.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path

from config.env.errors import SettingProblem
from config.env.private_files import FOLDER_MODE

KEY_FILE = "secret-key"


def read_or_make(data_dir: Path) -> tuple[str, list[SettingProblem]]:
    """Return the key kept in `data_dir`.

    It is made there on the first start, with access for its owner alone.

    Returns the key and what is wrong; with a fault the key is a passing one that nothing may be signed with.
    """
    path = data_dir / KEY_FILE
    try:
        _make_unless_there(path)
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        return secrets.token_urlsafe(50), [_unusable(path, str(error))]
    if len(key) < 50:
        return secrets.token_urlsafe(50), [_unusable(path, "it is shorter than 50 characters")]
    return key, []


def _make_unless_there(path: Path) -> None:
    if path.exists():
        return
    path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    # A file made this way can be read by its owner alone, from its first moment on.
    descriptor, draft = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(64))
    _publish(Path(draft), path)


def _publish(draft: Path, path: Path) -> None:
    # Linking refuses an existing name, so of two first starts at once both read the same key afterwards.
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _unusable(path: Path, reason: str) -> SettingProblem:
    return SettingProblem(
        "secret-key",
        f"The signing key in {path} cannot be used: {reason}.",
        "Make the folder writable for this user, or set RINGSIDE_SECRET_KEY to 50 or more random characters.",
    )
