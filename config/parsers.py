"""JSON as the API accepts it: only values that a response can repeat."""

from __future__ import annotations

import json
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class CarefulJSONParser(JSONParser):
    """JSON as everywhere, less what no database or answer could hold.

    Lone surrogates and endlessly nested brackets are valid JSON by the letter; here they are
    unreadable requests, not crashes.
    """

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Any = None
    ) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
            json.dumps(data, ensure_ascii=False).encode()
        except (RecursionError, UnicodeEncodeError) as error:
            raise ParseError(
                "This JSON is nested too deeply or holds broken characters."
            ) from error
        return data
