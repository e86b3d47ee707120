"""Static files in answers that both kinds of server can send."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
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


class GzipManifestStorage(CompressedManifestStaticFilesStorage):
    """Files named by their content, compressed with gzip alone: Brotli makes first starts slow."""

    def create_compressor(self, **options: Any) -> Compressor:
        """WhiteNoise's compressor without Brotli."""
        return Compressor(**options, use_brotli=False)
