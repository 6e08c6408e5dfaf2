"""A mail server on this machine: it keeps what it takes, and refuses what it is told to."""

from __future__ import annotations

import socketserver
import threading
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any


class MailServer(socketserver.ThreadingTCPServer):
    """Listens on a port of its own from ``start`` to ``stop``."""

    allow_reuse_address = daemon_threads = True

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refuses: dict[str, str] = {}
        """What is said to a recipient instead of yes."""
        super().__init__(("127.0.0.1", 0), _Talk)
        self.port: int = self.server_address[1]

    def start(self) -> None:
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def before_mail(self) -> None:
        """Called before a mail is read."""

    def after_mail(self) -> None:
        """Called when a mail is kept, and nobody has been told so."""

    def stop(self) -> None:
        self.shutdown()
        self.server_close()


class _Talk(socketserver.StreamRequestHandler):
    server: MailServer

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def handle(self) -> None:
        self.say("220 here")
        for line in self.rfile:
            word = line.split()[0].upper() if line.strip() else b""
            if word == b"RCPT":
                address = line.decode().partition("<")[2].partition(">")[0]
                self.say(self.server.refuses.get(address, "250 yes"))
            elif word == b"DATA":
                self.server.before_mail()
                self.say("354 go on")
                self.take()
                self.server.after_mail()
                self.say("250 taken")
            elif word == b"QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 yes")

    def take(self) -> None:
        lines = []
        for line in self.rfile:
            if line == b".\r\n":
                break
            lines.append(line[1:] if line.startswith(b"..") else line)
        else:
            return  # it hung up in the middle
        message_from_bytes_result: Any = message_from_bytes(b"".join(lines), policy=default)
        self.server.mails.append(message_from_bytes_result)
