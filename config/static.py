"""Static files in answers that both kinds of server can send."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.http import HttpRequest, HttpResponse
from django.template.loader import get_template
from whitenoise.compress import Compressor
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise with whole answers, because Django's asynchronous handler cannot send its file iterators."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """The file's content (they are all small), with the headers that WhiteNoise chose."""
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file:
                content = found.file.read()
        response = HttpResponse(content, status=int(found.status))
        del response["content-type"]
        for name, value in found.headers:
            response[name] = value
        return response


# All styles of the pages in one file, which only exists where static files were gathered.
PAGE_STYLES = "ringside/pages.css"
NAMED = re.compile(r"ringside/css/[a-z]+\.css")


class GzipManifestStorage(CompressedManifestStaticFilesStorage):
    """Files named by their content, compressed with gzip alone: Brotli makes first starts slow."""

    def create_compressor(self, **options: Any) -> Compressor:
        """WhiteNoise's compressor without Brotli."""
        return Compressor(**options, use_brotli=False)

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """Add the file of all styles: a first visit waits for one answer instead of a dozen."""
        if not dry_run:
            self.delete(PAGE_STYLES)
            self._save(PAGE_STYLES, ContentFile(page_styles().encode()))
            paths[PAGE_STYLES] = (self, PAGE_STYLES)
        yield from super().post_process(paths, dry_run, **options)


def page_styles() -> str:
    """The styles that every page loads, one after the other, as `components/styles.html` names them."""
    named = NAMED.findall(get_template("components/styles.html").template.source)
    return "\n".join(Path(finders.find(name)).read_text(encoding="utf-8") for name in named)
