"""A certificate authority of this installation, and a certificate.

The certificate is for the addresses of this computer. The authority is made once and kept with the data,
readable by its owner alone: phones trust it for years, and anyone with its key can pretend to be any site to
them. The certificate is made at each start, for the present addresses.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme

from config.env.private_files import FOLDER_MODE

FOLDER = "https"
AUTHORITY = "authority.pem"
AUTHORITY_KEY = "authority-key.pem"
CERTIFICATE = "certificate.pem"
# Phones refuse certificates that are valid for longer.
VALID_DAYS = 397


@dataclass(frozen=True, slots=True)
class TlsCertificate:
    """Files of a certificate and of the authority that made it.

    The key is in the same file as the certificate.
    """

    certificate: Path
    authority: Path


def make_certificate(data_folder: Path, names: Iterable[str]) -> TlsCertificate:
    """Make a certificate for these names and addresses.

    Raises OSError or ValueError for unusable files.
    """
    folder = data_folder / FOLDER
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    folder.chmod(FOLDER_MODE)
    now = datetime.now(UTC)
    issued_certificate = _load_authority(folder).issue_cert(
        *dict.fromkeys(name.strip("[]") for name in names),
        organization_name="Ringside",
        not_before=now - timedelta(days=1),
        not_after=now + timedelta(days=VALID_DAYS - 1),
    )
    _write_private(folder / CERTIFICATE, issued_certificate.private_key_and_cert_chain_pem.bytes())
    return TlsCertificate(folder / CERTIFICATE, folder / AUTHORITY)


def _load_authority(folder: Path) -> trustme.CA:
    """Return the authority that is kept, made on the first start."""
    certificate, key = folder / AUTHORITY, folder / AUTHORITY_KEY
    if key.exists() and certificate.exists():
        return trustme.CA.from_pem(certificate.read_bytes(), key.read_bytes())
    new_authority = trustme.CA(
        path_length=0, organization_name="Ringside", organization_unit_name="This venue"
    )
    _write_private(key, new_authority.private_key_pem.bytes())
    _write_private(certificate, new_authority.cert_pem.bytes())
    return new_authority


def _write_private(path: Path, content: bytes) -> None:
    """Write a file atomically with access for its owner alone.

    No one else can read it from its first moment on. It is written whole or not at all.
    """
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    draft.replace(path)
