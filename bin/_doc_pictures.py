"""Pictures of the documentation, in docs/images.

They are light, as high as a screen, and in few colors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

CLONE = Path(__file__).resolve().parent.parent
FOLDER = CLONE / "docs" / "images"
COLORS = 64


class DocPicture(NamedTuple):
    """A screen by its name, the device, and the size of the picture in points."""

    screen: str
    device: str
    width: int
    height: int


DOC_PICTURES: Mapping[str, DocPicture] = {
    "overview": DocPicture("console_event--check-in", "laptop", 1100, 760),
    "draft": DocPicture("console_round--draft", "laptop", 1100, 920),
    "results": DocPicture("console_round--playing", "laptop", 1100, 920),
    "standings": DocPicture("standings--playing", "laptop", 1100, 760),
    "bracket": DocPicture("bracket--cut", "laptop", 1100, 700),
    "decklist": DocPicture("player_list--registration", "phone", 390, 780),
    "player": DocPicture("player--playing", "phone", 390, 780),
}


def shoot_doc_pictures(screens: Iterable[Any], people_by_device: Mapping[str, Any]) -> Iterator[Path]:
    """Take the pictures whose screens are given.

    Raises KeyError with the name of a missing screen.
    """
    by_name = {each.name: each for each in screens}
    for name, picture in DOC_PICTURES.items():
        screen = by_name[picture.screen]
        page = people_by_device[picture.device].page(screen.who)
        page.set_viewport_size({"width": picture.width, "height": picture.height})
        page.emulate_media(color_scheme="light")
        page.goto(screen.address)
        # A list is checked again as soon as its page is loaded.
        page.wait_for_function("() => !document.querySelector('.htmx-request')")
        path = FOLDER / f"{name}.png"
        _save_small(page.screenshot(), path)
        yield path


def _save_small(png: bytes, path: Path) -> None:
    picture = Image.open(BytesIO(png)).convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, optimize=True)
