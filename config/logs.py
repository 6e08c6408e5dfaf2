"""Logs: structlog in front, one line an event; JSON on a real site, readable on a laptop."""

from __future__ import annotations

import logging.config
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from structlog.typing import Processor


def configure_logging(*, as_json: bool, level: str) -> None:
    """Send structlog's and the standard library's records through the same last step."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.StackInfoRenderer(),
    ]
    # Tracebacks without local variables: those hold seeds, hands and passwords.
    last: list[Processor]
    if as_json:
        tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        last = [
            structlog.processors.ExceptionRenderer(tracebacks),
            structlog.processors.JSONRenderer(),
        ]
    else:
        plain = structlog.dev.plain_traceback
        last = [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain)]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "line": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": shared,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        *last,
                    ],
                }
            },
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
            "root": {"handlers": ["stderr"], "level": level},
            "loggers": {
                # Our own request line says it once; these would say it again.
                "django.server": {"level": "ERROR"},
                "django.request": {"level": "ERROR"},
                "celery.worker.strategy": {"level": "WARNING"},
                # Every three seconds; the worker says what it did.
                "celery.beat": {"level": "WARNING"},
            },
        }
    )
