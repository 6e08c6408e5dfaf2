"""Responses in the API's document that are sent before a view sees the request."""

from __future__ import annotations

from typing import Any

from django.template.defaultfilters import filesizeformat

from config.bodies import body_limit


def say_how_large_bodies_may_be(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Put the gateway's limit for each body beside it."""
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            if body := operation.get("requestBody"):
                most = filesizeformat(body_limit(method.upper(), path)).replace("\xa0", " ")
                body["description"] = f"Limit: {most} in total."
    return result
