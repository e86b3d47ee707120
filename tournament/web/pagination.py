"""Pages of a long API answer.

`limit` and `offset` are checked, and links lead to the set address.
"""

from __future__ import annotations

from typing import cast

from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from decks.shared.refusals import Refused
from tournament.shared.links import get_base_url

MAX_OFFSET = 2**31 - 1
MAX_LIMIT = 1000
MAX_SHOWN = 60


class StrictPagination(LimitOffsetPagination):
    """Pages by `limit` and `offset`. A number that is not possible is refused."""

    max_limit = MAX_LIMIT

    def get_limit(self, request: Request) -> int:
        return _read_number(request, "limit", default=self.default_limit or MAX_LIMIT, bounds=(1, MAX_LIMIT))

    def get_offset(self, request: Request) -> int:
        return _read_number(request, "offset", default=0, bounds=(0, MAX_OFFSET))

    def get_next_link(self) -> str | None:
        next_offset = (self.offset or 0) + (self.limit or MAX_LIMIT)
        if next_offset >= (self.count or 0):
            return None
        return replace_query_param(self._page_url(), "offset", next_offset)

    def get_previous_link(self) -> str | None:
        offset, limit = self.offset or 0, self.limit or MAX_LIMIT
        if offset <= 0:
            return None
        if offset <= limit:
            return remove_query_param(self._page_url(), "offset")
        return replace_query_param(self._page_url(), "offset", offset - limit)

    def _page_url(self) -> str:
        request = cast(Request, self.request)
        url = f"{get_base_url(request)}{request.get_full_path()}"
        return replace_query_param(url, "limit", self.limit)


def _read_number(request: Request, name: str, *, default: int, bounds: tuple[int, int]) -> int:
    text = request.query_params.get(name)
    if text is None:
        return default
    is_number = text.isascii() and text.isdecimal() and len(text) <= 10
    if is_number and bounds[0] <= int(text) <= bounds[1]:
        return int(text)
    least, most = bounds
    raise Refused("number_wrong.page", field=name, name=name, text=text[:MAX_SHOWN], least=least, most=most)
