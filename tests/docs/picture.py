"""Drawing of docs/images/architecture.svg from the import contracts.

The command is `python -m tests.docs.picture`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.docs.contracts import CLONE, Contracts, Layers, read_contracts

FILE = CLONE / "docs" / "images" / "architecture.svg"
MARGIN, GAP, LEFT, RIGHT = 16, 36, 516, 344
WIDTH = MARGIN + LEFT + GAP + RIGHT + MARGIN
BAR, HEAD, ROW, BETWEEN, PAD, LINE = 52, 46, 26, 6, 14, 22
SUMMARIES = {
    "config": "settings, web server, worker, live updates",
    "tournament": "events",
    "decks": "cards and decklists",
    "rules": "games, formats and checks of decks",
    "Inside a room": "modules or folders",
}
LEGEND = (
    "An arrow points to what may be imported.",
    "In a box, rows import the rows below them.",
    "Names in one row do not import each other.",
    "Yellow: no Django and no database.",
)
STYLE = """
    text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1b2430 }
    .title { font-size: 18px; font-weight: 600 }
    .summary { font-size: 14px; font-weight: 400 }
    .room { text-anchor: middle }
    .box { fill: #ffffff; stroke: #b9c4d1 }
    .legend { fill: #ffffff; stroke: none }
    .config { fill: #efeafa; stroke: #a993dd }
    .tournament { fill: #e4effb; stroke: #7fabdd }
    .decks { fill: #e2f4e9; stroke: #7fc09a }
    .rules, .pure { fill: #fdf0d5; stroke: #d9ae57 }
    .inside { fill: #f1f3f6; stroke: #a3adba }
    .arrow { fill: #7d8896; stroke: #7d8896; stroke-width: 2 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .box { fill: #0d1522; stroke: #44536a }
      .legend { fill: #0d1117 }
      .config { fill: #271f3d; stroke: #7a64b5 }
      .tournament { fill: #14263c; stroke: #3f6ea6 }
      .decks { fill: #12301f; stroke: #3e8259 }
      .rules, .pure { fill: #3b2f14; stroke: #a1803a }
      .inside { fill: #1c222b; stroke: #5b6675 }
    }
"""


class Area(NamedTuple):
    """A rectangle of the picture."""

    x: float
    y: float
    width: float
    height: float


def draw(contracts: Contracts) -> str:
    """Draw the packages, their rooms, and the layers inside a room as SVG."""
    top, upper, lower, bottom = contracts.packages
    rooms, y = contracts.rooms, MARGIN + BAR + GAP
    left_area = Area(MARGIN, y, LEFT, panel_height(rooms[upper]))
    end, x = y + left_area.height, MARGIN + LEFT + GAP
    right = Area(x, end - panel_height(rooms[lower]), RIGHT, panel_height(rooms[lower]))
    inside = Area(x, y, RIGHT, panel_height(contracts.inside_a_room))
    legend = Area(x, (inside.y + inside.height + right.y - len(LEGEND) * LINE) / 2, RIGHT, len(LEGEND) * LINE)
    parts = [
        *draw_bar(Area(MARGIN, MARGIN, WIDTH - 2 * MARGIN, BAR), top),
        *draw_panel(left_area, upper, rooms[upper], contracts.pure),
        *draw_panel(right, lower, rooms[lower], contracts.pure),
        *draw_panel(inside, "Inside a room", contracts.inside_a_room, frozenset()),
        *draw_bar(Area(MARGIN, end + GAP, WIDTH - 2 * MARGIN, BAR), bottom),
        *draw_legend(legend),
        draw_arrow(MARGIN + LEFT / 2, y - GAP, 90),
        draw_arrow(MARGIN + LEFT, right.y + right.height / 2, 0),
        draw_arrow(MARGIN + LEFT / 2, end, 90),
        draw_arrow(x + RIGHT / 2, end, 90),
    ]
    return wrap(parts, end + GAP + BAR + MARGIN, contracts)


def panel_height(layers: Layers) -> float:
    """Return the height of a panel with these layers."""
    return HEAD + len(layers) * (ROW + BETWEEN) - BETWEEN + PAD


def draw_bar(area: Area, name: str) -> Iterator[str]:
    """Draw a package without rooms."""
    yield draw_box(area, name, 8)
    yield draw_title(area.x + PAD, area.y + BAR / 2 + 6, name)


def draw_panel(area: Area, name: str, layers: Layers, pure: frozenset[str]) -> Iterator[str]:
    """Draw a title, and a row for each layer; names that share a layer share its row."""
    yield draw_box(area, name.split()[0].lower(), 8)
    yield draw_title(area.x + PAD, area.y + 30, name)
    for number, layer in enumerate(layers):
        y, width = area.y + HEAD + number * (ROW + BETWEEN), area.width - 2 * PAD + BETWEEN
        for place, room in enumerate(layer):
            x = area.x + PAD + place * width / len(layer)
            box = Area(x, y, width / len(layer) - BETWEEN, ROW)
            yield draw_box(box, "pure" if f"{name}.{room}" in pure else "box", 4)
            yield f'<text class="room" x="{x + box.width / 2:g}" y="{y + 18:g}">{room}</text>'


def draw_box(area: Area, style: str, radius: int) -> str:
    """Draw a rectangle with round corners."""
    x, y, width, height = (f"{number:g}" for number in area)
    return f'<rect class="{style}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"/>'


def draw_title(x: float, y: float, name: str) -> str:
    """Draw a name, and what it holds in a few words."""
    summary = f'<tspan class="summary" dx="10">{SUMMARIES[name]}</tspan>'
    return f'<text class="title" x="{x:g}" y="{y:g}">{name}{summary}</text>'


def draw_legend(area: Area) -> Iterator[str]:
    """Yield the legend of the picture, on a separate background.

    The page behind may be light or dark.
    """
    yield draw_box(Area(area.x, area.y - 16, area.width, area.height + 18), "legend", 8)
    for number, line in enumerate(LEGEND):
        yield f'<text x="{area.x + PAD:g}" y="{area.y + 8 + number * LINE:g}">{line}</text>'


def draw_arrow(x: float, y: float, turn: int) -> str:
    """Draw an arrow across a gap, to the right or turned downwards."""
    tip = GAP - 6
    path = f"M6 0H{tip - 8}M{tip} 0l-9 -5v10z"
    return f'<path class="arrow" transform="translate({x:g} {y:g}) rotate({turn})" d="{path}"/>'


def wrap(parts: list[str], height: float, contracts: Contracts) -> str:
    """Return the whole file."""
    order = ", ".join(contracts.packages)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img">',
            "  <title>Layers of Ringside</title>",
            f"  <desc>From top to bottom: {order}. Each imports only from those after it.</desc>",
            f"  <style>{STYLE}  </style>",
            *(f"  {part}" for part in parts),
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    FILE.write_text(draw(read_contracts()), encoding="utf-8")
