"""Draw the picture of a link to an event, as sites and messengers show it."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
MARGIN = 72
BAR, INK, MUTED, ACCENT = "#12161d", "#f5f6f8", "#b3bbc7", "#f5b301"
ASCII_LIMIT = 0x7F
FONT_SECONDS = 5

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@dataclass(frozen=True, slots=True)
class LinkPicture:
    """The texts of the picture: event name, place and time, state and further lines."""

    title: str
    place: str
    state: str
    lines: tuple[str, ...]


def draw_picture(picture: LinkPicture) -> bytes:
    """Return the picture as PNG, 1200 by 630."""
    image = Image.new("RGB", (WIDTH, HEIGHT), BAR)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, 14), fill=ACCENT)
    top = _write(draw, picture.title, MARGIN, 68, INK)
    top = _write(draw, picture.place, top + 14, 34, MUTED)
    top = _write(draw, picture.state, top + 44, 52, ACCENT)
    for line in picture.lines:
        top = _write(draw, line, top + 18, 42, INK)
    _write(draw, "Ringside", HEIGHT - 80, 30, MUTED)
    buffer = BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _write(draw: ImageDraw.ImageDraw, text: str, top: int, size: int, color: str) -> int:
    """Write one line and return where it ends.

    A line that is too long is made smaller or shortened.
    """
    if not text:
        return top
    font, text = _fit(text, size)
    draw.text((MARGIN, top), text, fill=color, font=font)
    return top + size


def _fit(text: str, size: int) -> tuple[Font, str]:
    """Return a font in which the text fits the width.

    At the smallest size, the text is shortened.
    """
    free = WIDTH - 2 * MARGIN
    for smaller in (size, size * 4 // 5, size * 3 // 5):
        font = load_font(text, smaller)
        if font.getlength(text) <= free:
            return font, text
    while text and font.getlength(f"{text}…") > free:
        text = text[:-1]
    return font, f"{text.rstrip()}…"


def load_font(text: str, size: int) -> Font:
    """Return a bold font of the machine that has the letters of a text.

    If there is none, it is the one that Pillow carries.
    """
    path, index = _find_font_file(frozenset(letter for letter in text if ord(letter) > ASCII_LIMIT))
    if not path:
        return ImageFont.load_default(size)
    return ImageFont.truetype(path, size, index=index)


@lru_cache(maxsize=256)
def _find_font_file(letters: frozenset[str]) -> tuple[str, int]:
    """Find file and face of the font that fontconfig names for these letters.

    It is empty without fontconfig.
    """
    charset = " ".join(f"{ord(letter):x}" for letter in sorted(letters))
    pattern = f"sans-serif:bold:charset={charset}" if charset else "sans-serif:bold"
    command = ["fc-match", "--format=%{file}\n%{index}", pattern]
    try:
        process = subprocess.run(  # noqa: S603 - the letters are numbers in the pattern, nothing is a shell's
            command, capture_output=True, text=True, check=True, timeout=FONT_SECONDS
        )
        path, _, index = process.stdout.partition("\n")
        ImageFont.truetype(path, 12, index=int(index or 0))
    except (OSError, ValueError, subprocess.SubprocessError):
        return "", 0
    return path, int(index or 0)
