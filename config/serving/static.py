"""Static files in answers that both kinds of server can send."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.http import HttpRequest, HttpResponse
from django.template import Engine
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.compress import Compressor
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise with whole answers.

    Django's asynchronous handler cannot send its file iterators.
    """

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """Serve the file's content with the headers that WhiteNoise chose.

        All files are small.
        """
        file_response = static_file.get_response(request.method, request.META)
        content = b""
        if file_response.file is not None:
            with file_response.file:
                content = file_response.file.read()
        response = HttpResponse(content, status=int(file_response.status))
        del response["content-type"]
        for name, value in file_response.headers:
            response[name] = value
        return response


# All styles, and all scripts, that every page loads, in one file each, made where static files are gathered.
PAGE_STYLES = "ringside/pages.css"
PAGE_SCRIPTS = "ringside/pages.js"
NAMED = re.compile(r"""static "([\w/.-]+)" """)
OWN_FILES = "ringside/"
# The storage and the path there of each file, by its name.
CollectedFiles = dict[str, tuple[Storage, str]]
MINIFIERS: dict[str, Callable[[str], str]] = {".css": cssmin, ".js": jsmin}


class GzipManifestStorage(CompressedManifestStaticFilesStorage):
    """Files named by their content, compressed with gzip alone.

    Brotli makes first starts slow.
    """

    # Modules import each other by the names of their content.
    support_js_module_import_aggregation = True

    def create_compressor(self, **options: Any) -> Compressor:
        """Create WhiteNoise's compressor without Brotli."""
        return Compressor(**options, use_brotli=False)

    def post_process(
        self, paths: CollectedFiles, dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """Minify our files, and add one of all styles and one of all scripts.

        A first visit then waits for two answers instead of 17, and these are smaller by a seventh.
        """
        if not dry_run:
            together = {PAGE_STYLES: page_styles(), PAGE_SCRIPTS: page_scripts()}
            for name, text in {**dict(_own_texts(paths)), **together}.items():
                self.delete(name)
                self._save(name, ContentFile(minify(name, text).encode()))
                paths[name] = (self, name)
        yield from super().post_process(paths, dry_run, **options)


def minify(name: str, text: str) -> str:
    """Return the text of a style sheet or script without comments and spaces.

    `name` is that of its file.
    """
    return MINIFIERS[Path(name).suffix](text)


def page_styles() -> str:
    """Return the styles that every page loads.

    They are those that `components/styles.html` names, in its order.
    """
    return "\n".join(_texts("components/styles.html"))


def page_scripts() -> str:
    """Return the concatenated scripts that every page loads.

    They are those that `components/scripts.html` names, in its order.
    """
    return ";\n".join(_texts("components/scripts.html"))


def _own_texts(paths: CollectedFiles) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of our styles and scripts among collected files."""
    for name, (storage, path) in paths.items():
        if name.startswith(OWN_FILES) and Path(name).suffix in MINIFIERS:
            with storage.open(path) as file:
                yield name, file.read().decode()


def _texts(template: str) -> list[str]:
    file_names = NAMED.findall(str(Engine.get_default().get_template(template).source))
    return [Path(str(finders.find(name))).read_text(encoding="utf-8") for name in file_names]
