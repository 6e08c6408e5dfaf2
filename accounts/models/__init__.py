"""People, and what they are to each other."""

from accounts.models.people import (
    AccessToken,
    Block,
    BlockKind,
    Friendship,
    People,
    User,
    Viewer,
    WritingBan,
)

__all__ = [
    "AccessToken",
    "Block",
    "BlockKind",
    "Friendship",
    "People",
    "User",
    "Viewer",
    "WritingBan",
]
