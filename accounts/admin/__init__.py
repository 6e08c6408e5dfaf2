"""The administration of people, and the moderators' queue."""

from accounts.admin import people

__all__ = ["people"]
