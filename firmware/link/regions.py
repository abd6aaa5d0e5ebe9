"""Memory that a host reads page by page: the journal, the event log."""

from .endpoint import Refused
from .messages import NOT_SERVED, OUT_OF_RANGE, PAGE_BYTES_MAX, REGIONS


class Regions:
    """Answers `read_region`.

    Args:
        sources: by a region's name a pair of callables: size() in bytes, and read(offset, length) that returns these
            bytes at once and is never asked for any behind the end.
    """

    def __init__(self, sources):
        self._sources = {REGIONS.index(name): sources[name] for name in sources}

    def page(self, request):
        """The values of the answer to a request.

        Raises:
            Refused: there is no such region, or the offset lies behind its end.
        """
        source = self._sources.get(request["region"])
        if source is None:
            raise Refused(NOT_SERVED)
        size, read = source
        end = size()
        offset = request["offset"]
        if offset > end:
            raise Refused(OUT_OF_RANGE)
        length = min(request["length"], PAGE_BYTES_MAX, end - offset)
        return {"region": request["region"], "offset": offset, "size": end, "data": read(offset, length)}
