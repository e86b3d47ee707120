"""Read zip packages of OCTGN and LackeyCCG in memory, with size limits.

Nothing is ever unpacked to a disk. A package is untrusted: a name that leads outside, a member that is
encrypted, too many members or more than can be read are refused with a sentence; archives inside are not
opened.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import PurePosixPath

from rules.catalogue_files.records import (
    MOST_RECORDS,
    WHOLE_PACKAGE_ERRORS,
    CatalogueContent,
    CatalogueProblem,
    CatalogueRecord,
    UnreadableCatalogue,
    too_many_records,
)
from rules.reason import Reason, plain_reason, reason

MAX_MEMBERS = 5_000
MAX_MEMBER_BYTES = 16 * 1024 * 1024
MAX_TOTAL_BYTES = 32 * 1024 * 1024
MAX_COMPRESSION_RATIO = 200
"""A member that grows more often than this when unpacked is a bomb; card data grows ten to thirty times."""

_MAX_DIRECTORY = 1024 * 1024
_END = b"PK\x05\x06"
_READ = frozenset({".xml", ".txt", ".csv", ".tsv", ".json"})
_ARCHIVES = frozenset({".zip", ".nupkg", ".o8g", ".o8c", ".o8s", ".7z", ".rar", ".gz"})
_FAULTS = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError,
    OverflowError,
)  # fmt: skip

ReadMember = Callable[[bytes], CatalogueContent | None]


def is_package(data: bytes) -> bool:
    """Return whether the bytes are a zip, however the file is called."""
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def read(data: bytes, read_member: ReadMember) -> CatalogueContent:
    """Return the records of all members that hold cards.

    `read_member` takes the bytes of a member and returns its content, or None if it holds no cards; it may
    raise UnreadableCatalogue, which becomes a problem of that member. Raises UnreadableCatalogue for a
    package that is broken, hostile or without any card.
    """
    content, aside = CatalogueContent("octgn_package"), Counter[str]()
    bytes_left = MAX_TOTAL_BYTES
    with _open_package(data) as package:
        for member in _members(package):
            suffix = PurePosixPath(member.filename).suffix.casefold()
            if suffix not in _READ:
                aside["archives" if suffix in _ARCHIVES else "others"] += 1
                continue
            member_bytes = _bytes_of(package, member, bytes_left)
            bytes_left -= len(member_bytes)
            _merge(content, member.filename, member_bytes, read_member, aside)
    content.notes += _notes(aside)
    if not content.records and not content.problems:
        raise UnreadableCatalogue(reason("catalogue_unreadable.no_card_data"))
    return content


def _open_package(data: bytes) -> zipfile.ZipFile:
    _refuse_large_directory(data)
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except _FAULTS as error:
        raise UnreadableCatalogue(reason("catalogue_unreadable.damaged")) from error


def _refuse_large_directory(data: bytes) -> None:
    """Refuse a package whose directory is too large.

    This is checked before the list of its files uses memory for each of them.
    """
    end = data.rfind(_END, max(0, len(data) - 65_557))
    if end < 0 or int.from_bytes(data[end + 12 : end + 16], "little") > _MAX_DIRECTORY:
        raise UnreadableCatalogue(reason("catalogue_unreadable.directory", most=MAX_MEMBERS))


def _members(package: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the files of the package after checking that all are harmless.

    Each file is checked by its entry.
    """
    # `ZipInfo.is_dir` fails on a name that is empty, or that begins with a NUL and is read as empty.
    members = [member for member in package.infolist() if not member.filename.endswith("/")]
    if len(members) > MAX_MEMBERS:
        raise UnreadableCatalogue(reason("catalogue_unreadable.members", most=MAX_MEMBERS))
    for member in members:
        _refuse_hostile(member)
    return members


def _refuse_hostile(member: zipfile.ZipInfo) -> None:
    name = member.filename
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or (name[1:2] == ":"):
        raise UnreadableCatalogue(reason("catalogue_unreadable.outside", name=name[:80]))
    if path.suffix.casefold() not in _READ:
        return
    if member.flag_bits & 1:
        raise UnreadableCatalogue(reason("catalogue_unreadable.enciphered", name=name[:80]))
    if member.file_size > MAX_MEMBER_BYTES:
        megabytes = MAX_MEMBER_BYTES // 2**20
        raise UnreadableCatalogue(reason("catalogue_unreadable.large", name=name[:80], megabytes=megabytes))
    if member.file_size > 2**20 and member.file_size > MAX_COMPRESSION_RATIO * max(1, member.compress_size):
        why = reason("catalogue_unreadable.bomb", name=name[:80], most=MAX_COMPRESSION_RATIO)
        raise UnreadableCatalogue(why)


def _bytes_of(package: zipfile.ZipFile, member: zipfile.ZipInfo, bytes_left: int) -> bytes:
    if member.file_size > bytes_left:
        why = reason("catalogue_unreadable.too_much_text", megabytes=MAX_TOTAL_BYTES // 2**20)
        raise UnreadableCatalogue(why)
    try:
        with package.open(member) as member_file:
            return member_file.read(member.file_size + 1)
    except _FAULTS as error:
        raise UnreadableCatalogue(
            reason("catalogue_unreadable.damaged_file", name=member.filename[:80])
        ) from error


def _merge(
    content: CatalogueContent, name: str, data: bytes, read_member: ReadMember, aside: Counter[str]
) -> None:
    if is_package(data):
        aside["archives"] += 1
        return
    try:
        member_content = read_member(data)
    except UnreadableCatalogue as error:
        if error.code in WHOLE_PACKAGE_ERRORS:
            raise
        content.tell(CatalogueProblem(plain_reason(name[:200]), error.reason))
        return
    if member_content is None:
        aside["others"] += 1
        return
    _check_game(content, member_content, name)
    content.game = content.game or member_content.game
    content.sets = {**content.sets, **member_content.sets}
    short = name[-120:]
    content.records += [
        CatalogueRecord(_place_in(short, each.place), each.key, each.facts) for each in member_content.records
    ]
    if len(content.records) > MOST_RECORDS:
        raise too_many_records()
    for each in member_content.problems:
        content.tell(CatalogueProblem(_place_in(short, each.place), each.reason))


def _place_in(name: str, place: Reason) -> Reason:
    return reason("catalogue_place.member", file=name, place=place)


def _check_game(content: CatalogueContent, member_content: CatalogueContent, name: str) -> None:
    if content.game and member_content.game and content.game != member_content.game:
        facts = {"game": content.game, "other": member_content.game, "name": name[:80]}
        raise UnreadableCatalogue(Reason("catalogue_unreadable.two_games", facts))


def _notes(aside: Counter[str]) -> list[Reason]:
    codes = {"others": "files_without_cards", "archives": "archives_not_opened"}
    return [Reason(code, {"count": aside[kind]}) for kind, code in codes.items() if aside[kind]]
