"""Serves a recording whole or by byte range, so that a player can seek."""

import asyncio
import mimetypes
from collections.abc import AsyncIterator

from django.db.models.fields.files import FieldFile
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from corpus.domain.byte_range import ByteRange, RangeNotSatisfiableError, parse_byte_range

BLOCK_BYTES = 64 * 1024
# Explicit, because MIME tables of operating systems disagree on these.
AUDIO_TYPES = {
    ".mp3": "audio/mpeg", ".opus": "audio/ogg", ".ogg": "audio/ogg", ".m4a": "audio/mp4", ".wav": "audio/wav",
    ".flac": "audio/flac", ".webm": "audio/webm",
}  # fmt: skip


def media_response(request: HttpRequest, media: FieldFile, version: str) -> HttpResponseBase:
    """Answer 200, 206, 304 or 416. `version` becomes the ETag; it must change with the file.

    Raises FileNotFoundError where the file of the row is missing.
    """
    size = media.size
    etag = f'"{version}"'
    if request.headers.get("If-None-Match") == etag:
        return _described(HttpResponse(status=304), etag)
    try:
        wanted = _wanted(request, size, etag)
    except RangeNotSatisfiableError:
        refused = HttpResponse(status=416)
        refused["Content-Range"] = f"bytes */{size}"
        return _described(refused, etag)
    part = wanted or ByteRange(0, size - 1)
    response = _body(request, media, part)
    response["Content-Type"] = _content_type(media.name or "")
    response["Content-Length"] = str(len(part))
    if wanted:
        response.status_code = 206
        response["Content-Range"] = f"bytes {part.first}-{part.last}/{size}"
    return _described(response, etag)


def _wanted(request: HttpRequest, size: int, etag: str) -> ByteRange | None:
    header = request.headers.get("Range")
    unchanged = request.headers.get("If-Range", etag) == etag
    return parse_byte_range(header, size) if header and unchanged else None


def _body(request: HttpRequest, media: FieldFile, part: ByteRange) -> HttpResponseBase:
    if request.method == "HEAD" or not len(part):
        return HttpResponse()
    return StreamingHttpResponse(_blocks(media.open("rb"), part))


async def _blocks(file: FieldFile, part: ByteRange) -> AsyncIterator[bytes]:
    left = len(part)
    with file:
        await asyncio.to_thread(file.seek, part.first)
        while left and (block := await asyncio.to_thread(file.read, min(BLOCK_BYTES, left))):
            left -= len(block)
            yield block


def _content_type(name: str) -> str:
    suffix = f".{name.rsplit('.', 1)[-1].lower()}"
    return AUDIO_TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def _described(response: HttpResponseBase, etag: str) -> HttpResponseBase:
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = etag
    response["Cache-Control"] = "private, max-age=3600"
    return response
